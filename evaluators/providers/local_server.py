"""llama.cpp's own server in a process of its own: `python -m lengthwise.evaluators.providers.local_server`.

It prints one line, `LISTEN http://127.0.0.1:PORT`, and serves until its standard input ends: that happens when the
parent closes it, and also when the parent is killed, so that no server is ever left behind.
"""

import argparse
import sys


def serve(model: str, alias: str, context: int, slots: int, threads: int) -> None:
    """Serve a model file on a free port of the loopback address until standard input ends.

    Args:
        model: path of a GGUF file.
        alias: the name that the server answers to.
        context: tokens per slot.
        slots: requests at the same time.
        threads: for generation and prefill.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {alias}
    # llama.cpp divides n_ctx by the number of slots.
    params.n_ctx = context * slots
    params.n_parallel = slots
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.warmup = False
    params.ui = False
    for pool in (params.cpuparams, params.cpuparams_batch):
        pool.n_threads = threads
        # Threads that wait must sleep: spinning ones starve everything else on a small machine.
        pool.poll = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(f"LISTEN {server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    for name in ("alias", "context", "slots", "threads"):
        parser.add_argument(f"--{name}", required=True, type=str if name == "alias" else int)
    serve(**vars(parser.parse_args()))

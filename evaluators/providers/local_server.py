"""llama.cpp's own server in a process of its own: `python -m lengthwise.evaluators.providers.local_server`.

It prints one line, `LISTEN http://127.0.0.1:PORT`, and serves until its standard input ends: that happens when the
parent closes it, and also when the parent is killed, so that no server is ever left behind.
"""

import argparse
import shutil
import struct
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

_CONTEXT_KEY = b"llama.context_length"
# A model file begins with what it says of itself; 32 bits without a sign have the type 4 there.
_HEAD_BYTES = 1 << 16
_UINT32 = 4


def stretched(model: Path, context: int, stretch: int, folder: Path) -> Path:
    """Return a copy of a model file that says that it was trained for `stretch` times its context.

    llama.cpp serves no more tokens than the file says, rope scaling or not.

    Args:
        model: a GGUF file of a Llama.
        context: that it says.
        stretch: factor.
        folder: for the copy.

    Raises:
        ValueError: the file does not say so.
    """
    said = _CONTEXT_KEY + struct.pack("<II", _UINT32, context)
    copy = Path(shutil.copy(model, folder))
    with copy.open("r+b") as file:
        place = file.read(_HEAD_BYTES).find(said)
        if place < 0:
            raise ValueError(f"{model}: does not say that its context is {context}")
        file.seek(place)
        file.write(_CONTEXT_KEY + struct.pack("<II", _UINT32, context * stretch))
    return copy


def serve(model: str, alias: str, context: int, stretch: int, slots: int, threads: int) -> None:
    """Serve a model file on a free port of the loopback address until standard input ends.

    Args:
        model: path of a GGUF file.
        alias: the name that the server answers to.
        context: tokens that the model was trained for.
        stretch: by how much YaRN lengthens that, for each slot; 1 for not at all.
        slots: requests at the same time.
        threads: for generation and prefill.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model_alias = {alias}
    # llama.cpp divides n_ctx by the number of slots.
    params.n_ctx = context * stretch * slots
    params.n_parallel = slots
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.warmup = False
    params.ui = False
    for pool in (params.cpuparams, params.cpuparams_batch):
        pool.n_threads = threads
        # Threads that wait must sleep: spinning ones starve everything else on a small machine.
        pool.poll = 0
    with ExitStack() as until_loaded:
        params.model.path = model
        if stretch > 1:
            folder = Path(until_loaded.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))
            params.model.path = str(stretched(Path(model), context, stretch, folder))
            params.rope_scaling_type = xllamacpp.llama_rope_scaling_type.LLAMA_ROPE_SCALING_TYPE_YARN
            params.rope_freq_scale = 1 / stretch
            params.yarn_orig_ctx = context
        server = xllamacpp.Server(params)
    sys.stdout.write(f"LISTEN {server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--stretch", type=int, default=1)
    for name in ("alias", "context", "slots", "threads"):
        parser.add_argument(f"--{name}", required=True, type=str if name == "alias" else int)
    serve(**vars(parser.parse_args()))

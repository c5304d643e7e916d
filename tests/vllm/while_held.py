"""Runs a command for as long as somebody holds the other end of stdin, then ends it and all of its children.

`python while_held.py PROGRAM ARGUMENT...`, as the leader of a process group. A test session that is killed, by
whatever signal, lets go of the pipe: so no server with its engine is left behind by it.
"""

import os
import signal
import subprocess
import sys
import threading

# Seconds for an end in order.
PATIENCE = 20.0


def main() -> None:
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)

    def end_with_the_holder() -> None:
        # Not through a buffer, which the interpreter would wait for at its end.
        while os.read(0, 1024):
            pass
        server.terminate()
        threading.Timer(PATIENCE, end_all).start()

    threading.Thread(target=end_with_the_holder, daemon=True).start()
    server.wait()
    end_all()


def end_all() -> None:
    """End this process's group, itself included."""
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()

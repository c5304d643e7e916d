"""What is written is put on the disk soon: it survives the death of the process at once, a power cut within a second.

A `write` hands bytes to the system, which keeps them when the process dies, but not when the power goes. Waiting for
the disk after each line would cost milliseconds a line; so a thread does it, at most a few times a second.
"""

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: two processes that make one folder at the same instant go unnoticed there.
    fcntl = None  # type: ignore[assignment]

# Seconds from one time to the next: a line is on the disk within this and what the disk takes.
EVERY = 0.5


class Syncer:
    """Puts a file that is written to on the disk, in a thread of its own.

    Args:
        descriptor: of the file; open until `close`.
        folder: the file's, which is put on the disk once: without that a new file could be gone as a whole.
        every: seconds.
    """

    def __init__(self, descriptor: int, folder: Path, every: float = EVERY) -> None:
        self._descriptor = descriptor
        self._folder = folder
        self._every = every
        self._written = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._error: OSError | None = None

    def written(self) -> None:
        """Note that there is something new.

        Raises:
            OSError: the disk would not take what was written earlier.
        """
        if self._error is not None:
            raise self._error
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="lengthwise-sync", daemon=True)
            self._thread.start()
        self._written.set()

    def close(self) -> None:
        """Put the rest on the disk.

        Raises:
            OSError: the disk would not take it.
        """
        if self._thread is None:
            return
        self._closing.set()
        self._written.set()
        self._thread.join()
        self._thread = None
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            sync_folder(self._folder)
            while not self._closing.is_set():
                self._written.wait()
                self._written.clear()
                os.fsync(self._descriptor)
                self._closing.wait(self._every)
            os.fsync(self._descriptor)
        except OSError as error:
            self._error = error


def sync_folder(folder: Path) -> None:
    """Put the names of a folder's files on the disk, where the system can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other process is in such a block for the same folder, where its file system knows locks."""
    descriptor = os.open(folder, os.O_RDONLY) if fcntl is not None else None
    try:
        if descriptor is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        if descriptor is not None:
            # Closing it lets go of the lock.
            os.close(descriptor)


def replace_durably(part: Path, path: Path) -> None:
    """Put a file that was just written in the place of another, so that after a power cut there is either, whole."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(part, path)
    sync_folder(path.parent)

"""No server outlives the tests that started it; no engine is needed to see that."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

# A server with a child, like vLLM's; it says both ids.
SERVER = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(os.getpid(), child.pid, flush=True)
child.wait()
"""
TESTS = """
import os, subprocess, sys, time
held = subprocess.Popen([sys.executable, sys.argv[1], sys.executable, "-c", sys.argv[2]], stdin=subprocess.PIPE,
                        start_new_session=True)
time.sleep(600)
"""
WHILE_HELD = Path(__file__).with_name("while_held.py")


def ended(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_and_its_child_go_when_the_tests_are_ended(number):
    tests = subprocess.Popen([sys.executable, "-c", TESTS, str(WHILE_HELD), SERVER], stdout=subprocess.PIPE, text=True)
    pids = [int(word) for word in tests.stdout.readline().split()]
    assert len(pids) == 2 and not any(map(ended, pids))
    os.kill(tests.pid, number)
    tests.wait(10)
    tests.stdout.close()
    deadline = time.monotonic() + 15
    while not all(map(ended, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert all(map(ended, pids))


def test_a_server_that_ends_by_itself_is_noticed():
    held = [sys.executable, str(WHILE_HELD), sys.executable, "-c", "raise SystemExit(3)"]
    with subprocess.Popen(held, stdin=subprocess.PIPE, start_new_session=True) as process:
        assert process.wait(15) != 0

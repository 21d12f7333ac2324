"""Runs a program and checks its exit code; shared by tests of the command line."""
import os
import subprocess
import sys


def check(condition, what, *details):
    """Ends the test with `what` and the details if the condition is false."""
    if not condition:
        print("FAILED:", what, *details, sep="\n  ")
        sys.exit(1)


def checked_run(command, folder, code=0, variables=None, timeout=None):
    """Runs the command in `folder` with further environment `variables`; returns what it prints to both streams."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=folder, timeout=timeout,
                          env={**os.environ, **(variables or {})})
    check(done.returncode == code, f"{command}: exit code {done.returncode}, not {code}", done.stdout, done.stderr)
    return done.stdout + done.stderr


def on_ranks(mpiexec, ranks):
    """The beginning of a command that runs on `ranks` ranks; without a launcher for 0."""
    return [mpiexec, "-n", ranks] if ranks else []

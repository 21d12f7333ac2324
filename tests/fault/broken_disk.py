#!/usr/bin/env python3
"""Runs on a simulated disk on which one system call fails, or all calls from one on. usage: GSIM_TEST_MODULES MPIEXEC FAILING_IO [--full]

For each failing call the run ends by itself, with the right results or with one message; no incomplete file has the name
of a complete one; and a second run on a working disk ends with the right results."""
import errno
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import (ENVIRONMENT, SCRATCH, check, config, digest_of, events,  # noqa: E402
                     gsim, run_tests)

FAILING_IO, FULL = sys.argv[3], "--full" in sys.argv
REFERENCE = {}


def configuration():
    """A run of three slices, with a checkpoint after each but the last."""
    return config("disk", blocks=32, delay=0.001, interval=0.0001, sampler_keys="checkpoint_bytes = 3000")


# No third checkpoint, which would be written at the end: failures while it is written, or while the first checkpoint is
# checked and removed after it, do not make a run fail.
TWO_CHECKPOINTS = ("--set", "checkpoint.at_end=false")


def run(name, ranks=0, more=(), **fault):
    """Runs with the failing calls of tests/support/failing_io.cpp; `fault` are its settings without GSIM_FAULT_."""
    settings = {f"GSIM_FAULT_{key.upper()}": str(value) for key, value in fault.items()}
    settings.setdefault("GSIM_FAULT_PATH", f"{name}.")
    return gsim("run", configuration(), "--log", "json", "--threads", 1, "--output", f"{name}.h5",
                "--set", "status.enabled=false", *more, ranks=ranks, env={**ENVIRONMENT, **settings, "LD_PRELOAD": FAILING_IO})


def remove_files(name):
    for path in SCRATCH.glob(f"{name}.*"):
        path.unlink()


def fails_cleanly(name, error, ranks=0, more=(), **fault):
    """Runs on a failing disk, and then on a working one, and checks both. Returns whether the first run failed."""
    what = f"{fault}, {errno.errorcode[error]}, {ranks} ranks"
    remove_files(name)
    done = run(name, ranks, more, errno=error, **fault)
    messages = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    if done.returncode == 0:
        check(digest_of(done) == REFERENCE["digest"], f"{what}: other results")
        check(not messages, f"{what}: exit 0, but messages {messages}")
    else:
        check(done.returncode == 1 and len(messages) == 1, f"{what}: exit {done.returncode}, {messages} "
              f"{done.stderr}")
        check(f"{name}." in messages[0], f"{what}: no file is named: {messages[0]}")
        check(re.search(REASONS[error], messages[0]), f"{what}: no reason in: {messages[0]}")
        check(not (SCRATCH / f"{name}.h5").exists(), f"{what}: results in spite of {messages}")
    again = gsim("run", configuration(), "--resume=auto", "--log", "json", "--output", f"{name}.h5")
    check(digest_of(again) == REFERENCE["digest"], f"{what}: other results after resuming")
    warnings = [e for e in events(again.stdout) if e["event"] == "warning"]
    check(not warnings, f"{what}: an incomplete checkpoint had the name of a complete one: {warnings}")
    check(not list(SCRATCH.glob(f"{name}.*.partial")), f"{what}: a partial file is left")
    # A run that cannot write the checkpoint at its end has its results, and prints a warning.
    return done.returncode != 0 or "no checkpoint could be written at the end" in done.stdout


REASONS = {errno.EIO: "Input/output error|I/O error", errno.ENOSPC: "no space left on device",
           errno.EDQUOT: "quota exceeded", errno.EROFS: "read-only"}


def reference():
    """a run without failures, whose system calls are counted"""
    done = run("no_failure", more=TWO_CHECKPOINTS, count=SCRATCH / "count")
    REFERENCE["digest"] = digest_of(done)
    REFERENCE["calls"] = int((SCRATCH / "count").read_text())
    check(REFERENCE["calls"] > 60, f"only {REFERENCE['calls']} calls were seen")
    print(REFERENCE["calls"], "calls", end=" ")


def every_call():
    """on one rank, one call fails with EIO, or the disk is full from one call on"""
    calls, failed, tried = REFERENCE["calls"], 0, 0
    for at in range(1, calls, 2 if FULL else calls // 12):
        failed += fails_cleanly("one", errno.EIO, more=TWO_CHECKPOINTS, at=at)
        failed += fails_cleanly("full", errno.ENOSPC, more=TWO_CHECKPOINTS, at=at, lasts=1)
        tried += 2
    check(failed > 0.8 * tried, f"only {failed} of {tried} runs failed")


def kinds_of_calls():
    """on one rank, each kind of system call fails"""
    for call, error in (("write", errno.ENOSPC), ("fsync", errno.EIO), ("close", errno.EIO),
                        ("close", errno.ENOSPC), ("close", errno.EDQUOT), ("rename", errno.EIO),
                        ("rename", errno.ENOSPC), ("open", errno.EROFS), ("truncate", errno.EIO),
                        ("fallocate", errno.ENOSPC), ("fallocate", errno.EDQUOT)):
        check(fails_cleanly("kind", error, call=call, at=1, lasts=1), f"a failure of {call} is not detected")
        if FULL:
            fails_cleanly("kind", error, call=call, at=4)


def no_fallocate():
    """on file systems without fallocate(), runs have the same results and no messages"""
    for ranks in (0, 2):
        for error in (errno.EOPNOTSUPP, errno.ENOSYS):
            remove_files("plain")
            done = run("plain", ranks, call="fallocate", at=1, lasts=1, errno=error)
            check(digest_of(done) == REFERENCE["digest"], f"{done.stderr}")
            check(done.stderr == "", done.stderr)


def many_ranks():
    """on 2 ranks, a call of rank 0 fails, also during a collective write"""
    # Not "close": if it fails, ROMIO itself hangs on all ranks in MPI_File_open.
    for call, at in (("open", 2), ("fallocate", 2), ("fsync", 2), ("rename", 2), ("truncate", 2),
                     ("write", 3), ("write", 8), ("write", 40))[:8 if FULL else 6]:
        failed = fails_cleanly("ranks", errno.EIO, 2, call=call, rank=0, at=at, lasts=1)
        check(failed, f"a failure of {call} is not detected")


run_tests([reference, every_call, kinds_of_calls, no_fallocate, many_ranks])

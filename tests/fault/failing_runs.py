#!/usr/bin/env python3
"""Ranks that fail and places that cannot be written. usage: GSIM_TOYS MPIEXEC"""
import os
import pathlib
import resource
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import SCRATCH, Running, check, config, gsim, run_tests  # noqa: E402


def failed(done, words, output, aborted=False):
    """Exit status 1, one message with all `words`, no results. After MPI_Abort, the launcher may
    also give the status of a rank that it killed."""
    said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    check(done.returncode == 1 or aborted and done.returncode != 0, f"exit {done.returncode}: {done.stdout}{done.stderr}")
    check(len(said) == 1, f"not one message: {done.stderr}")
    for word in words:
        check(word in said[0], f"`{word}` is missing in: {said[0]}")
    check(not list(SCRATCH.glob(f"{output}*")), f"{output} was written")


def lone_rank(fault, rank, ranks, words):
    path = config(fault, blocks=64, delay=0, sampler=(
        f'fault = "{fault}"\nfault_rank = {rank}\nfault_block = 1'))
    begin = time.monotonic()
    done = gsim("run", path, "--quiet", "--threads", 1, "--output", f"{fault}.h5", ranks=ranks)
    seconds = time.monotonic() - begin
    check(seconds < 15, f"it took {seconds:.1f} s")
    failed(done, words, f"{fault}.h5", aborted=ranks > 1 and fault == "throw")


def throwing():
    """a lone rank that throws ends all, with one message"""
    lone_rank("throw", 0, 0, ["the toy was told to throw"])
    lone_rank("throw", 0, 2, ["the toy was told to throw", "rank 0"])
    lone_rank("throw", 3, 4, ["the toy was told to throw", "rank 3"])


def sick():
    """a lone rank whose state is sick ends all, with one message"""
    lone_rank("sick", 1, 2, ["the toy was told to be sick", "rank 1", "by block"])


def dying():
    """a rank that dies ends all"""
    path = config("die", blocks=64, delay=0, sampler='fault = "die"\nfault_rank = 1')
    done = gsim("run", path, "--quiet", "--threads", 1, "--output", "die.h5", ranks=2, limit=20)
    check(done.returncode != 0, "exit 0")
    check(not (SCRATCH / "die.h5").exists(), "results of a run that died")


def unwritable():
    """an output that cannot be written is told before any work"""
    path = config("plain", blocks=8, delay=0)
    (SCRATCH / "file").write_text("")
    for ranks in (0, 2):
        failed(gsim("run", path, "--quiet", "--output", "file/out.h5", ranks=ranks),
               ["cannot write file/out.h5", "no folder", "--output"], "out.h5")
    failed(gsim("run", path, "--quiet", "--output", "/proc/out.h5"), ["/proc/out.h5"], "out.h5")
    if os.getuid() != 0:
        (SCRATCH / "locked").mkdir(mode=0o500)
        failed(gsim("run", path, "--quiet", "--output", "locked/out.h5"), ["not writable"], "out.h5")
    (SCRATCH / "folder.h5").mkdir()
    done = gsim("run", path, "--quiet", "--output", "folder.h5")
    check(done.returncode == 2 and "is a folder" in done.stderr, f"{done.stderr}")


def full_disk():
    """a disk that fills up: one message that names the file, no half-written result"""
    path = config("filling", blocks=100, interval=0)
    for ranks in (0, 2):
        # A write beyond the size limit then fails, as on a full disk, instead of ending the process.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        run = Running("run", path, "--threads", 1, "--output", "full.h5", ranks=ranks,
                      restore_signals=False)
        run.wait_for("start")  # MPI has made its shared files by now
        for rank in run.ranks():
            resource.prlimit(rank, resource.RLIMIT_FSIZE, (1000, 1000))
        status, _, rest = run.finish()
        said = [line for line in run.messages().splitlines() if line.startswith("error: ")]
        check(status == 1 and len(said) == 1 and "full.h5" in said[0],
              f"exit {status}: {rest} {run.messages()}")
        check(not (SCRATCH / "full.h5").exists(), "a half-written file has a whole one's name")


run_tests([throwing, sick, dying, unwritable, full_disk])

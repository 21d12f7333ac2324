#!/usr/bin/env python3
"""Real signals to real runs, and what becomes of them. usage: GSIM_TOYS MPIEXEC"""
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import (SCRATCH, Running, check, config, digest_of, events,  # noqa: E402
                     gsim, run_tests, same_results)

PATH = config()
REFERENCE = {}


def reference():
    """an undisturbed run"""
    REFERENCE["digest"] = digest_of(
        gsim("run", config("free", delay=0), "--log", "json", "--output", "reference.h5"))


def resumed(output, ranks, threads):
    """Resumes the run of `output` and checks that nothing tells it from the undisturbed one."""
    done = gsim("run", PATH, "--resume", "--log", "json", "--threads", threads, "--output", output,
                ranks=ranks)
    check(digest_of(done) == REFERENCE["digest"], f"{output}: another digest: {done.stdout}")
    said = [e for e in events(done.stdout) if e["event"] == "resume"]
    check(len(said) == 1 and said[0]["units"] > 0, f"no event says from where: {done.stdout}")
    same_results("reference.h5", output)


def stop(number, ranks, to_launcher=False):
    """Stops a run by a signal; it must leave exit status 75 and a checkpoint."""
    output = f"{signal.Signals(number).name}-{ranks}.h5"
    run = Running("run", PATH, "--threads", 2 if ranks == 0 else 1, "--output", output, ranks=ranks)
    run.wait_for("checkpoint")
    target = run.process.pid if to_launcher or ranks == 0 else run.ranks()[-1]
    os.kill(target, number)
    end = run.wait_for("end")
    status, _, _ = run.finish()
    # A Hydra that is signalled itself passes the signal on, and then loses the ranks' status now and
    # then (MPICH 4.0.2: 10 of 30 times with a shell script that exits with 75).
    lost = to_launcher and status == 0
    check((status == 75 or lost) and end["exit_code"] == 75, f"{output}: exit {status}, {end}")
    check(end["reason"] == "signal" and (SCRATCH / end["checkpoint"]).exists(), str(end))
    check("result" not in end and not (SCRATCH / output).exists(), f"{output} was written")
    return output


def one_rank():
    """SIGTERM, SIGINT, SIGUSR1, SIGUSR2 on one rank, resumed on 2 and 1 ranks"""
    resumed(stop(signal.SIGTERM, 0), 2, 1)
    resumed(stop(signal.SIGINT, 0), 0, 3)
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        stop(number, 0)


def many_ranks():
    """signals to one of 2 ranks and to mpiexec, resumed on 1 and 4 ranks"""
    resumed(stop(signal.SIGUSR2, 2), 0, 2)
    resumed(stop(signal.SIGUSR1, 2, to_launcher=True), 4, 1)


def second_signal():
    """a second signal ends the run at once"""
    path = config("slow", blocks=4, delay=20)
    run = Running("run", path, "--threads", 1, "--output", "second.h5")
    run.wait_for("start")
    # The handler stands before `start` is said; the first slice takes twenty seconds.
    os.kill(run.process.pid, signal.SIGTERM)
    time.sleep(0.5)
    check(run.process.poll() is None, "the first signal ended the run")
    os.kill(run.process.pid, signal.SIGTERM)
    status, seconds, _ = run.finish()
    check(status == -signal.SIGTERM and seconds < 2, f"exit {status} after {seconds:.1f} s")


def kill():
    """kill -9 in the middle, then resume"""
    run = Running("run", PATH, "--threads", 2, "--output", "killed.h5")
    run.wait_for("checkpoint")
    run.wait_for("checkpoint")
    os.kill(run.process.pid, signal.SIGKILL)
    check(run.finish()[0] == -signal.SIGKILL, "it survived")
    check(not (SCRATCH / "killed.h5").exists(), "a killed run left a result file")
    resumed("killed.h5", 2, 1)


run_tests([reference, one_rank, many_ranks, second_signal, kill])

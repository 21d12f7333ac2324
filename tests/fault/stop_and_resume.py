#!/usr/bin/env python3
"""Stops runs by signals and resumes them. usage: GSIM_TEST_MODULES MPIEXEC [--full]"""
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import (SCRATCH, Running, check, check_stopped, config, digest_of,  # noqa: E402
                     events, gsim, run_tests, same_results)

PATH = config(delay=0.06)  # long enough that the run has not ended when a signal follows a checkpoint
REFERENCE = {}


def reference():
    """an uninterrupted run"""
    REFERENCE["digest"] = digest_of(
        gsim("run", config("no_delay", delay=0), "--log", "json", "--output", "reference.h5"))


def check_resumed(output, ranks, threads):
    """Resumes the run of `output` on `ranks` ranks (0: without mpiexec), and checks that its files equal those of the
    uninterrupted run."""
    done = gsim("run", PATH, "--resume", "--log", "json", "--threads", threads, "--output", output,
                ranks=ranks)
    check(digest_of(done) == REFERENCE["digest"], f"{output}: a different digest: {done.stdout}")
    resumptions = [e for e in events(done.stdout) if e["event"] == "resume"]
    check(len(resumptions) == 1 and resumptions[0]["units"] > 0, f"no event `resume` with the number of units: {done.stdout}")
    same_results("reference.h5", output)


ONE_RANK, ALL_RANKS, LAUNCHER = "one rank", "all ranks", "the launcher"


def stop(number, ranks, to=ONE_RANK):
    """Stops a run on `ranks` ranks (0: without mpiexec) by a signal to the processes `to`. The exit status must be 75
    and a checkpoint must exist."""
    output = f"{signal.Signals(number).name}-{ranks}-{to.split()[-1]}.h5"
    run = Running("run", PATH, "--threads", 2 if ranks == 0 else 1, "--output", output, ranks=ranks)
    run.wait_for("checkpoint")
    targets = run.ranks()[-1:] if to == ONE_RANK else run.ranks()
    check(len(targets) == 1 or len(targets) == ranks, f"{ranks} ranks are processes {targets}")
    for target in [run.process.pid] if to == LAUNCHER else targets:
        os.kill(target, number)
    end = run.wait_for("end")
    status, _, _ = run.finish()
    check_stopped(status, end, launcher_signalled=to == LAUNCHER)
    check("result" not in end and not (SCRATCH / output).exists(), f"{output} was written")
    check("error" not in run.messages(), f"{output}: {run.messages()}")
    return output


def one_rank():
    """SIGTERM, SIGINT, SIGUSR1, SIGUSR2 on one rank, resumed on 2 and 1 ranks"""
    check_resumed(stop(signal.SIGTERM, 0), 2, 1)
    check_resumed(stop(signal.SIGINT, 0), 0, 3)
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        stop(number, 0)


def many_ranks():
    """signals to one of 4 ranks, to all, and to mpiexec, resumed on 1 and 3 ranks"""
    stop(signal.SIGUSR2, 4)
    check_resumed(stop(signal.SIGTERM, 4, ALL_RANKS), 0, 2)
    check_resumed(stop(signal.SIGUSR1, 4, LAUNCHER), 3, 1)


def all_signals():
    """every signal to one rank, all ranks and mpiexec, on 2, 3 and 4 ranks"""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2):
        for to, ranks in ((ONE_RANK, 2), (ALL_RANKS, 3), (LAUNCHER, 4)):
            if to == LAUNCHER and number == signal.SIGUSR2:
                continue  # Hydra, MPICH's launcher, has no handler for it, and is ended by it
            check_resumed(stop(number, ranks, to), 6 - ranks, 1)


def second_signal():
    """repeated signals to stop count once; a later Ctrl-C ends the run at once"""
    path = config("slow", blocks=4, delay=20)
    run = Running("run", path, "--threads", 1, "--output", "second.h5")
    run.wait_for("start")
    # The handler is installed before `start` is printed; the first slice takes twenty seconds.
    for number in (signal.SIGINT, signal.SIGINT, signal.SIGUSR1, signal.SIGTERM, signal.SIGTERM):
        os.kill(run.process.pid, number)
    time.sleep(0.7)
    check(run.process.poll() is None, "repeated signals to stop ended the run at once")
    os.kill(run.process.pid, signal.SIGINT)
    status, seconds, _ = run.finish()
    check(status == -signal.SIGINT and seconds < 2, f"exit {status} after {seconds:.1f} s")


def while_writing():
    """signals during the writing of a checkpoint do not damage it"""
    # A slice is short compared with the run, also on 4 ranks of a busy machine.
    path = config("big", delay=0.04, sampler_keys="checkpoint_bytes = 30_000_000", interval=0.1)
    reference = digest_of(gsim("run", config("small", delay=0), "--log", "json",
                               "--output", "small.h5"))
    for ranks in (0, 4):
        output = f"writing-{ranks}.h5"
        run = Running("run", path, "--threads", 1, "--output", output, ranks=ranks)
        run.wait_for("start")
        partial = SCRATCH / f"writing-{ranks}.ckpt.2.partial"
        end = time.monotonic() + 20
        while not partial.exists():
            check(time.monotonic() < end, "no second checkpoint")
        for rank in run.ranks():
            os.kill(rank, signal.SIGTERM)
            os.kill(rank, signal.SIGUSR1)
        check(partial.exists(), "the signals came too late")
        status, _, rest = run.finish()
        check(status == 75, f"exit {status}: {rest}{run.messages()}")
        check(not list(SCRATCH.glob("*.partial")), "a partial file is left")
        done = gsim("run", path, "--resume", "--log", "json", "--output", output)
        check(digest_of(done) == reference, f"a different digest: {done.stdout}")


def oversubscribed():
    """on 8 ranks that share processors, checkpoints and signals take less than 8 s"""
    path = config("oversubscribed", blocks=4000, delay=0.02, interval=0.3, sampler_keys="checkpoint_bytes = 3000")
    run = Running("run", path, "--threads", 1, "--output", "oversubscribed.h5", ranks=8)
    run.wait_for("checkpoint")
    run.wait_for("checkpoint")
    os.kill(run.ranks()[0], signal.SIGTERM)
    end = run.wait_for("end")
    status, seconds, _ = run.finish()
    check_stopped(status, end)
    seconds += end["regions"]["write"]
    check(seconds < 8, f"writing and ending took {seconds:.1f} s")


def partial():
    """the estimates at a signal are reported as partial results"""
    run = Running("run", PATH, "--threads", 1, "--output", "partial.h5")
    run.wait_for("checkpoint")
    os.kill(run.process.pid, signal.SIGTERM)
    estimate = run.wait_for("estimate")
    check(estimate["partial"] is True and estimate["count"] > 0, f"{estimate}")
    end = run.wait_for("end")
    check_stopped(run.finish()[0], end)
    run = Running("run", PATH, "--threads", 1, "--output", "partial.h5", "--resume", style="plain")
    while not run.process.stdout.readline().startswith("resume"):
        check(run.process.poll() is None, run.messages())
    time.sleep(1)
    os.kill(run.process.pid, signal.SIGTERM)
    status, _, rest = run.finish()
    check(status == 75 and "partial results at block " in rest, f"exit {status}: {rest}")
    check(not (SCRATCH / "partial.h5").exists(), "a result file of a stopped run")


def time_limited():
    """a run on 4 ranks that is stopped by its time limit and resumed repeatedly has the same results"""
    limits = ["--set", 'checkpoint.time_limit="1 s"', "--set", "checkpoint.interval=0"]
    parts, last = 1, 0
    while True:
        done = gsim("run", PATH, "--resume=auto", "--log", "json", "--threads", 1,
                    "--output", "limited.h5", *limits, ranks=4)
        if done.returncode != 75:
            break
        end = events(done.stdout)[-1]
        check(end["reason"] == "time_limit" and end["units"] > last, f"after {last}: {end}")
        parts, last = parts + 1, end["units"]
    check(digest_of(done) == REFERENCE["digest"] and parts > 1, f"{parts} parts: {done.stdout}")
    same_results("reference.h5", "limited.h5")


def kill():
    """kill -9 in the middle, then resume"""
    run = Running("run", PATH, "--threads", 2, "--output", "killed.h5")
    run.wait_for("checkpoint")
    run.wait_for("checkpoint")
    os.kill(run.process.pid, signal.SIGKILL)
    check(run.finish()[0] == -signal.SIGKILL, "the run was not killed")
    check(not (SCRATCH / "killed.h5").exists(), "a killed run left a result file")
    check_resumed("killed.h5", 2, 1)


if "--full" in sys.argv:
    run_tests([reference, all_signals])
else:
    run_tests([reference, one_rank, many_ranks, second_signal, while_writing, oversubscribed, partial,
               time_limited, kill])

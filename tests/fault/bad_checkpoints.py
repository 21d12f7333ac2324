#!/usr/bin/env python3
"""Checks resuming from damaged and missing checkpoints and from those of other configurations, and time limits. usage: GSIM_TEST_MODULES MPIEXEC"""
import os
import pathlib
import shutil
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import (SCRATCH, Running, check, config, digest_of, events,  # noqa: E402
                     gsim, run_tests, same_results)

PATH = config()


def write_checkpoints():
    """a stopped run leaves two checkpoints"""
    run = Running("run", PATH, "--threads", 2, "--output", "first.h5")
    run.wait_for("checkpoint")
    os.kill(run.process.pid, signal.SIGTERM)
    check(run.finish()[0] == 75, "not stopped with a checkpoint")
    check(checkpoints("first") == ["first.ckpt.1", "first.ckpt.2"], str(checkpoints("first")))
    gsim("run", config("no_delay", delay=0), "--quiet", "--output", "reference.h5")


def checkpoints(base):
    return sorted(p.name for p in SCRATCH.glob(f"{base}.ckpt.*"))


def copy_checkpoints(name):
    for file in checkpoints("first"):
        shutil.copy(SCRATCH / file, SCRATCH / file.replace("first", name))


def damage(name, change):
    data = bytearray((SCRATCH / name).read_bytes())
    (SCRATCH / name).write_bytes(change(data))


def flip_bit(data):
    data[len(data) // 2] ^= 1
    return data


def check_older_is_used(name, change):
    copy_checkpoints(name)
    damage(f"{name}.ckpt.2", change)
    done = gsim("run", PATH, "--resume", "--log", "json", "--threads", 2, "--output", f"{name}.h5")
    digest_of(done)
    warnings = [e["message"] for e in events(done.stdout) if e["event"] == "warning"]
    check(len(warnings) == 1 and f"{name}.ckpt.2" in warnings[0]
          and f"resuming from {name}.ckpt.1" in warnings[0], f"warnings: {warnings}")
    same_results("reference.h5", f"{name}.h5")


def newest_damaged():
    """a damaged newest checkpoint is named in a warning, and the one before it is used"""
    check_older_is_used("flipped", flip_bit)
    check_older_is_used("truncated", lambda data: data[:len(data) // 3])


def all_damaged():
    """without a usable checkpoint: one message, exit status 2"""
    copy_checkpoints("damaged")
    for file in checkpoints("damaged"):
        damage(file, flip_bit)
    for ranks in (0, 2):
        check_refused(gsim("run", PATH, "--resume", "--output", "damaged.h5", ranks=ranks),
                      ["damaged.ckpt.1", "damaged.ckpt.2", "start without --resume"])


def check_refused(done, words):
    lines = done.stderr.strip().splitlines()
    check(done.returncode == 2, f"exit {done.returncode}: {done.stderr}")
    check(len(lines) == 1 and lines[0].startswith("error: "), f"not one message: {done.stderr}")
    for word in words:
        check(word in lines[0], f"`{word}` is missing in: {lines[0]}")


def other_configuration():
    """checkpoints of another configuration or module are refused; --resume without a checkpoint, too"""
    other = config("other", delay=0.03)
    copy_checkpoints("other_run")
    for resume in ("--resume", "--resume=auto"):
        check_refused(gsim("run", other, resume, "--output", "other_run.h5"),
                      ["other_run.ckpt.2", "another configuration", "sampler.delay (0.0"])
    walkers = SCRATCH / "walkers.toml"
    walkers.write_text('module = "walkers"\n')
    check_refused(gsim("run", walkers, "--resume", "--output", "other_run.h5", ranks=2),
                  ["other_run.ckpt.2", "module sampler"])
    check(not (SCRATCH / "other_run.h5").exists(), "a result file was written")
    check_refused(gsim("run", PATH, "--resume", "--output", "none.h5", ranks=2),
                  ["nothing to resume", "none.ckpt.*", "--resume=auto"])
    from_start = gsim("run", config("no_delay", delay=0), "--resume=auto", "--quiet", "--output", "none.h5")
    check(from_start.returncode == 0 and from_start.stdout == "", f"{from_start.stdout}{from_start.stderr}")
    same_results("reference.h5", "none.h5")


def time_limits():
    """a job's time limit leaves a checkpoint, stop.wall_time leaves results"""
    done = gsim("run", PATH, "--set", "checkpoint.time_limit=\"1.5 s\"", "--log", "json",
                "--threads", 2, "--output", "limit.h5")
    end = events(done.stdout)[-1]
    check(done.returncode == 75 and end["reason"] == "time_limit" and end["seconds"] < 1.5, str(end))
    done = gsim("run", PATH, "--resume", "--log", "json", "--threads", 2, "--output", "limit.h5")
    digest_of(done)
    same_results("reference.h5", "limit.h5")
    done = gsim("run", PATH, "--set", "stop.wall_time=\"1 s\"", "--log", "json", "--threads", 2,
                "--output", "wall.h5")
    end = events(done.stdout)[-1]
    check(done.returncode == 0 and end["reason"] == "wall_time" and end["units"] < 200, str(end))
    check((SCRATCH / "wall.h5").exists(), "no results")


run_tests([write_checkpoints, newest_damaged, all_damaged, other_configuration, time_limits])

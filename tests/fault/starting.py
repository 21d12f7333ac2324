#!/usr/bin/env python3
"""Checks failures with causes outside of gsim: resource limits, variables of another launcher, signals before the first
step, write errors in libraries. usage: GSIM_TEST_MODULES MPIEXEC FAILING_IO"""
import errno
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import (ENVIRONMENT, MPIEXEC, SCRATCH, PROGRAM, check, check_stopped,  # noqa: E402
                     config, errors_in, events, gsim, run_tests)

FAILING_IO = sys.argv[3]


def check_message(done, status, words, what):
    """Checks for exit status `status` and one message with all `words`, without messages of MPI itself."""
    messages = errors_in(done.stderr)
    check(done.returncode == status, f"{what}: exit {done.returncode}: {done.stdout}{done.stderr}")
    check(len(messages) == 1, f"{what}: not one message: {done.stderr}")
    for word in words:
        check(word in messages[0], f"{what}: `{word}` is missing in: {messages[0]}")
    check("Fatal error" not in done.stderr, f"{what}: MPI's own message: {done.stderr}")


def run_limited(limit, *arguments, ranks=0, only=None):
    """Runs gsim with `ulimit LIMIT` on all ranks, or on rank `only`."""
    condition = f'[ "$PMI_RANK" != {only} ] || ' if only is not None else ""
    shell = ["bash", "-c", f'{condition}ulimit {limit}; exec "$@"', "bash", PROGRAM]
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
    return subprocess.run([*launcher, *shell, *map(str, arguments)], cwd=SCRATCH, text=True,
                          timeout=60, capture_output=True, check=False, env=ENVIRONMENT)


def low_limits():
    """resource limits that are too low for MPI: one message that names the limit, exit status 1"""
    run = ["run", config("low", blocks=4, delay=0), "--quiet", "--threads", 1, "--output", "low.h5"]
    for limit, name in (("-n 12", "ulimit -n"), ("-n 20", "ulimit -n"), ("-f 1", "ulimit -f"),
                        ("-f 4000", "ulimit -f")):
        check_message(run_limited(limit, *run), 1, [name, "raise the limit"], limit)
        check_message(run_limited(limit, *run, ranks=2), 1, [name], f"{limit}, 2 ranks")
    check_message(run_limited("-n 20", *run, ranks=2, only=1), 1, ["ulimit -n"], "rank 1 alone")
    check(not list(SCRATCH.glob("low.*5*")), "something was written")
    # A soft limit is raised to the hard one.
    done = run_limited("-S -n 20", *run)
    check(done.returncode == 0, f"a soft limit: exit {done.returncode}: {done.stderr}")


def too_few_processes():
    """a limit on processes that is too low for the threads of MPI: one message, exit status 1, on any number of ranks"""
    run = ["run", config("few", blocks=4, delay=0), "--quiet", "--threads", 2, "--output", "few.h5"]
    SCRATCH.chmod(0o777)
    # The limit does not apply to root.
    as_other_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    shell = [*as_other_user, "bash", "-c", 'ulimit -u 1; exec "$@"', "bash", PROGRAM]
    try:
        possible = subprocess.run([*as_other_user, PROGRAM, "version"], capture_output=True, cwd=SCRATCH,
                                  check=False).returncode == 0
    except FileNotFoundError:
        possible = False
    if not possible:
        return print("skipped: no setpriv, or other users cannot start this program", end=" ")
    for ranks in (0, 1, 3):
        launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
        done = subprocess.run([*launcher, *shell, *map(str, run)], cwd=SCRATCH, text=True, timeout=60,
                              capture_output=True, check=False, env=ENVIRONMENT)
        check_message(done, 1, ["threads that MPI takes", "ulimit -u"], f"{ranks} ranks")
    check(not list(SCRATCH.glob("few.*5*")), "something was written")
    return None


def small_disks():
    """on a disk of up to 2400 kB an error before anything is computed, on one of 6 MB a normal run"""
    spaces = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-mr"]
    folder = SCRATCH / "disk"
    folder.mkdir()

    def on_disk(size):
        mount = f'mount -t tmpfs -o size={size} tmpfs {folder} || exit 99; "$@"; code=$?; ls {folder} >&2; exit $code'
        return subprocess.run([*spaces, "bash", "-c", mount, "bash", PROGRAM, "run",
                               config("disk", blocks=32, delay=0, sampler_keys="checkpoint_bytes = 3000"), "--log", "json",
                               "--threads", "1", "--output", folder / "out.h5"], cwd=SCRATCH, text=True,
                              timeout=60, capture_output=True, check=False, env=ENVIRONMENT)
    for size in ("300k", "2400k"):
        done = on_disk(size)
        if done.returncode == 99 or "unshare" in done.stderr:
            return print("skipped: this machine does not permit mounts", end=" ")
        check_message(done, 2, ["kB left", "2500 kB", "--output"], f"a disk of {size}")
        check("out.h5" not in done.stderr.split("\n", 1)[1], f"{size}: something was written: {done.stderr}")
    done = on_disk("6m")
    check(done.returncode == 0, f"6 MB: exit {done.returncode}: {done.stdout}{done.stderr}")
    check("out.ckpt.1" in done.stderr and "out.h5" in done.stderr, f"6 MB: {done.stderr}")
    return None


def too_many_threads():
    """more threads than the memory limit permits: a message that names both"""
    done = run_limited("-v 4000000", "run", config("threads", blocks=4, delay=0), "--quiet", "--threads",
                   4096, "--output", "threads.h5")
    check_message(done, 1, ["cannot start thread", "of 4096", "--threads", "ulimit -v"], "4096 threads")


def leftover_variables():
    """left-over variables of a launcher: a message that names the variable to unset"""
    path = config("left", blocks=4, delay=0)
    for more in ({}, {"MPI_LOCALNRANKS": "8", "MPI_LOCALRANKID": "5"}):
        done = gsim("run", path, "--quiet", "--output", "left.h5",
                    env={**ENVIRONMENT, "PMI_RANK": "5", "PMI_SIZE": "8", **more})
        check_message(done, 2, ["rank 5 of 8", "left over", "unset PMI_RANK"], f"{more}")
    done = gsim("run", path, "--quiet", "--output", "left.h5",
                env={**ENVIRONMENT, "PMI_RANK": "5", "PMI_SIZE": "8", "GSIM_SINGLE_RANK": "1"})
    check(done.returncode == 0, f"GSIM_SINGLE_RANK: exit {done.returncode}: {done.stderr}")


def catches(pid, number):
    """Whether a process has a handler for a signal."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return False
    mask = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return int(mask, 16) >> (number - 1) & 1 == 1


def early_signals():
    """a signal before or soon after the start of MPI: a checkpoint and exit status 75"""
    path = config("early", blocks=400, delay=0.02, interval=0)
    for delay in (0, 0.02, 0.05, 0.1, 0.2):
        output = f"early{delay}.h5"
        process = subprocess.Popen([PROGRAM, "run", path, "--threads", "1", "--log", "json", "--output",
                                    output], cwd=SCRATCH, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=ENVIRONMENT)
        while not catches(process.pid, signal.SIGTERM):
            check(process.poll() is None, "the run ended before it had a signal handler")
        time.sleep(delay)
        os.kill(process.pid, signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        check(process.returncode == 75, f"after {delay} s: exit {process.returncode}: {out}{err}")
        check_stopped(process.returncode, events(out)[-1])


def nothing_can_be_written():
    """when every write fails from some call on, also in MPI and UCX, the run ends by itself"""
    path = config("no_writes", blocks=64, delay=0.001, interval=0.0001, sampler_keys="checkpoint_bytes = 3000")
    # number of ranks, the rank whose writes fail (empty: all), and the number of the first write that fails
    for ranks, rank, at in ((0, "", 3), (0, "", 40), (2, 0, 3), (2, 1, 3)):
        fault = {"PATH": "no_writes.", "CALL": "write", "AT": at, "LASTS": 1, "SPREADS": 1,
                 "ERRNO": errno.EIO, "RANK": rank}
        begin = time.monotonic()
        done = gsim("run", path, "--log", "json", "--threads", 1, "--output", "no_writes.h5", ranks=ranks,
                    limit=100, env={**ENVIRONMENT, "LD_PRELOAD": FAILING_IO, "GSIM_IO_TIMEOUT": "8",
                                    **{f"GSIM_FAULT_{k}": str(v) for k, v in fault.items()}})
        seconds = time.monotonic() - begin
        what = f"{ranks} ranks, {fault}: exit {done.returncode} after {seconds:.0f} s: {done.stderr}"
        print(f"{ranks}: {done.returncode}, {seconds:.0f} s;", end=" ", flush=True)
        if rank == 1 and done.returncode == 0:  # rank 1 writes nothing if rank 0 writes for all
            continue
        # The rank whose time-out ends first reports the reason, or all ranks do.
        check(done.returncode not in (0, 75) and seconds < 60, what)
        check(errors_in(done.stderr), what)
        check(not (SCRATCH / "no_writes.h5").exists(), what)


run_tests([low_limits, too_few_processes, small_disks, too_many_threads, leftover_variables, early_signals, nothing_can_be_written])

#!/usr/bin/env python3
"""Checks runs on which a rank fails or whose files cannot be written. usage: GSIM_TEST_MODULES MPIEXEC"""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import (ENVIRONMENT, SCRATCH, Running, check, command, config,  # noqa: E402
                     digest_of, events, gsim, run_tests, same_results)


def check_failed(done, words, output, aborted=False, status=1):
    """Checks for exit status `status`, one message with all `words` and no file `output`. After MPI_Abort the launcher may
    also return the status of a rank that it killed."""
    messages = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    check(done.returncode == status or aborted and done.returncode != 0,
          f"exit {done.returncode}: {done.stdout}{done.stderr}")
    check(len(messages) == 1, f"not one message: {done.stderr}")
    for word in words:
        check(word in messages[0], f"`{word}` is missing in: {messages[0]}")
    check(not (SCRATCH / output).exists(), f"{output} was written")


def check_fault(fault, rank, ranks, words):
    """Checks that a run on `ranks` ranks (0: without mpiexec), one of which has the fault, ends within 15 s with one
    message."""
    path = config(fault, blocks=64, delay=0, sampler_keys=(
        f'fault = "{fault}"\nfault_rank = {rank}\nfault_block = 1'))
    begin = time.monotonic()
    done = gsim("run", path, "--quiet", "--threads", 1, "--output", f"{fault}.h5", ranks=ranks)
    seconds = time.monotonic() - begin
    check(seconds < 15, f"it took {seconds:.1f} s")
    check_failed(done, words, f"{fault}.h5", aborted=ranks > 1 and fault == "throw")


def exception():
    """an exception on one rank ends all ranks, with one message"""
    check_fault("throw", 0, 0, ["the test module throws as configured"])
    check_fault("throw", 0, 2, ["the test module throws as configured", "rank 0"])
    check_fault("throw", 3, 4, ["the test module throws as configured", "rank 3"])


def exception_while_writing():
    """after an exception on one rank during a collective write no rank hangs, and the previous checkpoint is kept"""
    for ranks, rank in ((0, 0), (4, 0), (4, 2)):
        path = config("save", blocks=200, delay=0.01, interval=0.1, sampler_keys=(
            f'fault = "save"\nfault_rank = {rank}\nfault_block = 1'))
        done = gsim("run", path, "--quiet", "--threads", 1, "--output", "save.h5", ranks=ranks)
        words = ["fails as configured in save"] + ([f"rank {rank}"] if ranks else [])
        check_failed(done, words, "save.h5", aborted=ranks > 1)
        check(gsim("inspect", "save.ckpt.1").returncode == 0, "the previous checkpoint is lost")
        check(not (SCRATCH / "save.ckpt.2").exists(), "an incomplete checkpoint has the name of a complete one")
        (SCRATCH / "save.ckpt.1").unlink()
    for ranks, rank in ((0, 0), (4, 1)):
        path = config("results", blocks=64, delay=0,
                      sampler_keys=f'fault = "results"\nfault_rank = {rank}')
        done = gsim("run", path, "--quiet", "--threads", 1, "--output", "results.h5", ranks=ranks)
        check_failed(done, ["fails as configured in results"], "results.h5", aborted=ranks > 1)


def unhealthy():
    """a single rank with an invalid state ends all ranks, with one message"""
    check_fault("unhealthy", 1, 2, ["the test module is unhealthy as configured", "rank 1, blocks "])


def killed_rank():
    """the abort of one rank ends all ranks"""
    path = config("die", blocks=64, delay=0, sampler_keys='fault = "die"\nfault_rank = 1')
    done = gsim("run", path, "--quiet", "--threads", 1, "--output", "die.h5", ranks=2, limit=20)
    check(done.returncode != 0, "exit 0")
    check(not (SCRATCH / "die.h5").exists(), "results of an aborted run")


def unwritable():
    """an output that cannot be written is reported before any work"""
    path = config("plain", blocks=8, delay=0)
    (SCRATCH / "file").write_text("")
    for ranks in (0, 4):
        check_failed(gsim("run", path, "--quiet", "--output", "file/out.h5", ranks=ranks),
               ["cannot write file/out.h5", "no folder", "--output"], "out.h5", status=2)
    # To root the folder /proc appears writable; creating the file then fails.
    check_failed(gsim("run", path, "--quiet", "--output", "/proc/out.h5"), ["/proc/out.h5"], "out.h5",
           status=1 if os.getuid() == 0 else 2)
    if os.getuid() != 0:
        (SCRATCH / "locked").mkdir(mode=0o500)
        check_failed(gsim("run", path, "--quiet", "--output", "locked/out.h5"), ["not writable"],
               "out.h5", status=2)
    (SCRATCH / "folder.h5").mkdir()
    done = gsim("run", path, "--quiet", "--output", "folder.h5")
    check(done.returncode == 2 and "is a folder" in done.stderr, f"{done.stderr}")


def names_in_use():
    """a file that is not a result is not changed, previous results are kept"""
    path = config("taken", blocks=8, delay=0)
    (SCRATCH / "notes.txt").write_text("mine")
    for ranks in (0, 4):
        for output in ("notes.txt", path):
            before = pathlib.Path(SCRATCH / output).read_text()
            done = gsim("run", path, "--quiet", "--output", output, ranks=ranks)
            check(done.returncode == 2 and done.stderr.count("error: ") == 1
                  and "holds no results of gsim" in done.stderr, f"{output}: {done.stderr}")
            check(pathlib.Path(SCRATCH / output).read_text() == before, f"{output} was changed")
    names = lambda: sorted(p.name for p in SCRATCH.glob("named*") if p.suffix != ".prom")
    no_checkpoint = ("--set", "checkpoint.at_end=false")
    for _ in range(2):  # the same results are replaced
        digest = digest_of(gsim("run", path, "--log", "json", "--output", "named.h5", *no_checkpoint))
        check(names() == ["named.h5"], f"{names()}")
    other = gsim("run", path, "--set", "seed=8", "--output", "named.h5", *no_checkpoint, ranks=2)
    check("kept as named.1.h5" in other.stdout, other.stdout + other.stderr)
    check(names() == ["named.1.h5", "named.h5"], f"{names()}")
    kept = json.loads(gsim("inspect", "named.1.h5", "--json").stdout)
    check(kept["provenance"]["digest"] == digest, "named.1.h5 is another file")


def previous_results():
    """output.existing: previous results are kept, replaced once the new ones are complete, or the run is refused"""
    path = config("former", blocks=8, delay=0)
    names = lambda: sorted(p.name for p in SCRATCH.glob("again*") if p.suffix != ".prom")
    run = lambda seed, existing, **how: gsim(
        "run", path, "--output", "again.h5", "--set", f"seed={seed}", "--set",
        f'output.existing="{existing}"', "--set", "checkpoint.at_end=false", "--log", "json", **how)
    digest_of(run(1, "refuse"))
    before = (SCRATCH / "again.h5").read_bytes()
    for ranks in (0, 2):
        check_failed(run(2, "refuse", ranks=ranks), ["again.h5", "refuse", "--output"], "none.h5", status=2)
        check(names() == ["again.h5"] and (SCRATCH / "again.h5").read_bytes() == before, str(names()))
    for seed, ranks in ((3, 0), (4, 3)):
        digest = digest_of(run(seed, "replace", ranks=ranks))
        stated = json.loads(gsim("inspect", "again.h5", "--json").stdout)["provenance"]["digest"]
        check(names() == ["again.h5"] and stated == digest, f"{names()}")
    digest_of(run(5, "keep"))
    check(names() == ["again.1.h5", "again.h5"], str(names()))


def replaced_at_the_end():
    """with output.existing = "replace" the old results are kept until the new ones are complete"""
    path = config("late", blocks=200, delay=0.01)
    digest_of(gsim("run", path, "--output", "late.h5", "--log", "json", "--set", "sampler.blocks=8"))
    before = (SCRATCH / "late.h5").read_bytes()
    run = Running("run", path, "--threads", 1, "--output", "late.h5", "--set", "seed=9",
                  "--set", 'output.existing="replace"')
    run.wait_for("checkpoint")
    check((SCRATCH / "late.h5").read_bytes() == before, "the old results were removed too early")
    run.process.kill()
    run.process.wait()
    check((SCRATCH / "late.h5").read_bytes() == before, "the old results are gone")


def missing_folders():
    """a missing folder given by --output is an error; configured folders and the default one are created"""
    path = config("folders", blocks=8, delay=0)
    (SCRATCH / "outcomes").mkdir()
    for ranks in (0, 2):
        check_failed(gsim("run", path, "--quiet", "--output", "outcoms/out.h5", ranks=ranks),
               ["there is no folder outcoms", "did you mean outcomes?", "mkdir -p outcoms"],
               "outcoms", status=2)
    check_failed(gsim("run", path, "--quiet", "--output", "out.h5", "--set", 'checkpoint.base="none/run"'),
           ["there is no folder none"], "out.h5", status=2)
    done = gsim("run", path, "--quiet")
    check(done.returncode == 0 and (SCRATCH / "results/folders.h5").exists(), done.stderr)
    done = gsim("run", config("made", blocks=8, delay=0, top_keys='output.file = "made/out.h5"'), "--quiet")
    check(done.returncode == 0 and (SCRATCH / "made/out.h5").exists(), done.stderr)


def long_names():
    """an output name that is too long for the names of its temporary files is refused before any work"""
    path = config("names", blocks=8, delay=0)
    # Of the 255 bytes that file systems allow, 24 are kept for the suffixes of temporary files.
    for length, status in ((255, 2), (252, 2), (235, 2), (231, 0)):
        name = "n" * (length - 3) + ".h5"
        done = gsim("run", path, "--quiet", "--output", name)
        check(done.returncode == status, f"{length} characters: {done.returncode} {done.stderr}")
        check(status == 0 or (done.stderr.count("error:") == 1 and f"{length} characters"
                              in done.stderr), done.stderr)
    check(not list(SCRATCH.glob("nnn*.lock")), "locks are left")


def unwritable_results():
    """when results cannot be written, a checkpoint contains all that was computed"""
    for name, ranks, more in (("all", 0, ""), ("converged", 2, "[stop]\nrelative_error = 0.01\n")):
        path = config(name, blocks=200, delay=0.01, interval=0, top_keys=more)
        reference = digest_of(gsim("run", path, "--log", "json", "--output", f"{name}-reference.h5"))
        (SCRATCH / name).mkdir()
        place = ["--output", f"{name}/out.h5", "--set", f'checkpoint.base="{name}-kept"']
        run = Running("run", path, "--threads", 1, *place, ranks=ranks)
        run.wait_for("start")
        shutil.rmtree(SCRATCH / name)
        (SCRATCH / name).write_text("")  # a file with the name of the removed results folder
        status, _, rest = run.finish()
        messages = [line for line in run.messages().splitlines() if line.startswith("error: ")]
        check(status == 1 and len(messages) == 1 and f"kept in {name}-kept.ckpt.1" in messages[0]
              and "--resume" in messages[0], f"exit {status}: {rest} {run.messages()}")
        (SCRATCH / name).unlink()
        (SCRATCH / name).mkdir()
        done = gsim("run", path, "--log", "json", "--resume", *place, ranks=2 - ranks)
        check(digest_of(done) == reference, f"{name}: other results: {done.stdout}")
        units = {e["event"]: e["units"] for e in events(done.stdout) if "units" in e}
        check(units["resume"] == units["end"], f"{name}: the resumed run repeated work: {units}")
        same_results(f"{name}-reference.h5", f"{name}/out.h5")


def full_disk():
    """a file size limit during the run: one message that names the file, no incomplete result"""
    path = config("filling", blocks=100, interval=0)
    for ranks in (0, 2):
        # With the system's own handling of SIGXFSZ, a write beyond the limit would end the process.
        run = Running("run", path, "--threads", 1, "--output", "full.h5", ranks=ranks)
        run.wait_for("start")  # MPI has then created its shared files
        for rank in run.ranks():
            resource.prlimit(rank, resource.RLIMIT_FSIZE, (1000, 1000))
        status, _, rest = run.finish()
        messages = [line for line in run.messages().splitlines() if line.startswith("error: ")]
        check(status == 1 and len(messages) == 1 and "full.h5" in messages[0],
              f"exit {status}: {rest} {run.messages()}")
        check(not (SCRATCH / "full.h5").exists(), "an incomplete file has the name of a complete one")


def stdout_errors():
    """after write errors on stdout a run ends with its results, one warning and exit status 1"""
    path = config("stdout_errors", blocks=40, delay=0.005, interval=0)
    reference = digest_of(gsim("run", path, "--log", "json", "--output", "readable_stdout.h5"))
    for style in ("plain", "json"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                command(["run", path, "--log", style, "--output", f"{style}.h5"]), cwd=SCRATCH,
                stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, env=ENVIRONMENT,
                check=False)
        check(done.returncode == 1, f"{style}: exit {done.returncode}: {done.stderr}")
        for kind, more in (("warning", "the run continues"), ("error", "files of the run are complete")):
            messages = [line for line in done.stderr.splitlines() if line.startswith(kind + ": ")]
            check(len(messages) == 1 and "stdout" in messages[0] and more in messages[0],
                  f"{style}: {done.stderr}")
        check("No space left" in done.stderr, f"{style}: no reason: {done.stderr}")
        kept = json.loads(gsim("inspect", f"{style}.h5", "--json").stdout)
        check(kept["provenance"]["digest"] == reference, f"{style}: other results")


def two_runs_of_one_name():
    """the second of two runs with the same output is refused, and the first one is not affected"""
    path = config("shared", blocks=100, delay=0.03, interval=0.2)
    for ranks, others in ((0, (0, 2)), (2, (0,))):
        first = Running("run", path, "--threads", 1, "--output", "shared.h5", ranks=ranks)
        first.wait_for("start")
        for other in others:
            for place in (["--output", "shared.h5"],
                          ["--output", "own.h5", "--set", 'checkpoint.base="shared"']):
                done = gsim("run", path, "--quiet", "--set", "seed=8", *place, ranks=other)
                check(done.returncode == 2 and done.stderr.count("error: ") == 1,
                      f"exit {done.returncode}: {done.stderr}")
                for word in ("another run", "is writing shared.", str(first.ranks()[0])
                             if ranks == 0 else "process", os.uname().nodename, "--output"):
                    check(word in done.stderr, f"`{word}` is missing: {done.stderr}")
        status, _, rest = first.finish()
        check(status == 0, f"exit {status}: {rest} {first.messages()}")
        check(not list(SCRATCH.glob("*.lock")), "a lock is left")
        check(gsim("inspect", "shared.h5").returncode == 0, "the first run's results are damaged")
        check(not (SCRATCH / "own.h5").exists(), "the second run wrote a file")


def closed_pipe():
    """when the reader closes the pipe of stdout, the run ends with its results, or with its checkpoint"""
    path = config("closed_pipe", blocks=100, delay=0.02, interval=0)
    for number, expected in ((0, 1), (signal.SIGTERM, 75)):
        run = Running("run", path, "--threads", 1, "--output", f"closed_pipe{expected}.h5")
        run.wait_for("start")
        run.process.stdout.close()
        if number:
            os.kill(run.process.pid, number)
        status = run.process.wait(30)
        check(status == expected, f"exit {status}, not {expected}: {run.messages()}")
        check((SCRATCH / f"closed_pipe{expected}.h5").exists() == (expected == 1), "no result")
        check((SCRATCH / f"closed_pipe{expected}.ckpt.1").exists(), "no checkpoint")
        check("Broken pipe" in run.messages(), run.messages())


run_tests([stdout_errors, closed_pipe, two_runs_of_one_name, exception, exception_while_writing, unhealthy, killed_rank, unwritable, names_in_use,
               previous_results, replaced_at_the_end, missing_folders, long_names, unwritable_results,
           full_disk])

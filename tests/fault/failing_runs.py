#!/usr/bin/env python3
"""Ranks that fail and places that cannot be written. usage: GSIM_TOYS MPIEXEC"""
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


def failed(done, words, output, aborted=False, status=1):
    """Exit status `status`, one message with all `words`, no results. After MPI_Abort, the launcher
    may also give the status of a rank that it killed."""
    said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    check(done.returncode == status or aborted and done.returncode != 0,
          f"exit {done.returncode}: {done.stdout}{done.stderr}")
    check(len(said) == 1, f"not one message: {done.stderr}")
    for word in words:
        check(word in said[0], f"`{word}` is missing in: {said[0]}")
    check(not (SCRATCH / output).exists(), f"{output} was written")


def lone_rank(fault, rank, ranks, words):
    path = config(fault, blocks=64, delay=0, sampler=(
        f'fault = "{fault}"\nfault_rank = {rank}\nfault_block = 1'))
    begin = time.monotonic()
    done = gsim("run", path, "--quiet", "--threads", 1, "--output", f"{fault}.h5", ranks=ranks)
    seconds = time.monotonic() - begin
    check(seconds < 15, f"it took {seconds:.1f} s")
    failed(done, words, f"{fault}.h5", aborted=ranks > 1 and fault == "throw")


def throwing():
    """an exception on one rank ends all ranks, with one message"""
    lone_rank("throw", 0, 0, ["the toy was told to throw"])
    lone_rank("throw", 0, 2, ["the toy was told to throw", "rank 0"])
    lone_rank("throw", 3, 4, ["the toy was told to throw", "rank 3"])


def throwing_while_writing():
    """an exception on one rank while all write: no rank hangs, the former checkpoint stays"""
    for ranks, rank in ((0, 0), (4, 0), (4, 2)):
        path = config("save", blocks=200, delay=0.01, interval=0.1, sampler=(
            f'fault = "save"\nfault_rank = {rank}\nfault_block = 1'))
        done = gsim("run", path, "--quiet", "--threads", 1, "--output", "save.h5", ranks=ranks)
        words = ["told to fail in save"] + ([f"rank {rank}"] if ranks else [])
        failed(done, words, "save.h5", aborted=ranks > 1)
        check(gsim("inspect", "save.ckpt.1").returncode == 0, "the former checkpoint is lost")
        check(not (SCRATCH / "save.ckpt.2").exists(), "half a checkpoint has a whole one's name")
        (SCRATCH / "save.ckpt.1").unlink()
    for ranks, rank in ((0, 0), (4, 1)):
        path = config("results", blocks=64, delay=0,
                      sampler=f'fault = "results"\nfault_rank = {rank}')
        done = gsim("run", path, "--quiet", "--threads", 1, "--output", "results.h5", ranks=ranks)
        failed(done, ["told to fail in results"], "results.h5", aborted=ranks > 1)


def unhealthy():
    """a single rank with an invalid state ends all ranks, with one message"""
    lone_rank("unhealthy", 1, 2, ["the toy is configured to be unhealthy", "rank 1, blocks "])


def dying():
    """a rank that dies ends all"""
    path = config("die", blocks=64, delay=0, sampler='fault = "die"\nfault_rank = 1')
    done = gsim("run", path, "--quiet", "--threads", 1, "--output", "die.h5", ranks=2, limit=20)
    check(done.returncode != 0, "exit 0")
    check(not (SCRATCH / "die.h5").exists(), "results of a run that died")


def unwritable():
    """an output that cannot be written is reported before any work"""
    path = config("plain", blocks=8, delay=0)
    (SCRATCH / "file").write_text("")
    for ranks in (0, 4):
        failed(gsim("run", path, "--quiet", "--output", "file/out.h5", ranks=ranks),
               ["cannot write file/out.h5", "no folder", "--output"], "out.h5", status=2)
    failed(gsim("run", path, "--quiet", "--output", "/proc/out.h5"), ["/proc/out.h5"], "out.h5",
           status=1 if os.getuid() == 0 else 2)
    if os.getuid() != 0:
        (SCRATCH / "locked").mkdir(mode=0o500)
        failed(gsim("run", path, "--quiet", "--output", "locked/out.h5"), ["not writable"],
               "out.h5", status=2)
    (SCRATCH / "folder.h5").mkdir()
    done = gsim("run", path, "--quiet", "--output", "folder.h5")
    check(done.returncode == 2 and "is a folder" in done.stderr, f"{done.stderr}")


def taken_names():
    """a file that is not a result is not changed, former results are kept"""
    path = config("taken", blocks=8, delay=0)
    (SCRATCH / "notes.txt").write_text("mine")
    for ranks in (0, 4):
        for output in ("notes.txt", path):
            before = pathlib.Path(SCRATCH / output).read_text()
            done = gsim("run", path, "--quiet", "--output", output, ranks=ranks)
            check(done.returncode == 2 and done.stderr.count("error: ") == 1
                  and "holds no results of gsim" in done.stderr, f"{output}: {done.stderr}")
            check(pathlib.Path(SCRATCH / output).read_text() == before, f"{output} was changed")
    names = lambda: sorted(p.name for p in SCRATCH.glob("named*"))
    no_checkpoint = ("--set", "checkpoint.at_end=false")
    for _ in range(2):  # the same results take the place of their like
        digest = digest_of(gsim("run", path, "--log", "json", "--output", "named.h5", *no_checkpoint))
        check(names() == ["named.h5"], f"{names()}")
    other = gsim("run", path, "--set", "seed=8", "--output", "named.h5", *no_checkpoint, ranks=2)
    check("kept as named.1.h5" in other.stdout, other.stdout + other.stderr)
    check(names() == ["named.1.h5", "named.h5"], f"{names()}")
    kept = json.loads(gsim("inspect", "named.1.h5", "--json").stdout)
    check(kept["provenance"]["digest"] == digest, "named.1.h5 is another file")


def former_results():
    """output.existing: former results are kept, replaced once the new ones are whole, or refused"""
    path = config("former", blocks=8, delay=0)
    names = lambda: sorted(p.name for p in SCRATCH.glob("again*"))
    run = lambda seed, existing, **how: gsim(
        "run", path, "--output", "again.h5", "--set", f"seed={seed}", "--set",
        f'output.existing="{existing}"', "--set", "checkpoint.at_end=false", "--log", "json", **how)
    digest_of(run(1, "refuse"))
    before = (SCRATCH / "again.h5").read_bytes()
    for ranks in (0, 2):
        failed(run(2, "refuse", ranks=ranks), ["again.h5", "refuse", "--output"], "none.h5", status=2)
        check(names() == ["again.h5"] and (SCRATCH / "again.h5").read_bytes() == before, str(names()))
    for seed, ranks in ((3, 0), (4, 3)):
        digest = digest_of(run(seed, "replace", ranks=ranks))
        stated = json.loads(gsim("inspect", "again.h5", "--json").stdout)["provenance"]["digest"]
        check(names() == ["again.h5"] and stated == digest, f"{names()}")
    digest_of(run(5, "keep"))
    check(names() == ["again.1.h5", "again.h5"], str(names()))


def replaced_at_the_end():
    """with output.existing = "replace" the old results stay until the new ones are whole"""
    path = config("late", blocks=200, delay=0.01)
    digest_of(gsim("run", path, "--output", "late.h5", "--log", "json", "--set", "sampler.blocks=8"))
    before = (SCRATCH / "late.h5").read_bytes()
    run = Running("run", path, "--threads", 1, "--output", "late.h5", "--set", "seed=9",
                  "--set", 'output.existing="replace"')
    run.wait_for("checkpoint")
    check((SCRATCH / "late.h5").read_bytes() == before, "the old results went too early")
    run.process.kill()
    run.process.wait()
    check((SCRATCH / "late.h5").read_bytes() == before, "the old results are gone")


def missing_folders():
    """a typed folder of results that is not there is not made; configured ones and the default are"""
    path = config("folders", blocks=8, delay=0)
    (SCRATCH / "outcomes").mkdir()
    for ranks in (0, 2):
        failed(gsim("run", path, "--quiet", "--output", "outcoms/out.h5", ranks=ranks),
               ["there is no folder outcoms", "did you mean outcomes?", "mkdir -p outcoms"],
               "outcoms", status=2)
    failed(gsim("run", path, "--quiet", "--output", "out.h5", "--set", 'checkpoint.base="none/run"'),
           ["there is no folder none"], "out.h5", status=2)
    done = gsim("run", path, "--quiet")
    check(done.returncode == 0 and (SCRATCH / "results/folders.h5").exists(), done.stderr)
    done = gsim("run", config("made", blocks=8, delay=0, more='output.file = "made/out.h5"'), "--quiet")
    check(done.returncode == 0 and (SCRATCH / "made/out.h5").exists(), done.stderr)


def long_names():
    """a name that leaves no room for the names while it is written is refused before any work"""
    path = config("names", blocks=8, delay=0)
    for length, status in ((255, 2), (252, 2), (235, 2), (231, 0)):
        name = "n" * (length - 3) + ".h5"
        done = gsim("run", path, "--quiet", "--output", name)
        check(done.returncode == status, f"{length} characters: {done.returncode} {done.stderr}")
        check(status == 0 or (done.stderr.count("error:") == 1 and f"{length} characters"
                              in done.stderr), done.stderr)
    check(not list(SCRATCH.glob("nnn*.lock")), "locks are left")


def results_without_a_place():
    """results that cannot be written cost nothing: a checkpoint keeps all that was computed"""
    for name, ranks, more in (("all", 0, ""), ("converged", 2, "[stop]\nrelative_error = 0.01\n")):
        path = config(name, blocks=200, delay=0.01, interval=0, more=more)
        reference = digest_of(gsim("run", path, "--log", "json", "--output", f"{name}-free.h5"))
        (SCRATCH / name).mkdir()
        place = ["--output", f"{name}/out.h5", "--set", f'checkpoint.base="{name}-kept"']
        run = Running("run", path, "--threads", 1, *place, ranks=ranks)
        run.wait_for("start")
        shutil.rmtree(SCRATCH / name)
        (SCRATCH / name).write_text("")  # a file with the name of the former result folder
        status, _, rest = run.finish()
        said = [line for line in run.messages().splitlines() if line.startswith("error: ")]
        check(status == 1 and len(said) == 1 and f"kept in {name}-kept.ckpt.1" in said[0]
              and "--resume" in said[0], f"exit {status}: {rest} {run.messages()}")
        (SCRATCH / name).unlink()
        (SCRATCH / name).mkdir()
        done = gsim("run", path, "--log", "json", "--resume", *place, ranks=2 - ranks)
        check(digest_of(done) == reference, f"{name}: other results: {done.stdout}")
        units = {e["event"]: e["units"] for e in events(done.stdout) if "units" in e}
        check(units["resume"] == units["end"], f"{name}: it computed again: {units}")
        same_results(f"{name}-free.h5", f"{name}/out.h5")


def full_disk():
    """a disk that fills up, or ulimit -f: one message that names the file, no half-written result"""
    path = config("filling", blocks=100, interval=0)
    for ranks in (0, 2):
        # With the system's own handling of SIGXFSZ, a write beyond the limit would end the process.
        run = Running("run", path, "--threads", 1, "--output", "full.h5", ranks=ranks)
        run.wait_for("start")  # by now MPI has created its shared files
        for rank in run.ranks():
            resource.prlimit(rank, resource.RLIMIT_FSIZE, (1000, 1000))
        status, _, rest = run.finish()
        said = [line for line in run.messages().splitlines() if line.startswith("error: ")]
        check(status == 1 and len(said) == 1 and "full.h5" in said[0],
              f"exit {status}: {rest} {run.messages()}")
        check(not (SCRATCH / "full.h5").exists(), "a half-written file has a whole one's name")


def deaf_stdout():
    """write errors on stdout: the run ends with its results, one warning and exit status 1"""
    path = config("deaf", blocks=40, delay=0.005, interval=0)
    reference = digest_of(gsim("run", path, "--log", "json", "--output", "heard.h5"))
    for style in ("plain", "json"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                command(["run", path, "--log", style, "--output", f"{style}.h5"]), cwd=SCRATCH,
                stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, env=ENVIRONMENT,
                check=False)
        check(done.returncode == 1, f"{style}: exit {done.returncode}: {done.stderr}")
        for kind, more in (("warning", "the run goes on"), ("error", "files of the run are whole")):
            said = [line for line in done.stderr.splitlines() if line.startswith(kind + ": ")]
            check(len(said) == 1 and "stdout" in said[0] and more in said[0],
                  f"{style}: {done.stderr}")
        check("No space left" in done.stderr, f"{style}: no reason: {done.stderr}")
        kept = json.loads(gsim("inspect", f"{style}.h5", "--json").stdout)
        check(kept["provenance"]["digest"] == reference, f"{style}: other results")


def two_at_once():
    """two runs of one name: the second is refused with the reason, the first one is not affected"""
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
        check(not (SCRATCH / "own.h5").exists(), "the second run wrote")


def gone_reader():
    """a closed reader of stdout: the run ends with its results, or with its checkpoint"""
    path = config("gone", blocks=100, delay=0.02, interval=0)
    for number, expected in ((0, 1), (signal.SIGTERM, 75)):
        run = Running("run", path, "--threads", 1, "--output", f"gone{expected}.h5")
        run.wait_for("start")
        run.process.stdout.close()
        if number:
            os.kill(run.process.pid, number)
        status = run.process.wait(30)
        check(status == expected, f"exit {status}, not {expected}: {run.messages()}")
        check((SCRATCH / f"gone{expected}.h5").exists() == (expected == 1), "no result")
        check((SCRATCH / f"gone{expected}.ckpt.1").exists(), "no checkpoint")
        check("Broken pipe" in run.messages(), run.messages())


run_tests([deaf_stdout, gone_reader, two_at_once, throwing, throwing_while_writing, unhealthy, dying, unwritable, taken_names,
               former_results, replaced_at_the_end, missing_folders, long_names, results_without_a_place,
           full_disk])

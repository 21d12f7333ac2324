#!/usr/bin/env python3
"""Checks that ranks that were started with different arguments, folders, environment variables or programs all end
with exit status 2 and one message that names the difference, and write nothing. usage: mixed_launch.py GSIM MPIEXEC"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from configurations import ONE_CALL

GSIM, MPIEXEC = sys.argv[1], sys.argv[2]
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "GSIM_"))}
ENVIRONMENT["NO_COLOR"] = "1"
ADVICE = "start all ranks with the same program and arguments"
failures = []


def launch(folder, *blocks):
    """Runs mpiexec with blocks of (number of ranks, options of mpiexec, program with arguments), separated by `:`."""
    arguments = [MPIEXEC]
    for ranks, options, program in blocks:
        arguments += ([":"] if len(arguments) > 1 else []) + ["-n", str(ranks), *options, *program]
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False,
                          timeout=60, env=ENVIRONMENT)


def refused(name, folder, words, *blocks):
    """Checks for exit status 2 and one message with all `words`, and that no file is written."""
    before = sorted(folder.rglob("*"))
    done = launch(folder, *blocks)
    messages = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    problems = [f"`{word}` is missing" for word in words if word not in done.stderr]
    if done.returncode != 2:
        problems.append(f"exit status {done.returncode}")
    if len(messages) != 1:
        problems.append(f"{len(messages)} messages")
    if done.stdout:
        problems.append(f"stdout: {done.stdout}")
    if sorted(folder.rglob("*")) != before:
        problems.append(f"written: {sorted(folder.rglob('*'))}")
    if problems:
        failures.append(name)
        print("FAILED:", name, *problems, done.stderr, sep="\n  ")


def check_arguments(folder):
    run_a, run_b = [GSIM, "run", "a.toml"], [GSIM, "run", "b.toml"]
    refused("configurations", folder,
            ["rank 1 was started with other arguments than rank 0", "argument 2 is `b.toml`",
             "on rank 0 `a.toml`", ADVICE], (1, [], run_a), (1, [], run_b))
    refused("overrides", folder, ["rank 2 was", "argument 4 is `seed=8`", "on rank 0 `seed=7`"],
            (2, [], [*run_a, "--set", "seed=7"]), (1, [], [*run_a, "--set", "seed=8"]))
    refused("an argument more", folder, ["rank 1 was", "argument 3 is `--quiet`", "rank 0 missing"],
            (1, [], run_a), (1, [], [*run_a, "--quiet"]))
    refused("an argument less", folder, ["rank 1 was", "argument 3 is missing", "`--resume`"],
            (1, [], [*run_a, "--resume"]), (1, [], run_a))
    refused("outputs", folder, ["rank 1 was", "argument 4 is `y.h5`"],
            (1, [], [*run_a, "--output", "x.h5"]), (1, [], [*run_a, "--output", "y.h5"]))
    refused("commands", folder, ["rank 1 was", "argument 1 is `check`"],
            (1, [], run_a), (1, [], [GSIM, "check", "a.toml"]))
    refused("commands that start no MPI by themselves", folder,
            ["rank 1 was", "argument 1 is `version`"], (1, [], [GSIM, "modules"]),
            (1, [], [GSIM, "version"]))
    for first, second in (([GSIM, "run"], run_a), (run_a, [GSIM, "run"]), (run_a, [GSIM, "--help"]),
                          ([GSIM, "version"], [GSIM, "rnu"])):
        refused(f"usage: {first[1:]}, {second[1:]}", folder, ["rank 1 was started with", ADVICE],
                (1, [], first), (1, [], second))


def check_folders_variables_and_builds(folder):
    run_a = [GSIM, "run", "a.toml"]
    other = folder / "other"
    other.mkdir()
    (other / "a.toml").write_text(ONE_CALL)
    refused("folders", folder, ["rank 1 was started in another folder than rank 0",
                                f"in `{other}`", f"rank 0 in `{folder}`"],
            (1, [], run_a), (1, ["-wdir", str(other)], run_a))
    refused("variables", folder, ["GSIM_CPU_LEVEL differs", "on rank 1 it is `base`",
                                  "on rank 0 missing"],
            (1, [], run_a), (1, ["-env", "GSIM_CPU_LEVEL", "base"], run_a))
    # Another build with the same version: a copy of the program with another build id in its ELF note.
    copy = pathlib.Path(GSIM).with_name("gsim_with_another_build_id")
    notes = subprocess.run(["readelf", "-n", GSIM], capture_output=True, text=True, check=False)
    ids = [line.split()[-1] for line in notes.stdout.splitlines() if "Build ID" in line]
    if ids:
        copy.write_bytes(pathlib.Path(GSIM).read_bytes().replace(bytes.fromhex(ids[0]),
                                                                 bytes(len(ids[0]) // 2)))
        shutil.copymode(GSIM, copy)
        try:
            refused("builds", folder, ["rank 1 runs another build than rank 0", ids[0][:12], ADVICE],
                    (1, [], run_a), (1, [], [str(copy), "run", "a.toml"]))
        finally:
            copy.unlink()


def check_unshared_folder(folder):
    """Checks that a results folder is refused that is on another file system for rank 1 than for rank 0."""
    results = folder / "apart"
    results.mkdir()
    private_mount = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none apart && exec "$@"', "sh"]
    tried = subprocess.run([*private_mount, "true"], cwd=folder, capture_output=True, check=False)
    if tried.returncode != 0:
        print("skipped: a folder that is not shared (unshare is not allowed)")
        return
    run = [GSIM, "run", "a.toml", "--output", "apart/x.h5"]
    refused("a folder that is not shared", folder,
            ["rank 1", "cannot find apart/x.h5.lock", "not shared by all ranks"],
            (1, [], run), (1, [], [*private_mount, *run]))


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name).resolve()
    for config in ("a.toml", "b.toml"):
        (scratch / config).write_text(ONE_CALL)
    check_arguments(scratch)
    check_folders_variables_and_builds(scratch)
    check_unshared_folder(scratch)
    same = launch(scratch, (1, [], [GSIM, "run", "a.toml"]), (1, [], [GSIM, "run", "a.toml"]))
    if same.returncode != 0:
        failures.append("the same arguments twice")
        print("FAILED: the same arguments twice", same.stderr)
print("failed:" if failures else "all mixed launches are refused", *failures, sep="\n  ")
sys.exit(1 if failures else 0)

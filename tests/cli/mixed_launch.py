#!/usr/bin/env python3
"""Ranks that were started differently. usage: mixed_launch.py GSIM MPIEXEC

For any difference, of arguments, folder, variables, or the program, all ranks end with exit status 2 and one
message that names it, and nothing is written."""
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
SAME = "start all ranks with the same program and arguments"
failures = []


def launch(folder, *blocks):
    """Runs mpiexec with blocks of (ranks, words of mpiexec, words of the program)."""
    words = [MPIEXEC]
    for ranks, options, program in blocks:
        words += ([":"] if len(words) > 1 else []) + ["-n", str(ranks), *options, *program]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False,
                          timeout=60, env=ENVIRONMENT)


def refused(name, folder, words, *blocks):
    """One message with all `words`, exit status 2, no files."""
    before = sorted(folder.rglob("*"))
    done = launch(folder, *blocks)
    said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    problems = [f"`{word}` is missing" for word in words if word not in done.stderr]
    if done.returncode != 2:
        problems.append(f"exit status {done.returncode}")
    if len(said) != 1:
        problems.append(f"{len(said)} messages")
    if done.stdout:
        problems.append(f"stdout: {done.stdout}")
    if sorted(folder.rglob("*")) != before:
        problems.append(f"written: {sorted(folder.rglob('*'))}")
    if problems:
        failures.append(name)
        print("FAILED:", name, *problems, done.stderr, sep="\n  ")


def mixed_arguments(folder):
    one, two = [GSIM, "run", "a.toml"], [GSIM, "run", "b.toml"]
    refused("configurations", folder,
            ["rank 1 was started with other arguments than rank 0", "argument 2 is `b.toml`",
             "on rank 0 `a.toml`", SAME], (1, [], one), (1, [], two))
    refused("overrides", folder, ["rank 2 was", "argument 4 is `seed=8`", "on rank 0 `seed=7`"],
            (2, [], [*one, "--set", "seed=7"]), (1, [], [*one, "--set", "seed=8"]))
    refused("an argument more", folder, ["rank 1 was", "argument 3 is `--quiet`", "rank 0 missing"],
            (1, [], one), (1, [], [*one, "--quiet"]))
    refused("an argument less", folder, ["rank 1 was", "argument 3 is missing", "`--resume`"],
            (1, [], [*one, "--resume"]), (1, [], one))
    refused("outputs", folder, ["rank 1 was", "argument 4 is `y.h5`"],
            (1, [], [*one, "--output", "x.h5"]), (1, [], [*one, "--output", "y.h5"]))
    refused("commands", folder, ["rank 1 was", "argument 1 is `check`"],
            (1, [], one), (1, [], [GSIM, "check", "a.toml"]))
    refused("commands that start no MPI by themselves", folder,
            ["rank 1 was", "argument 1 is `version`"], (1, [], [GSIM, "modules"]),
            (1, [], [GSIM, "version"]))
    for first, second in (([GSIM, "run"], one), (one, [GSIM, "run"]), (one, [GSIM, "--help"]),
                          ([GSIM, "version"], [GSIM, "rnu"])):
        refused(f"usage: {first[1:]}, {second[1:]}", folder, ["rank 1 was started with", SAME],
                (1, [], first), (1, [], second))


def mixed_places(folder):
    one = [GSIM, "run", "a.toml"]
    other = folder / "other"
    other.mkdir()
    (other / "a.toml").write_text(ONE_CALL)
    refused("folders", folder, ["rank 1 was started in another folder than rank 0",
                                f"in `{other}`", f"rank 0 in `{folder}`"],
            (1, [], one), (1, ["-wdir", str(other)], one))
    refused("variables", folder, ["GSIM_CPU_LEVEL differs", "on rank 1 it is `base`",
                                  "on rank 0 missing"],
            (1, [], one), (1, ["-env", "GSIM_CPU_LEVEL", "base"], one))
    # Another program with the same version: the note of its build is changed in a copy.
    copy = pathlib.Path(GSIM).with_name("gsim_with_another_build_id")
    noted = subprocess.run(["readelf", "-n", GSIM], capture_output=True, text=True, check=False)
    ids = [line.split()[-1] for line in noted.stdout.splitlines() if "Build ID" in line]
    if ids:
        copy.write_bytes(pathlib.Path(GSIM).read_bytes().replace(bytes.fromhex(ids[0]),
                                                                 bytes(len(ids[0]) // 2)))
        shutil.copymode(GSIM, copy)
        try:
            refused("builds", folder, ["rank 1 runs another build than rank 0", ids[0][:12], SAME],
                    (1, [], one), (1, [], [str(copy), "run", "a.toml"]))
        finally:
            copy.unlink()


def folder_not_shared(folder):
    """Rank 1 has another file system where rank 0 writes the results."""
    results = folder / "apart"
    results.mkdir()
    alone = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none apart && exec "$@"', "sh"]
    tried = subprocess.run([*alone, "true"], cwd=folder, capture_output=True, check=False)
    if tried.returncode != 0:
        print("not tried: a folder that is not shared (unshare is not allowed)")
        return
    run = [GSIM, "run", "a.toml", "--output", "apart/x.h5"]
    refused("a folder that is not shared", folder,
            ["rank 1", "does not see apart/x.h5.lock", "not shared by all ranks"],
            (1, [], run), (1, [], [*alone, *run]))


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name).resolve()
    for config in ("a.toml", "b.toml"):
        (scratch / config).write_text(ONE_CALL)
    mixed_arguments(scratch)
    mixed_places(scratch)
    folder_not_shared(scratch)
    same = launch(scratch, (1, [], [GSIM, "run", "a.toml"]), (1, [], [GSIM, "run", "a.toml"]))
    if same.returncode != 0:
        failures.append("the same arguments twice")
        print("FAILED: the same arguments twice", same.stderr)
print("failed:" if failures else "all mixed launches are refused", *failures, sep="\n  ")
sys.exit(1 if failures else 0)

#!/usr/bin/env python3
"""Copies an example plugin to another folder, builds it against an installed gsim, and runs its tests, its configurations
on several numbers of ranks and the commands of its README. Also checks that finished runs can be extended and, for the
example heat, that a killed run can be resumed on other ranks.
usage: examples.py PREFIX PROBES MPIEXEC EXAMPLE [--emulated-gpu BUILD] [--again-without-cuda] [-- CMAKE ARGUMENTS]
PREFIX is an installed gsim, PROBES the folder in which tests/plugin/probe is built against it.
  --emulated-gpu BUILD   `gsim plugin check` of a gsim with the component emulated_gpu, installed from the build folder BUILD,
                         must run the device code of the plugin there
  --again-without-cuda   the plugin is built again, as on a machine without the toolkit, and `gsim plugin check` must report
                         that it conforms"""
import argparse
import atexit
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from known_compilers import copy_known_compilers

ARGUMENTS, CMAKE_ARGUMENTS = sys.argv[1:], []
if "--" in ARGUMENTS:
    CMAKE_ARGUMENTS = ARGUMENTS[ARGUMENTS.index("--") + 1:]
    ARGUMENTS = ARGUMENTS[:ARGUMENTS.index("--")]
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("prefix", type=pathlib.Path)
parser.add_argument("probes", type=pathlib.Path)
parser.add_argument("mpiexec")
parser.add_argument("example", type=pathlib.Path)
parser.add_argument("--emulated-gpu", metavar="BUILD", type=pathlib.Path)
parser.add_argument("--again-without-cuda", action="store_true")
OPTIONS = parser.parse_args(ARGUMENTS)
PREFIX, PROBES, MPIEXEC, EXAMPLE = OPTIONS.prefix, OPTIONS.probes, OPTIONS.mpiexec, OPTIONS.example
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="gsim-examples-")).resolve()
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("GSIM_", "SLURM_"))}
# Settings that shorten the configurations of the examples.
SHORTER = {"heat/decay": ["heat.steps=20", "grid.cells=[40, 36, 31]", "grid.spacing=[0.025, 0.025, 0.025]"],
         "heat/brick": ["heat.steps=100"],
         "autocallable/note": ["stop.samples=200_000"],
         "autocallable/heston": ["stop.samples=50_000"],
         "dpd/fluid": ["dpd.particles=3000", "dpd.length=10.0", "dpd.steps=40", "thermo.from=10"],
         "ising/square": ["ising.sweeps=1500"],
         "ising/cubic": ["ising.sites=[128, 16, 10]", "ising.sweeps=700"],
         "ising/quench": ["ising.sites=[256, 34]", "ising.sweeps=120"],
         "lbm/cavity": ["lattice.cells=[40, 30, 21]", "fluid.steps=200"],
         "lbm/channel": ["lattice.cells=[70, 12, 24]", "fluid.steps=100", "probes.places=[[48.0, 6.0, 12.0]]"],
         "lbm/vortices": ["fluid.steps=100"],
         "stillinger_weber/crystal": ["md.steps=200"],
         "stillinger_weber/melt": ["md.steps=200"],
         "variance_gamma/smile": ["stop.samples=100_000"],
         "variance_gamma/basket": ["stop.samples=50_000"]}


def run(*command, folder):
    done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=600, env=ENVIRONMENT)
    if done.returncode != 0:
        sys.exit(f"FAILED: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def gsim(config, ranks, *settings):
    launcher = [MPIEXEC, "-n", ranks] if ranks else []
    keys = [word for setting in settings for word in ("--set", setting)]
    return [*map(str, launcher), str(PREFIX / "bin/gsim"), "run", str(config), "--log", "json", *keys]


def digest(output):
    return json.loads(output.splitlines()[-1])["digest"]


def check_same_on_all_ranks(folder, plugin):
    for config in sorted((folder / "configs").glob("*.toml")):
        short = SHORTER[f"{plugin}/{config.stem}"]
        digests = {ranks: digest(run(*gsim(config, ranks, *short), folder=folder)) for ranks in (0, 2, 3)}
        print(f"{plugin}, {config.stem}: {digests}", flush=True)
        if len(set(digests.values())) != 1:
            sys.exit("FAILED: the digests differ")


# The key with the length of a run, a first length, and the length to which the run is then extended.
LENGTHS = {"heat/brick": ("heat.steps", 53, 100), "ising/square": ("ising.sweeps", 1100, 1500),
           "ising/quench": ("ising.sweeps", 110, 120), "lbm/channel": ("fluid.steps", 47, 100)}


def check_extended_run(folder, plugin, stem):
    """Checks that a finished run that is extended on other ranks leaves the same files as one long run."""
    key, short, long = LENGTHS[f"{plugin}/{stem}"]
    config = folder / f"configs/{stem}.toml"
    keys = [k for k in SHORTER[f"{plugin}/{stem}"] if not k.startswith(key)]
    one, two = ([*keys, f'output.file="results/{stem}_{name}.h5"'] for name in ("one", "two"))
    expected = digest(run(*gsim(config, 0, *one, f"{key}={long}"), folder=folder))
    run(*gsim(config, 3, *two, f"{key}={short}"), folder=folder)
    output = run(*gsim(config, 2, *two, f"{key}={long}"), "--resume", folder=folder)
    if digest(output) != expected or '"event":"warning"' in output.replace(" ", ""):
        sys.exit(f"FAILED: {plugin}, {stem}: extended, {output}, not {expected}")
    for path in (folder / "results").glob(f"{stem}_one*.vtkhdf"):
        other = path.with_name(path.name.replace("_one", "_two"))
        pictures = [run(PREFIX / "bin/gsim", "inspect", p, folder=folder).replace(p.name, "") for p in (path, other)]
        if pictures[0] != pictures[1]:
            sys.exit("FAILED: the pictures differ when the run is extended\n" + "\n".join(pictures))
    print(f"{plugin}, {stem}: from {short} to {long}: the same digest and pictures", flush=True)


def check_killed_run(folder):
    """Checks that a run with pictures that is killed and resumed on other ranks leaves the same files as one without kill."""
    config = folder / "configs/brick.toml"
    keys = ["grid.cells=[48, 40, 36]", "heat.steps=20000", "pictures.every=1000", 'checkpoint.interval="0.1 s"']
    uninterrupted, interrupted = ([*keys, f'output.file="results/{name}.h5"'] for name in ("uninterrupted", "interrupted"))
    expected = digest(run(*gsim(config, 0, *uninterrupted), folder=folder))
    results = folder / "results"
    with subprocess.Popen(gsim(config, 0, *interrupted), cwd=folder, stdout=subprocess.DEVNULL,
                          env=ENVIRONMENT) as running:
        while running.poll() is None and not list(results.glob("interrupted*.ckpt.*[0-9]")):
            time.sleep(0.01)
        running.kill()
    if (results / "interrupted.h5").exists():
        sys.exit("FAILED: the run ended before it could be killed")
    resumed = run(*gsim(config, 2, *interrupted), "--resume", folder=folder)
    if digest(resumed) != expected:
        sys.exit(f"FAILED: {digest(resumed)} when resumed, not {expected}")
    # Files of parallel HDF5 differ in layout, not in contents (which the digest covers, too).
    pictures = [run(PREFIX / "bin/gsim", "inspect", results / f"{name}.vtkhdf", folder=folder)
                .replace(f"{name}.vtkhdf", "") for name in ("uninterrupted", "interrupted")]
    if pictures[0] != pictures[1]:
        sys.exit("FAILED: the pictures differ when the run is resumed\n" + "\n".join(pictures))
    print("killed and resumed on 2 ranks: the same digest and pictures")


def check_conformance_with_pictures(folder):
    """Checks that `gsim plugin check` compares the contents of picture files, whose layout may differ after an interruption."""
    text = (folder / "configs/brick.toml").read_text()
    for long, short in (("[96, 64, 48]", "[24, 16, 12]"), ("steps = 1000", "steps = 60"), ("every = 50", "every = 20")):
        text = text.replace(long, short)
    config = folder / "configs/pictures.toml"
    config.write_text(text)
    before = sorted(folder.rglob("*"))
    out = run(PREFIX / "bin/gsim", "plugin", "check", folder / "build/libheat.so", "--config", config, folder=folder)
    config.unlink()
    if "✔ same bits when stopped on 3 ranks and resumed on 2 ranks" not in out:
        sys.exit(f"FAILED: heat with pictures does not conform\n{out}")
    left = [path for path in sorted(folder.rglob("*")) if path not in before]
    if left:
        sys.exit(f"FAILED: the check left {left}")
    print("heat: conforms with pictures", flush=True)


def check_documented_commands(folder, plugin):
    """Runs the gsim commands of the example's README, except `gsim run` of configurations, which check_same_on_all_ranks() has run."""
    text = (folder / "README.md").read_text(encoding="utf-8").split("```")[1]
    lines = [line.split("  #")[0].split() for line in text.splitlines()]
    commands = [words[1:] for words in lines if words[:1] == ["gsim"]]
    for words in commands:
        if words[0] != "run" or len(words) != 2 or f"{plugin}/{pathlib.Path(words[1]).stem}" not in SHORTER:
            run(PREFIX / "bin/gsim", *words, folder=folder)
    if not commands:
        sys.exit("FAILED: the README shows no command of gsim")
    print(f"{plugin}: {len(commands)} commands of its README", flush=True)


def check_on_emulated_gpu(folder, plugin):
    """Checks that `gsim plugin check` runs the device code of a plugin on the emulated GPU, where that is installed."""
    prefix = SCRATCH / "prefix"
    for component in ((), ("--component", "emulated_gpu")):
        run("cmake", "--install", OPTIONS.emulated_gpu, "--prefix", prefix, *component, folder=SCRATCH)
    out = run(prefix / "bin/gsim", "plugin", "check", folder / f"build/lib{plugin}.so", folder=folder)
    if "✔ same bits on a GPU (Emulated GPU)" not in out:
        sys.exit(f"FAILED: {plugin} was not checked on the emulated GPU\n{out}")
    print(f"{plugin}: conforms on the emulated GPU", flush=True)


def build(folder, *arguments):
    run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={PREFIX}",
        *CMAKE_ARGUMENTS, *arguments, folder=folder)
    run("cmake", "--build", folder / "build", folder=folder)


def main():
    plugin = EXAMPLE.name
    folder = SCRATCH / plugin
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("build", "results"))
    build(folder, *copy_known_compilers(PROBES, folder / "build"))
    run("ctest", "--output-on-failure", "--no-tests=error", folder=folder / "build")
    print(f"{plugin}: builds, conforms and validates", flush=True)
    check_same_on_all_ranks(folder, plugin)
    check_documented_commands(folder, plugin)
    for name in LENGTHS:
        if name.startswith(f"{plugin}/"):
            check_extended_run(folder, plugin, name.split("/")[1])
    if plugin == "heat":
        check_conformance_with_pictures(folder)
        check_killed_run(folder)
    if OPTIONS.emulated_gpu:
        check_on_emulated_gpu(folder, plugin)
    if OPTIONS.again_without_cuda:  # host objects are the same, and are kept
        build(folder, "-DGSIM_PLUGIN_CUDA=OFF")
        run("ctest", "--output-on-failure", "--no-tests=error", "-R", "conformance", folder=folder / "build")
        print(f"{plugin}: builds and conforms without CUDA", flush=True)


if __name__ == "__main__":
    main()

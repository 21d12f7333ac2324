#!/usr/bin/env python3
"""Checks what gsim prints about devices, and its errors where a device fails, on the emulated GPU. usage: devices.py GSIM MPIEXEC"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from lennard_jones import ATOMS, PAIR, lattice  # noqa: E402

GSIM, MPIEXEC = sys.argv[1:3]
UUID = r"GPU-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
MELT = 'module = "md"\n[md]\nsteps = 3\ntime_step = 0.005\n' + ATOMS + lattice(4, 1.0) + PAIR
FOLDER = tempfile.TemporaryDirectory()


def check(condition, what, *details):
    if not condition:
        print("FAILED:", what, *details, sep="\n  ")
        sys.exit(1)


def gsim(*arguments, ranks=0, **variables):
    """Runs gsim with environment variables; returns exit code, stdout and stderr."""
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
    done = subprocess.run([*launcher, GSIM, *arguments], cwd=FOLDER.name, capture_output=True, text=True, check=False, timeout=120,
                          env=dict(os.environ, NO_COLOR="1", **variables))
    return done.returncode, done.stdout, done.stderr


def run(ranks=0, **variables):
    return gsim("run", "melt.toml", "--device", "cuda", "--threads", "1", "--log", "plain", ranks=ranks, **variables)


def fails(what, words, ranks=0, **variables):
    """Checks that a run ends with exit code 1 and one message that contains all `words`."""
    code, out, err = run(ranks, **variables)
    check(code == 1 and err.count("error:") == 1, f"{what}, {ranks} ranks: exit {code}, one message", out, err)
    for word in words:
        check(word in err, f"{what}, {ranks} ranks: says {word}", err)


def info():
    """gsim info lists every device with its name, memory, compute capability and UUID."""
    code, out, err = gsim("info", PTXEMU_DEVICES="3", PTXEMU_NAME="First,Second,Third", PTXEMU_MEMORY="1000000000,2000000000,3000000000")
    check(code == 0, "gsim info", out, err)
    for n, (name, memory) in enumerate((("First", "1.0 GB"), ("Second", "2.0 GB"), ("Third", "3.0 GB"))):
        check(re.search(rf"^GPU {n} +{name}, {memory}, compute capability 9.0, {UUID}$", out, re.MULTILINE), f"device {n}", out)
    check(len(set(re.findall(UUID, out))) == 3, "each device has a UUID of its own", out)
    check("would use cuda:0 First per rank" in out, "the device that a rank would use", out)
    out = gsim("info", PTXEMU_DEVICES="2", CUDA_VISIBLE_DEVICES="")[1]
    check('GPUs      none: no GPU is visible (CUDA_VISIBLE_DEVICES="")' in out, "no visible device", out)
    out = gsim("info", PTXEMU_DEVICES="2", ranks=2)[1]
    check("2 ranks on 1 node · 2 × Emulated GPU" in out and "shared" not in out, "a device for each rank", out)
    out = gsim("info", ranks=2)[1]
    check("1 × Emulated GPU shared by 2 ranks (shared by several ranks)" in out, "a device that two ranks share", out)
    check("buffers   CUDA IPC: all pairs of ranks, verified by an exchange" in out, "messages by CUDA IPC", out)


def provenance():
    """The results of a run name the devices of all ranks."""
    code, out, err = run(2, PTXEMU_DEVICES="2")
    check(code == 0 and "2 × Emulated GPU" in out, "a run on two devices", out, err)
    results = gsim("inspect", "--json", "results/melt.h5")[1]
    uuids = re.findall(UUID, results)
    check(len(set(uuids)) == 2, "both UUIDs are in the results", results)


def errors():
    """Each failure of a device is one message that says what failed, where, and what to do."""
    for ranks in (0, 2):
        fails("too little memory", ["out of memory on cuda:0 Emulated GPU", "requested", "free of", "use more GPUs or a smaller problem"],
              ranks, PTXEMU_MEMORY="70000")
        fails("a kernel", ["failed"], ranks, PTXEMU_FAIL_KERNEL="kernel_loop:5")
        fails("a copy", ["failed"], ranks, PTXEMU_FAIL_COPY="7")
    fails("a kernel, found at its launch", ['kernel "'], 0, PTXEMU_FAIL_KERNEL="kernel_loop:5", GSIM_SYNC_LAUNCHES="1")
    fails("no device", ['device = "cuda", but no GPU is visible', "`nvidia-smi`"], 0, CUDA_VISIBLE_DEVICES="")


(pathlib.Path(FOLDER.name) / "melt.toml").write_text(MELT)
for test in (info, provenance, errors):
    test()
    print(test.__doc__)

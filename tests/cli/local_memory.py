#!/usr/bin/env python3
"""Kernels of histories for any geometry keep flights and collisions in registers: without tallies their code writes less than once for each history
to local memory, as counted on the emulated GPU (spills, which ptxas adds, are not counted). The digest is that of the kernels for simple geometries.
usage: local_memory.py GSIM CONFIGURATION"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

GSIM, CONFIGURATION = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
HISTORIES = 100, 3  # of a generation, generations
# A surface that no cell uses, of a form that simple geometries do not have.
CONE = """
[[surface]]
name = "unused"
kind = "z_cone"
tangent = 1.0
"""


def run(folder, tracking, kernel, more):
    """The digest of a run, and the number of times that warps of its kernel of histories write to local memory."""
    text = CONFIGURATION.read_text(encoding="utf-8").replace('"data/', f'"{CONFIGURATION.parent}/data/')
    (folder / "case.toml").write_text(text + more, encoding="utf-8")
    report = folder / "report.json"
    particles, batches = HISTORIES
    command = [GSIM, "run", "case.toml", "--device", "cuda", "--log", "plain", "--output", "run.h5"]
    for setting in (f"particles={particles}", f"batches={batches}", "inactive=1", f'tracking="{tracking}"'):
        command += ["--set", f"transport.{setting}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=250,
                          env=dict(os.environ, NO_COLOR="1", PTXEMU_REPORT=str(report)))
    digest = re.search(r"digest ([0-9a-f]+)", done.stdout)
    check(done.returncode == 0 and digest, "the run ends well and prints its digest", done.stdout, done.stderr)
    kernels = [k for k in json.loads(report.read_text(encoding="utf-8"))["kernels"] if "transport_histories" in k["name"]]
    check(len(kernels) == 1 and kernel in kernels[0]["name"], f"the kernel is {kernel}", *(k["name"] for k in kernels))
    return digest[1], kernels[0]["memory"]["local"]["stores"]["requests"]


def check(condition, what, *details):
    if not condition:
        print("FAILED:", what, *details, sep="\n  ")
        sys.exit(1)


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    for tracking in ("surface", "delta"):
        name = tracking.capitalize() + "Histories"
        expected, _ = run(scratch, tracking, "Plain" + name, "")
        digest, stores = run(scratch, tracking, "General" + name, CONE)
        check(digest == expected, f"{tracking}: both kernels have the same digest", digest, expected)
        check(stores < HISTORIES[0] * HISTORIES[1], f"{tracking}: few writes to local memory", stores)
print("general kernels: flights in registers, same digest")

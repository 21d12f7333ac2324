#!/usr/bin/env python3
"""What the command line says and how it ends. usage: messages.py GSIM MPIEXEC"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GSIM, MPIEXEC = sys.argv[1], sys.argv[2]
ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD = """module = "pricing"
[stop]
samples = 16384
[market]
rate = 0.05
[market.assets.S]
spot = 100.0
volatility = 0.2
[[trades]]
id = "call"
product = "european"
asset = "S"
type = "call"
strike = 100.0
maturity = 1.0
"""
failures = []


def run(*arguments, ranks=0, folder=None):
    command = ([MPIEXEC, "-n", str(ranks)] if ranks else []) + [GSIM, *map(str, arguments)]
    environment = dict(os.environ, NO_COLOR="1")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                          timeout=120, env=environment)
    return done.returncode, done.stdout, done.stderr


def check(condition, what, *details):
    if not condition:
        failures.append(what)
        print("FAILED:", what, *details, sep="\n  ")


def bad_input(folder):
    cases = {
        "unknown key": (GOOD.replace("volatility", "voltaility"),
                        ["bad.toml:8:1: unknown key `voltaility`", "did you mean `volatility`?"]),
        "range": (GOOD.replace("spot = 100.0", "spot = -1.0"), ["bad.toml:7:", "spot"]),
        "type": (GOOD.replace("strike = 100.0", 'strike = "high"'), ["bad.toml:14:", "strike"]),
        "syntax": (GOOD.replace("[market]", "[market"), ["bad.toml:4:"]),
        "asset": (GOOD.replace('asset = "S"', 'asset = "T"'), ["bad.toml:12:", "`T`"]),
        "module": (GOOD.replace('"pricing"', '"princing"'), ["princing", "pricing"]),
    }
    for name, (text, expected) in cases.items():
        (folder / "bad.toml").write_text(text)
        for ranks in (0, 4) if name == "unknown key" else (0,):
            before = sorted(p.name for p in folder.rglob("*"))
            code, out, err = run("run", "bad.toml", ranks=ranks, folder=folder)
            check(code == 2, f"{name}, {ranks} ranks: exit code {code}", err)
            check(err.count("error:") == 1, f"{name}, {ranks} ranks: one message", err)
            for words in expected:
                check(words in err, f"{name}: `{words}` in the message", err)
            after = sorted(p.name for p in folder.rglob("*"))
            check(before == after, f"{name}: nothing written", str(after))


def good_runs(folder):
    (folder / "good.toml").write_text(GOOD)
    before = sorted(p.name for p in folder.rglob("*"))
    code, out, err = run("check", "good.toml", folder=folder)
    check(code == 0 and "valid" in out, "check accepts", out, err)
    check(before == sorted(p.name for p in folder.rglob("*")), "check writes nothing")
    code, out, err = run("run", "good.toml", "--quiet", folder=folder)
    check(code == 0 and (folder / "results/good.h5").exists(), "quiet run", out, err)
    code, out, err = run("run", "good.toml", "--log", "json", "--set", "market.rate=0.02",
                         folder=folder)
    events = [json.loads(line) for line in out.splitlines()]
    check(code == 0 and events and "digest" in events[-1], "JSON events", out, err)
    check(not (folder / "results/good.h5.partial").exists(), "no partial file is left")
    code, out, err = run("inspect", "results/good.h5", "--json", folder=folder)
    check(code == 0 and json.loads(out), "inspect --json", out[:300], err)
    code, out, err = run("run", "good.toml", "--set", "market.rat=1", folder=folder)
    check(code == 2 and "--set" in err, "--set of an unknown key", err)
    (folder / "empty.h5").write_text("")
    code, out, err = run("inspect", "empty.h5", folder=folder)
    check(code == 2 and err.count("error:") == 1, "inspect refuses what is no HDF5", err)


def other_commands(folder):
    code, out, err = run("schema", "pricing", "--json", folder=folder)
    check(code == 0 and json.loads(out)["additionalProperties"] is False, "schema --json", err)
    code, out, err = run("schema", "pricing", folder=folder)
    check(code == 0 and "steps_per_year" in out, "schema", err)
    code, out, err = run("info", folder=folder)
    check(code == 0 and "MPICH" in out or "MPI" in out, "info", out, err)
    for command in ("run", "check", "schema", "inspect", "validate", "info"):
        code, out, err = run(command, "--help", folder=folder)
        check(code == 0 and "gsim " + command in out, f"{command} --help shows an example", out)
    for config in sorted((ROOT / "configs").rglob("*.toml")):
        code, out, err = run("check", config, folder=folder)
        check(code == 0, f"check accepts {config.name}", out, err)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    bad_input(folder)
    good_runs(folder)
    other_commands(folder)
print("failed:" if failures else "all messages as expected", *failures, sep="\n  ")
sys.exit(1 if failures else 0)

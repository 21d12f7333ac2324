#!/usr/bin/env python3
"""Files that a configuration names: read once, on rank 0, and kept with the results.
usage: input_files.py GSIM MPIEXEC"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GSIM, MPIEXEC = sys.argv[1], sys.argv[2]
# Relative to each rank's folder, so that ranks can read different files.
BOOK, GRID = "/proc/self/cwd/book.csv", "/proc/self/cwd/grid.csv"
CONFIG = f"""module = "pricing"
trades_file = "{BOOK}"
[stop]
samples = 4096
[market]
rate = 0.05
[market.assets.S]
spot = 100.0
volatility = 0.2
[market.assets.L]
spot = 100.0
model = "local_volatility"
local_file = "{GRID}"
"""
TRADES = """id,product,asset,type,strike,maturity
#1,european,S,call,100,1
two,european,L,put,90,0.5
"""
VOLATILITIES = "time,spot,volatility\n0.5,80,0.25\n0.5,120,0.2\n"
failures = []


def run(*arguments, folder):
    done = subprocess.run([*map(str, arguments)], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=120, env=dict(os.environ, NO_COLOR="1"))
    return done.returncode, done.stdout, done.stderr


def check(condition, what, *details):
    if not condition:
        failures.append(what)
        print("FAILED:", what, *details, sep="\n  ")


def digest(out):
    return json.loads(out.splitlines()[-1])["digest"] if out else None


def stored(result, folder):
    """The input files of a result as `gsim inspect` lists them: path -> text."""
    code, out, err = run(GSIM, "inspect", result, "--json", folder=folder)
    check(code == 0, "inspect --json", err)
    info = json.loads(out)
    texts = {d["path"]: d["values"][0] for d in info["datasets"]
             if d["path"].startswith("provenance/input_files/")}
    return {f["name"]: texts[f["dataset"]] for f in info["input_files"]}, info["provenance"]


def fill(folder, trades):
    folder.mkdir()
    (folder / "book.csv").write_text(trades)
    (folder / "grid.csv").write_text(VOLATILITIES)
    return folder


def one_reader(folder):
    """Ranks in other folders, with other files or none, are refused."""
    config, here = folder / "run.toml", fill(folder / "here", TRADES)
    config.write_text(CONFIG)
    code, out, err = run(GSIM, "run", config, "--log", "json", folder=here)
    check(code == 0, "one rank", out, err)
    expected = digest(out)
    (folder / "nowhere").mkdir()
    for other in (fill(folder / "there", TRADES.replace("100,1", "110,1")), folder / "nowhere"):
        command = ["run", config, "--log", "json", "--output", folder / "two.h5"]
        code, out, err = run(MPIEXEC, "-n", 1, "-wdir", here, GSIM, *command, ":",
                             "-n", 1, "-wdir", other, GSIM, *command, folder=here)
        check(code == 2 and "rank 1 was started in another folder" in err and not out,
              f"2 ranks, one in {other.name}", out, err)
    return here / "results/run.h5", expected


def replay(folder, result, expected):
    """A result contains all input needed to reproduce it."""
    files, provenance = stored(result, folder)
    check(files == {BOOK: TRADES, GRID: VOLATILITIES}, "texts are stored", str(files))
    again = folder / "again"
    again.mkdir()
    for name, text in files.items():
        (again / pathlib.Path(name).name).write_text(text)
    (again / "run.toml").write_text(provenance["config_resolved"])
    code, out, err = run(GSIM, "run", "run.toml", "--log", "json", folder=again)
    check(code == 0 and digest(out) == expected, "replayed", out, err)
    code, out, err = run(GSIM, "inspect", result, folder=folder)
    listed = out.partition("\ninput files\n")[2].partition("\n\n")[0]
    check(code == 0 and listed.count(" bytes  digest ") == 2 and BOOK in listed and GRID in listed,
          "inspect lists them", out, err)


def refused(folder):
    os.mkfifo(folder / "pipe.csv")
    (folder / "bad.toml").write_text(CONFIG.replace(BOOK, "pipe.csv"))
    for launcher in ([], [MPIEXEC, "-n", 2]):
        code, out, err = run(*launcher, GSIM, "check", "bad.toml", folder=folder / "here")
        check(code == 2 and err.count("error:") == 1, "no configuration", out, err)
        code, out, err = run(*launcher, GSIM, "check", folder / "bad.toml", folder=folder / "here")
        check(code == 2 and err.count("error:") == 1, "a pipe", out, err)
        check("bad.toml:2:15: " in err and "pipe.csv is not a regular file" in err, "a pipe", err)


def no_files(folder):
    """Anything but a regular file, and a file that is too large, is refused at once."""
    os.mkfifo(folder / "pipe.h5")
    with open(folder / "huge.csv", "wb") as huge:  # sparse: it needs no space
        huge.write(b"id,product\n" * 1000)
        huge.truncate(10**13)
    for name, words in (("/dev/zero", "not a regular file"), ("/proc/self/mem", "virtual file of the kernel"),
                        (str(folder), "a folder"), ("huge.csv", "10000.0 GB")):
        (folder / "bad.toml").write_text(CONFIG.replace(BOOK, name))
        for launcher in ([], [MPIEXEC, "-n", 2]):
            code, out, err = run(*launcher, GSIM, "check", folder / "bad.toml", folder=folder / "here")
            check(code == 2 and err.count("error:") == 1 and "bad.toml:2:15: " in err and words in err,
                  name, out, err)
    for name in ("pipe.h5", "/dev/zero", "/proc/self/mem", folder):
        code, out, err = run(GSIM, "inspect", name, folder=folder)
        check(code == 2 and err.count("error:") == 1, f"inspect {name}", out, err)
        plugin = f"{name}/" if name == folder else f"./{name}" if name == "pipe.h5" else name
        code, out, err = run(GSIM, "modules", "--plugin", plugin, folder=folder)
        check(code == 2 and err.count("error:") == 1, f"plugin {name}", out, err)


with tempfile.TemporaryDirectory() as name:
    base = pathlib.Path(name)
    first, digest_of_first = one_reader(base)
    replay(base, first, digest_of_first)
    refused(base)
    no_files(base)
print("failed:" if failures else "input files as expected", *failures, sep="\n  ")
sys.exit(1 if failures else 0)

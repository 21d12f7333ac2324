#!/usr/bin/env python3
"""Files that a configuration names: read once, on rank 0, and stored in the results.
usage: input_files.py GSIM MPIEXEC"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GSIM, MPIEXEC = sys.argv[1], sys.argv[2]
# Relative to the working folder of each rank, so that ranks can have different files.
TRADES_FILE, VOLATILITY_FILE = "/proc/self/cwd/trades.csv", "/proc/self/cwd/volatility.csv"
CONFIG = f"""module = "pricing"
trades_file = "{TRADES_FILE}"
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
local_file = "{VOLATILITY_FILE}"
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
    """The input files in a result file (path -> text), and its provenance, as `gsim inspect` prints them."""
    code, out, err = run(GSIM, "inspect", result, "--json", folder=folder)
    check(code == 0, "inspect --json", err)
    info = json.loads(out)
    texts = {d["path"]: d["values"][0] for d in info["datasets"]
             if d["path"].startswith("provenance/input_files/")}
    return {f["name"]: texts[f["dataset"]] for f in info["input_files"]}, info["provenance"]


def new_folder(folder, trades):
    folder.mkdir()
    (folder / "trades.csv").write_text(trades)
    (folder / "volatility.csv").write_text(VOLATILITIES)
    return folder


def check_one_folder(folder):
    """Checks that ranks in other folders than rank 0, with other files or none, are refused."""
    config, first_folder = folder / "run.toml", new_folder(folder / "rank_0", TRADES)
    config.write_text(CONFIG)
    code, out, err = run(GSIM, "run", config, "--log", "json", folder=first_folder)
    check(code == 0, "one rank", out, err)
    expected = digest(out)
    (folder / "empty").mkdir()
    for other in (new_folder(folder / "rank_1", TRADES.replace("100,1", "110,1")), folder / "empty"):
        command = ["run", config, "--log", "json", "--output", folder / "two.h5"]
        code, out, err = run(MPIEXEC, "-n", 1, "-wdir", first_folder, GSIM, *command, ":",
                             "-n", 1, "-wdir", other, GSIM, *command, folder=first_folder)
        check(code == 2 and "rank 1 was started in another folder" in err and not out,
              f"2 ranks, one in {other.name}", out, err)
    return first_folder / "results/run.h5", expected


def check_repetition(folder, result, expected):
    """Checks that a run can be repeated from the input stored in its results."""
    files, provenance = stored(result, folder)
    check(files == {TRADES_FILE: TRADES, VOLATILITY_FILE: VOLATILITIES}, "the files are stored in the results", str(files))
    repeated = folder / "repeated"
    repeated.mkdir()
    for name, text in files.items():
        (repeated / pathlib.Path(name).name).write_text(text)
    (repeated / "run.toml").write_text(provenance["config_resolved"])
    code, out, err = run(GSIM, "run", "run.toml", "--log", "json", folder=repeated)
    check(code == 0 and digest(out) == expected, "the repeated run has the same digest", out, err)
    code, out, err = run(GSIM, "inspect", result, folder=folder)
    listed = out.partition("\ninput files\n")[2].partition("\n\n")[0]
    check(code == 0 and listed.count(" bytes  digest ") == 2 and TRADES_FILE in listed and VOLATILITY_FILE in listed,
          "inspect lists the input files", out, err)


def check_pipe(folder):
    """Checks that a named pipe in place of an input file is refused."""
    os.mkfifo(folder / "pipe.csv")
    (folder / "bad.toml").write_text(CONFIG.replace(TRADES_FILE, "pipe.csv"))
    for launcher in ([], [MPIEXEC, "-n", 2]):
        code, out, err = run(*launcher, GSIM, "check", "bad.toml", folder=folder / "rank_0")
        check(code == 2 and err.count("error:") == 1, "a missing configuration", out, err)
        code, out, err = run(*launcher, GSIM, "check", folder / "bad.toml", folder=folder / "rank_0")
        check(code == 2 and err.count("error:") == 1, "a pipe", out, err)
        check("bad.toml:2:15: " in err and "pipe.csv is not a regular file" in err, "a pipe", err)


def check_unreadable_files(folder):
    """Checks that devices, folders, virtual files and files that are too large are refused without being read."""
    os.mkfifo(folder / "pipe.h5")
    with open(folder / "huge.csv", "wb") as huge:  # sparse, so that it needs no disk space
        huge.write(b"id,product\n" * 1000)
        huge.truncate(10**13)
    for name, words in (("/dev/zero", "not a regular file"), ("/proc/self/mem", "virtual file of the kernel"),
                        (str(folder), "a folder"), ("huge.csv", "10000.0 GB")):
        (folder / "bad.toml").write_text(CONFIG.replace(TRADES_FILE, name))
        for launcher in ([], [MPIEXEC, "-n", 2]):
            code, out, err = run(*launcher, GSIM, "check", folder / "bad.toml", folder=folder / "rank_0")
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
    first, digest_of_first = check_one_folder(base)
    check_repetition(base, first, digest_of_first)
    check_pipe(base)
    check_unreadable_files(base)
print("failed:" if failures else "input files as expected", *failures, sep="\n  ")
sys.exit(1 if failures else 0)

#!/usr/bin/env python3
"""Checks `gsim replay` and `gsim compare` with results of several modules. usage: replay.py GSIM MPIEXEC"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checked_run import check, checked_run, on_ranks  # noqa: E402

GSIM, MPIEXEC = sys.argv[1], sys.argv[2]
PRICING = """module = "pricing"
seed = 7
trades_file = "trades.csv"
[stop]
samples = 8192
[market]
rate = 0.02
[market.assets.SPX]
spot = 100.0
volatility = 0.2
"""
TRADES = ("id,product,asset,type,strike,maturity,fixing_count\n"
          "CALL,european,SPX,call,100,1,\nASIAN,asian,SPX,put,95,1,12\n")
ATOMS = """module = "md"
[md]
units = "lj"
steps = 20
time_step = 0.005
[[type]]
name = "Ar"
mass = 1.0
[start]
kind = "lattice"
lattice = "fcc"
density = 0.8442
cells = [5, 5, 5]
temperature = 1.44
[pair]
cutoff = 2.5
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
[[trajectory]]
format = "xyz"
every = 10
file = "atoms.xyz"
"""


def gsim(*arguments, code=0, ranks=0, cwd=None):
    return checked_run([*on_ranks(MPIEXEC, ranks), GSIM, *arguments], cwd, code)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "books").mkdir()
    (folder / "books/price.toml").write_text(PRICING)
    (folder / "books/trades.csv").write_text(TRADES)
    gsim("run", "books/price.toml", "--set", "market.rate=0.03", "-q", cwd=folder)

    # From the provenance alone: without the configuration and its files, elsewhere, on other ranks.
    shutil.rmtree(folder / "books")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    for ranks in (0, 3):
        text = gsim("replay", folder / "results/price.h5", "-q", "--threads", 1, ranks=ranks, cwd=elsewhere)
        check("every bit of" in text and "is equal" in text, "replay", text)
        check(list((elsewhere / "results").iterdir()) == [], "files of the replay are left")
    event = json.loads(gsim("replay", folder / "results/price.h5", "--log", "json", cwd=elsewhere).splitlines()[-1])
    check(event["event"] == "replay" and event["equal"] is True, "event", event)
    gsim("replay", folder / "results/price.h5", "-q", "--output", "kept.h5", cwd=elsewhere)
    check("every bit of the results is equal" in gsim("compare", folder / "results/price.h5", elsewhere / "kept.h5"),
          "kept results")

    # Results of another rate differ, those of another seed agree within their errors.
    (folder / "books").mkdir()
    (folder / "books/price.toml").write_text(PRICING)
    (folder / "books/trades.csv").write_text(TRADES)
    gsim("run", "books/price.toml", "--set", "seed=8", "--output", "other.h5", "-q", cwd=folder)
    text = gsim("compare", folder / "results/price.h5", folder / "other.h5", code=1)
    check("seed         7 → 8" in text and "market.rate  0.03 → 0.02" in text and "they differ" in text,
          "compare of another rate", text)
    gsim("run", "books/price.toml", "--set", "seed=8", "--set", "market.rate=0.03", "--output", "seed.h5", "-q",
         cwd=folder)
    text = gsim("compare", folder / "results/price.h5", folder / "seed.h5")
    check("they agree within their errors: 2 estimates" in text, "compare of another seed", text)
    comparison = json.loads(gsim("compare", folder / "results/price.h5", folder / "seed.h5", "--json"))
    price = next(d for d in comparison["datasets"] if d["path"] == "trades/price")
    check(comparison["agreement"] == "within_error" and price["with_errors"] == 2, "JSON", comparison)
    gsim("compare", folder / "results/price.h5", folder / "seed.h5", "--significance", 1, code=1)

    for word in ("nan", "2", "-0.1", "x", ""):
        check("takes a number from 0 to 1" in gsim("compare", folder / "other.h5", folder / "seed.h5", f"--significance={word}",
                                                    code=2) or word == "", f"significance {word}")

    # Results are not replayed into themselves, by whatever name.
    os.symlink("price.h5", folder / "results/link.h5")
    before = (folder / "results/price.h5").read_bytes()
    for name in ("results/price.h5", "results/../results/link.h5"):
        text = gsim("replay", "results/price.h5", "--output", name, code=2, cwd=folder)
        check("cannot replay results/price.h5 into itself" in text, "into itself", text)
    check((folder / "results/price.h5").read_bytes() == before and not (folder / "results/price.1.h5").exists(), "itself")

    # A replay that a signal stops has not succeeded, and its input is not bad.
    gsim("run", "books/price.toml", "--set", "stop.samples=3000000", "--output", "long.h5", "-q", cwd=folder)
    process = subprocess.Popen([GSIM, "replay", str(folder / "long.h5"), "--log", "json", "--threads", "1"], cwd=elsewhere,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    text = process.communicate()[1]
    check(process.returncode == 1 and "the replay was stopped before its end" in text, "a stopped replay",
          process.returncode, text)

    # A run that depends on time cannot be replayed.
    gsim("run", "books/price.toml", "--set", "stop.samples=100000000000", "--set", "stop.wall_time=0.2",
         "--output", "timed.h5", "-q", cwd=folder)
    text = gsim("replay", folder / "timed.h5", code=2, cwd=elsewhere)
    check("is not repeatable" in text and "wall time" in text, "wall time", text)
    check("not an HDF5 file" in gsim("replay", folder / "books/price.toml", code=2, cwd=elsewhere), "a text file")

    # Other output files of a run are not touched.
    (folder / "atoms.toml").write_text(ATOMS)
    gsim("run", "atoms.toml", "-q", cwd=folder)
    frames = (folder / "atoms.xyz").read_bytes()
    stamp = os.stat(folder / "atoms.xyz").st_mtime_ns
    gsim("replay", "results/atoms.h5", "-q", cwd=folder)
    check((folder / "atoms.xyz").read_bytes() == frames and os.stat(folder / "atoms.xyz").st_mtime_ns == stamp
          and not (folder / "atoms.1.xyz").exists(), "the trajectory changed")
print("ok")

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
ROOT = pathlib.Path(__file__).resolve().parents[2]
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
quantities = ["position", "velocity"]
[[trajectory]]
format = "dump"
every = 20
file = "atoms.dump"
[[trajectory]]
every = 5
quantities = ["position", "velocity"]
precision = "float64"
[[trajectory]]
every = 10
file = "coarse.h5md"
thermo = true
"""
MESH = """[tallies]
vtk = true
[[mesh]]
name = "grid"
lower_left = [-10.0, -10.0, -10.0]
upper_right = [10.0, 10.0, 10.0]
shape = [2, 3, 4]
[[tally]]
name = "flux"
mesh = "grid"
scores = ["flux"]
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

    # Keys that are not given, and must not be beside others, are not in the configuration that is replayed.
    for name in ("surface", "rates"):
        gsim("run", ROOT / f"configs/pricing/{name}.toml", "-q", "--set", "stop.samples=1024", "--output", f"{name}.h5", cwd=folder)
        check("is equal" in gsim("replay", f"{name}.h5", "-q", cwd=folder), name)
    # An empty list that is given is no difference of configurations: those of older results hold all of them.
    gsim("run", ROOT / "configs/pricing/rates.toml", "-q", "--set", "stop.samples=1024", "--set", "plugins=[]", "--output", "given.h5", cwd=folder)
    check("of the configuration differ" not in gsim("compare", "rates.h5", "given.h5", cwd=folder), "an empty list")

    # Trajectories are compared, and those of the run are not touched.
    (folder / "atoms.toml").write_text(ATOMS)
    gsim("run", "atoms.toml", "-q", cwd=folder)
    frames = (folder / "atoms.xyz").read_bytes()
    stamp = os.stat(folder / "atoms.xyz").st_mtime_ns
    for ranks, where in ((0, folder), (2, elsewhere)):
        text = gsim("replay", folder / "results/atoms.h5", "-q", "--threads", 1, ranks=ranks, cwd=where)
        for name, count in (("atoms.xyz", 3), ("atoms.dump", 2), ("results/atoms.h5md", 5), ("coarse.h5md", 3)):
            check(f"every bit of {folder / name} is equal, too: {count} frames of 500 atoms" in text, name, text)
    check((folder / "atoms.xyz").read_bytes() == frames and os.stat(folder / "atoms.xyz").st_mtime_ns == stamp
          and not (folder / "atoms.1.xyz").exists(), "the trajectory changed")
    text = gsim("replay", folder / "results/atoms.h5", "-q", "--output", "again.h5", cwd=elsewhere)
    same = gsim("compare", folder / "results/atoms.h5", elsewhere / "again.h5")
    check("every bit of the results is equal" in same and same.count("frames of 500 atoms, every bit is equal") == 4,
          "a replay that is kept", same)

    # The first value that differs: in a text, and in frames of another run.
    lines = frames.decode().splitlines(keepends=True)
    fields = lines[502 + 2 + 16].split(" ")      # the 17th atom of frame 1, which has the columns species, x, y, z, id, …
    changed = [*fields[:2], "0.5", *fields[3:]]
    (folder / "atoms.xyz").write_text("".join([*lines[:520], " ".join(changed), *lines[521:]]))
    text = gsim("replay", folder / "results/atoms.h5", "-q", code=1, cwd=elsewhere)
    expected = f"differ, first in frame 1 (step 10), atom {fields[5 if len(fields) > 12 else 4]}: pos y is 0.5 and {fields[2]}"
    check(expected in text and "  pos y: 1 of 1500 values differ, by up to" in text
          and "every bit of the results is equal, but not of" in text, "a value of a text", expected, text)
    shutil.rmtree(elsewhere / "results/atoms.replay")
    # Files that end within a frame, or whose frames have other columns, as dumps of LAMMPS may; a damaged one.
    (folder / "cut.xyz").write_text("".join(lines[:-3]))
    (folder / "atoms.xyz").write_bytes(frames)
    for files in (("atoms.xyz", "cut.xyz"), ("cut.xyz", "atoms.xyz")):
        check("cut.xyz ends within frame 2" in gsim("compare", *files, code=1, cwd=folder), "a shorter file", files)
    dump = (folder / "atoms.dump").read_text().splitlines(keepends=True)
    second = [line.replace("\n", " charge\n") if line.startswith("ITEM: ATOMS") else line if k < 9 else line.replace("\n", " 0.5\n")
              for k, line in enumerate(dump[509:])]
    (folder / "charges.dump").write_text("".join([*dump[:509], *second]))
    (folder / "others.dump").write_text("".join([*dump[:509], *second[:-1], second[-1].replace(" 0.5\n", " 0.25\n")]))
    text = gsim("compare", "charges.dump", "others.dump", code=1, cwd=folder)
    check("charge is 0.5 and 0.25" in text and "charge: 1 of 500 values differ, by up to 0.25" in text, "columns of frames", text)
    (folder / "atoms.xyz").write_text("")
    text = gsim("replay", folder / "results/atoms.h5", "-q", code=1, cwd=elsewhere)
    check(f"cannot compare {folder}/atoms.xyz: it is neither" in text and "3 frames of 500 atoms" in text
          and "every bit of the results is equal, but not of" in text, "a damaged trajectory", text)
    shutil.rmtree(elsewhere / "results/atoms.replay")
    (folder / "atoms.xyz").unlink()
    text = gsim("replay", folder / "results/atoms.h5", "-q", cwd=elsewhere)
    check(f"warning: {folder}/atoms.xyz is not compared: it is not there" in text, "a trajectory that is gone", text)
    gsim("run", "atoms.toml", "-q", "--output", "cut.h5", "--set", "pair.cutoff=2.4", cwd=folder)
    for files in (("results/atoms.h5md", "cut.h5md"), ("results/atoms.h5", "cut.h5")):
        text = gsim("compare", *files, code=1, cwd=folder)
        check("results/atoms.h5md and cut.h5md differ, first in frame 1 (step 5), atom 1: position x is " in text
              and "  velocity: 6000 of 7500 values differ, by up to " in text, "frames", files, text)
    check("coarse.h5md is not compared: both runs wrote it" in text, "one file of two runs", text)
    difference = json.loads(gsim("compare", "results/atoms.h5md", "cut.h5md", "--json", code=1, cwd=folder))["first_difference"]
    check((difference["frame"], difference["step"], difference["item"]) == (1, "5", "atom 1"), "JSON of frames", difference)
    gsim("run", "atoms.toml", "-q", "--output", "short.h5", "--set", "md.steps=10", cwd=folder)
    check("5 and 3 frames" in gsim("compare", "results/atoms.h5md", "short.h5md", code=1, cwd=folder), "fewer frames")
    gsim("compare", "results/atoms.h5md", "results/atoms.h5md", cwd=folder)
    whole = (folder / "results/atoms.h5md").read_bytes()
    (folder / "foreign.h5md").write_bytes(whole[:-64])
    for name, words in (("foreign.h5md", "foreign.h5md is not an HDF5 file of gsim"), ("none.h5md", "cannot compare none.h5md")):
        check(words in gsim("compare", "results/atoms.h5md", name, code=2, cwd=folder), name)
    text = gsim("compare", "results/atoms.h5md", "atoms.dump", code=2, cwd=folder)
    check("have different formats" in text, "formats", text)

    # Particle lists and fields on grids.
    config = ROOT / "configs/transport/mcpl_write.toml"
    (folder / "leak.toml").write_text(config.read_text().replace("[particle_file]", '[particle_file]\nfile = "leak.mcpl"') + MESH)
    short = ("--set", "transport.particles=200", "--set", "transport.batches=4")
    gsim("run", "leak.toml", "-q", *short, cwd=folder)
    text = gsim("replay", "results/leak.h5", "-q", cwd=folder)
    check("leak.mcpl is equal, too" in text and "results/leak.flux.vtkhdf is equal, too" in text, "replay of transport", text)
    data = bytearray((folder / "leak.mcpl").read_bytes())
    data[-1] ^= 1                                # the last record ends with its weight
    (folder / "other.mcpl").write_bytes(data)
    text = gsim("compare", "leak.mcpl", "other.mcpl", code=1, cwd=folder)
    last = int.from_bytes(data[8:16], "little") - 1
    check(f"differ, first in particle {last}: weight is " in text and f"  weight: 1 of {last + 1} values differ" in text,
          "a particle list", text)
    gsim("run", "leak.toml", "-q", *short, "--set", "seed=7", "--output", "seed7.h5", cwd=folder)
    text = gsim("compare", "results/leak.h5", "seed7.h5", cwd=folder)
    check("leak.flux.vtkhdf and seed7.flux.vtkhdf differ, first in cell 0 0 0: flux" in text
          and "they agree within their errors" in text, "fields of another seed", text)
print("ok")

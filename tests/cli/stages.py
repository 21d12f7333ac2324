#!/usr/bin/env python3
"""Checks configurations with stages. usage: stages.py GSIM MPIEXEC"""
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checked_run import check, checked_run, on_ranks  # noqa: E402

GSIM, MPIEXEC = sys.argv[1:]
LIQUID = """module = "md"
seed = 5
[md]
units = "lj"
steps = 40
time_step = 0.004
[[type]]
name = "Ar"
mass = 1.0
[start]
kind = "lattice"
lattice = "fcc"
density = 0.8442
cells = [4, 4, 4]
temperature = 1.44
[pair]
cutoff = 2.5
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
[thermo]
every = 10
from = 0
[[trajectory]]
every = 20
quantities = ["position", "velocity"]
precision = "float64"
"""
STAGES = """[[stage]]
name = "equilibrate"
[[ stage ]]   # the results of the last stage have the name of the configuration
name = "produce"
set = [
  "start={ kind = \\"h5md\\", file = \\"{equilibrate}.h5md\\" }",
  "md.steps=60",
]
"""
CALL = """module = "pricing"
[stop]
samples = 8192
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = 0.2
[[stage]]
name = "first"
[[stage]]
name = "second"
set = ["trades.0.strike={first:trades/price[CALL]}"]
[[trades]]
id = "CALL"
product = "european"
type = "call"
asset = "A"
strike = 100.0
maturity = 1.0
"""


def gsim(folder, *arguments, code=0, ranks=0):
    return checked_run([*on_ranks(MPIEXEC, ranks), GSIM, *arguments], folder, code)


def digests(text):
    return re.findall(r"digest ([0-9a-f]+)", text)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "liquid.toml").write_text(LIQUID + STAGES)
    text = gsim(folder, "check", "liquid.toml")
    check("stage 2 of 2: produce\nis checked when it starts, since it uses results of equilibrate" in text, "check", text)
    check(not (folder / "results").exists(), "files of a check")
    text = gsim(folder, "run", "liquid.toml")
    check(text.index("stage 1 of 2: equilibrate") < text.index("stage 2 of 2: produce"), "order", text)
    reference = digests(text)
    files = {f.name for f in (folder / "results").iterdir()}
    check({"liquid.h5", "liquid.h5md", "liquid.equilibrate.h5", "liquid.equilibrate.h5md"} <= files, "files", *files)
    check("checked when it starts" not in gsim(folder, "check", "liquid.toml"), "check with the results of the first stage")

    # Each stage has the bits of a run of its own.
    (folder / "alone.toml").write_text(LIQUID)
    alone = digests(gsim(folder, "run", "alone.toml", "--output", "results/a.h5"))
    start = f'start={{ kind = "h5md", file = "{folder}/results/a.h5md" }}'
    alone += digests(gsim(folder, "run", "alone.toml", "--set", start, "--set", "md.steps=60", "--output", "results/b.h5"))
    check(reference == alone and len(alone) == 2, "bits of single runs", reference, alone)

    # What is done is left out, what was stopped goes on, also on other ranks, and what is extended gives the bits of a longer run.
    text = gsim(folder, "run", "liquid.toml", "--resume")
    check(text.count(" is done, results in results/liquid") == 2 and not digests(text), "nothing to do", text)
    stopped = ["--output", "results/s.h5", "--set", "checkpoint.time_limit=0.001"]
    gsim(folder, "run", "liquid.toml", *stopped, code=75)
    text = gsim(folder, "run", "liquid.toml", "--resume", "--output", "results/s.h5", ranks=2)
    check(digests(text) == reference, "a run that was stopped in its first stage", text)
    (folder / "longer.toml").write_text((LIQUID + STAGES).replace("md.steps=60", "md.steps=80"))
    longer = digests(gsim(folder, "run", "longer.toml"))
    text = gsim(folder, "run", "longer.toml", "--resume", "--output", "results/liquid.h5")
    check("equilibrate is done" in text and digests(text) == longer[1:], "a longer last stage", text, longer)
    gsim(folder, "replay", "results/liquid.h5", "--quiet")

    # What follows other results of the stage before is not done, although its own keys are the same.
    cold = (LIQUID + STAGES).replace("temperature = 1.44", "temperature = 1.0")
    (folder / "cold.toml").write_text(cold)
    fresh = digests(gsim(folder, "run", "cold.toml"))
    (folder / "bad.toml").write_text(cold.replace("md.steps=60", "md.steps=0.5"))
    gsim(folder, "run", "bad.toml", "--output", "results/liquid.h5", code=2)
    text = gsim(folder, "run", "cold.toml", "--resume", "--output", "results/liquid.h5", ranks=2)
    check("equilibrate is done" in text and digests(text) == fresh[1:], "results of another first stage", text, fresh)

    # Values of results, overrides of the command line, which hold for all stages, and events.
    (folder / "call.toml").write_text(CALL)
    text = gsim(folder, "run", "call.toml", "--log", "json", "--set", "market.assets.A.spot=110.0")
    events = [json.loads(line) for line in text.splitlines()]
    names = [e["name"] for e in events if e["event"] == "stage"]
    check(names == ["first", "second"], "events", names)
    second = gsim(folder, "inspect", "results/call.h5", "--json")
    strike = re.search(r"strike = ([0-9.]+)", json.loads(second)["provenance"]["config_resolved"]).group(1)
    first = json.loads(gsim(folder, "inspect", "results/call.first.h5", "--json"))["tables"]["trades"]["columns"]["price"][0]
    check(float(strike) == first and first > 10, "the strike of the second stage", strike, first)

    # Results of other input files are not done either.
    text = CALL[:CALL.index("[[trades]]")].replace("trades.0.strike={first:trades/price[CALL]}", "seed=2")
    (folder / "book.toml").write_text('trades_file = "trades.csv"\n' + text)
    table = "id,product,type,asset,strike,maturity\nCALL,european,call,A,{},1\n"
    (folder / "trades.csv").write_text(table.format(100))
    check(len(digests(gsim(folder, "run", "book.toml"))) == 2, "stages of a table of trades")
    check(not digests(gsim(folder, "run", "book.toml", "--resume")), "stages with the same trades")
    (folder / "trades.csv").write_text(table.format(110))
    check("input files differ" in gsim(folder, "run", "book.toml", "--resume", code=2), "stages with other trades")

    # A stage that ended by wall time is done.
    timed = CALL.replace('name = "first"', 'name = "first"\nset = ["stop.samples=100000000000", "stop.wall_time=0.1"]')
    (folder / "timed.toml").write_text(timed)
    gsim(folder, "run", "timed.toml")
    check(not digests(gsim(folder, "run", "timed.toml", "--resume")), "a stage that ended by wall time")

    # The lines of a string are not headers of tables.
    text = CALL.replace('"CALL"', '"""\n[[stage]]\nCALL"""', 1).replace("[CALL]", "[row 0]")
    (folder / "lines.toml").write_text(text)
    check("stage 2 of 2" in gsim(folder, "check", "lines.toml", "--measure", 0), "lines of a string")

    # Messages name the line.
    (folder / "none.toml").write_text(CALL.replace("price[CALL]", "none[CALL]"))
    text = gsim(folder, "run", "none.toml", code=2)
    check("none.toml:13:" in text and "has no column `trades/none`" in text, "a reference to no value", text)
    bad = {'name = "equilibrate"': ('name = "a b"', "`a b` is not a name for files"),
           '{equilibrate}': ('{produce}', "`produce` is not an earlier stage"),
           '"md.steps=60"': ('"md.steps"', "`md.steps` is not KEY=VALUE"),
           'name = "produce"': ('name = "equilibrate"', "there are two stages `equilibrate`"),
           'set = [': ('sets = [', "unknown key"),
           'every = 20': ('every = 20\nfile = "both.h5md"', "`equilibrate` and `produce` would both write both.h5md")}
    for old, (new, words) in bad.items():
        (folder / "bad.toml").write_text((LIQUID + STAGES).replace(old, new))
        text = gsim(folder, "run", "bad.toml", code=2)
        check(words in text and "bad.toml:" in text, words, text)
    check("takes a configuration without stages" in gsim(folder, "plot", "liquid.toml", code=2), "plot")
    check("[[stage]]" in gsim(folder, "schema", "md"), "schema")
print("ok")

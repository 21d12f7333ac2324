#!/usr/bin/env python3
"""Runs small forms of the batches of examples/batch, and the scripts that read them. usage: batch_examples.py GSIM"""
import csv
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checked_run import check  # noqa: E402

GSIM = str(pathlib.Path(sys.argv[1]).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True


def run(folder, *command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=folder)
    check(done.returncode == 0, f"{command}: exit code {done.returncode}", done.stdout, done.stderr)
    return done.stdout


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def edit(path, *changes):
    text = path.read_text()
    for old, new in changes:
        check(old in text, f"{path.name} holds no `{old}`")
        text = text.replace(old, new)
    path.write_text(text)


def batch(folder, name, expected):
    """Runs examples/batch/NAME and returns the rows of its table of estimates."""
    text = run(folder, GSIM, "batch", "run", f"examples/batch/{name}/{name}.toml", "--log", "plain")
    check(f"{expected} of {expected} tasks done" in text, name, text)
    with open(folder / f"results/{name}/estimates.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_night(folder):
    run(folder, sys.executable, "examples/batch/night/make_night.py", 80)
    night = folder / "examples/batch/night"
    edit(night / "desk.toml", ("samples = 32768", "samples = 4096"), ("steps_per_year = 50", "steps_per_year = 4"), ("16384", "4096"))
    edit(night / "night.toml", ("samples=16384", "samples=4096"), ("samples=32768", "samples=8192"),
         ("\"risk.inner", "\"risk.history_changes=8\", \"risk.inner"), ("steps_per_year=25", "steps_per_year=4"),
         ("[0.04, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0]", "[0.5, 2.0]"))
    rows = batch(folder, "night", 4)
    count = {name: sum(row["estimate"].startswith(name) for row in rows) for name in ("trades/price", "risk/", "stress/", "netting_sets/cva")}
    check(count == {"trades/price": 160, "risk/": 4, "stress/": 5, "netting_sets/cva": 9}, "estimates of the night", count)
    page = folder / "night.html"
    run(folder, GSIM, "report", "results/night", "--output", page)
    check("BANK-A" in page.read_text(), "the report of the night")


def test_phases(folder):
    edit(folder / "examples/batch/phases/phases.toml", ("[0.9, 1.1, 1.5, 2.0]", "[2.0]"), ("[0.02, 0.1, 0.3, 0.5, 0.7, 0.8]", "[0.1, 0.5]"),
         ("md.steps=5000", "md.steps=600"), ("md.steps=15000", "md.steps=1500"))
    batch(folder, "phases", 6)
    states = load(folder / "examples/batch/phases/equation_of_state.py")
    text = run(folder, sys.executable, "examples/batch/phases/equation_of_state.py")
    check("nan" not in text and text.count("±") == 4 and "of 4 deviations" in text, "the states", text)
    # Kolafa and Nezbeda's own program gives these values; the vapour and liquid of T = 1 are those of their figure 3.
    for value, published in ((states.energy(1.3, 0.2), -1.5371511), (states.energy(1.3, 0.4), -2.8060167),
                             (states.pressure(1.3, 0.2), 0.12147937), (states.pressure(1.3, 0.4), 0.11253335)):
        check(abs(value - published) < 2e-6, "the equation of state", value, published)


def test_shield(folder):
    edit(folder / "examples/batch/shield/shield.toml", ("[0.0, 0.05, 0.09]", "[0.0, 0.05]"),
         ("[10.0, 20.0, 40.0, 60.0, 80.0, 100.0]", "[10.0, 40.0]"))
    edit(folder / "examples/batch/shield/slab.toml", ("particles = 5000", "particles = 1000"), ("batches = 40", "batches = 20"))
    edit(folder / "configs/transport/dogleg.toml", ("iterations = 5", "iterations = 2"), ("batches = 20", "batches = 10"))
    batch(folder, "shield", 6)
    text = run(folder, sys.executable, "examples/batch/shield/attenuation.py")
    slabs = load(folder / "examples/batch/shield/attenuation.py")
    # Albedos of half-spaces by Chandrasekhar's H function, as in validation/transport/half_space_albedo.toml.
    check(abs(slabs.discrete_ordinates(10, 0.5)[1] - 0.115226) < 3e-5, "the albedo", text)


def test_backtest(folder):
    run(folder, sys.executable, "examples/batch/backtest/make_backtest.py", 6)
    rows = batch(folder, "backtest", 6)
    text = run(folder, sys.executable, "examples/batch/backtest/exceptions.py")
    check(text.count("monte_carlo") == 2 and text.count("historical") == 2, "the table of exceptions", text)
    check(len({row["date"] for row in rows}) == 6, "days", rows)
    # A part of a history gives what a file with that part alone gives.
    book, date = folder / "examples/batch/backtest", rows[0]["date"]
    lines = (book / "history.csv").read_text().splitlines(keepends=True)
    last = next(i for i, line in enumerate(lines) if line.startswith(date))
    (book / "part.csv").write_text("".join([lines[0], *lines[last - 10:last + 1]]))
    common = ["run", book / "book.toml", "--set", "risk.methods=['historical']"]
    digests = [re.search(r"digest ([0-9a-f]{12})", run(folder, GSIM, *common, *more)).group(1)
               for more in (["--set", f"risk.history_until='{date}'", "--set", "risk.history_changes=10"],
                            ["--set", "risk.history='part.csv'", "--set", "risk.history_changes=0"])]
    check(digests[0] == digests[1], "a part of a history", digests)
    tests = load(folder / "examples/batch/backtest/exceptions.py")
    # By scipy 1.17: likelihoods with special.xlogy, probabilities by stats.chi2.sf; zones by stats.binom.cdf.
    hits = [1 if day in (3, 4, 5, 90, 91, 200, 240) else 0 for day in range(250)]
    coverage, independence = tests.kupiec(hits, 0.99), tests.christoffersen(hits)
    check(abs(coverage - 5.496990447792683) < 1e-11 and abs(independence - 13.487563523752073) < 1e-11, "likelihood ratios")
    check(abs(tests.chi_square_tail(coverage, 1) - 0.019049230890526535) < 1e-13
          and abs(tests.chi_square_tail(coverage + independence, 2) - 7.54321496593878e-05) < 1e-15, "probabilities")
    zones = [tests.basel_zone([1] * x + [0] * (250 - x), 0.99) for x in (4, 5, 9, 10)]
    check(zones == ["green", "yellow", "yellow", "red"], "zones", zones)


def test_scripts_without_results(folder):
    for script in ("phases/equation_of_state.py", "shield/attenuation.py", "backtest/exceptions.py"):
        for text in (None, "task,T,rho,date,scatter,cm,estimate,row,value,standard_error,unit\n"):
            path = folder / "none.csv"
            path.unlink(missing_ok=True) if text is None else path.write_text(text)
            done = subprocess.run([sys.executable, folder / "examples/batch" / script, path], capture_output=True, text=True)
            check(done.returncode == 1 and done.stderr.count("\n") == 1 and "none.csv" in done.stderr, script, done.stdout, done.stderr)


def test_arguments_of_scripts(folder):
    for script, name in (("night/make_night.py", "TRADES"), ("backtest/make_backtest.py", "DAYS")):
        for words in (["many"], ["0"], ["-5"], ["2.5"], ["10", "20"]):
            done = subprocess.run([sys.executable, folder / "examples/batch" / script, *words], capture_output=True, text=True)
            check(done.returncode == 2 and done.stderr.count("\n") == 1 and f"takes {name}, one whole number" in done.stderr
                  and repr(words[0]) in done.stderr, script, words, done.stdout, done.stderr)


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    for part in ("examples", "configs"):
        shutil.copytree(ROOT / part, scratch / part)
    for test in (test_night, test_phases, test_shield, test_backtest, test_scripts_without_results, test_arguments_of_scripts):
        test(scratch)
        print(test.__name__, "passed", flush=True)

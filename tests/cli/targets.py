#!/usr/bin/env python3
"""Checks the messages about estimates that miss their error targets. usage: targets.py GSIM MPIEXEC"""
import json
import pathlib
import subprocess
import sys
import tempfile

from configurations import MARKET, TRADE

GSIM, MPIEXEC = sys.argv[1:]
START = 'module = "pricing"\nseed = 3\n' + MARKET.format(0.02)
# T2, far out of the money, misses its target.
NO_IMPORTANCE_SAMPLING = "pricing.importance_sampling = false\n"
PORTFOLIO = NO_IMPORTANCE_SAMPLING + START + "".join(TRADE.format(f"T{k}", strike) for k, strike in enumerate((80, 100, 180)))
STOP = "stop.samples = 16384\nstop.relative_error = {}\n"
BALL = """module = "transport"
[transport]
mode = "{mode}"
particles = 200
batches = {batches}
{more}
[[material]]
name = "fuel"
fission = [0.1]
capture = [0.1]
nu = [2.0]
chi = [1.0]
[[surface]]
name = "edge"
kind = "sphere"
center = [0.0, 0.0, 0.0]
radius = 8.0
boundary = "vacuum"
[[cell]]
name = "ball"
region = "-edge"
fill = "fuel"
"""
TALLY = """[[tally]]
name = "all"
scores = ["flux"]
trigger = {relative_error = 0.1}
"""


def gsim(folder, text, *options, command="run", ranks=1):
    (folder / "run.toml").write_text(text)
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run([*launcher, GSIM, command, "run.toml", *options], cwd=folder, check=False,
                          capture_output=True, text=True)


def events(run):
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return {e["name"]: e for e in lines if e["event"] == "estimate"}, lines[-1]


def check_run(run, words, code):
    """Checks that a run ended with exit code `code` and printed `words`."""
    assert run.returncode == code and words in run.stdout, (run.returncode, run.stdout, run.stderr)


def unconverged(folder):
    """One line names the worst estimate; the exit code depends on stop.require_converged."""
    missed = STOP.format("1e-2") + PORTFOLIO
    run = gsim(folder, missed)
    check_run(run, "1 of 3 trades has not converged; the worst is T2 with ", 0)
    line = next(x for x in run.stdout.splitlines() if "has not converged" in x)
    assert line.endswith(" %"), line
    strict = "stop.require_converged = true\n" + missed
    for ranks in (1, 3):
        check_run(gsim(folder, strict, ranks=ranks), line + "; exit code 3 (stop.require_converged)", 3)
    run = gsim(folder, strict, "--log", "json")
    estimates, end = events(run)
    assert run.returncode == end["exit_code"] == 3 and end["reason"] == "finished", end
    assert [estimates[f"T{k}"]["converged"] for k in range(3)] == [True, True, False], estimates
    targets = end["targets"]
    assert (targets["judged"], targets["converged"], targets["worst"]) == (3, 2, "T2"), targets
    worst = estimates["T2"]
    assert targets["worst_relative_error"] == worst["standard_error"] / abs(worst["mean"]), targets
    # All targets are met: no such line, and exit code 0.
    run = gsim(folder, strict.replace(NO_IMPORTANCE_SAMPLING, "").replace("1e-2", "0.5"))
    assert run.returncode == 0 and "have not" not in run.stdout and "has not" not in run.stdout, run


def single(folder):
    """The message about a single trade names its error: relative, absolute or unknown."""
    text = STOP.format("1e-3") + START + TRADE.format("T0", 100)
    check_run(gsim(folder, text), "T0 has not converged: its error is ", 0)
    text = STOP.replace("relative", "absolute").format("1e-3") + START + TRADE.format("T0", 100)
    run = gsim(folder, text)
    line = next(x for x in run.stdout.splitlines() if "has not converged" in x)
    assert "%" not in line, line
    # Samples that all paid the same amount have no error.
    text = STOP.format("1e-3") + PORTFOLIO.replace("180", "100000")
    check_run(gsim(folder, text), "; the worst is T2, whose error is unknown", 0)


def skipped(folder):
    """A skipped trade counts as not converged."""
    text = 'pricing.on_error = "skip"\n' + STOP.format("0.5") + PORTFOLIO.replace("180", "-180")
    check_run(gsim(folder, text), "\n1 trade was skipped because of bad data\n", 0)
    check_run(gsim(folder, text, "--set", "stop.require_converged=true"),
         "1 trade was skipped because of bad data; exit code 3", 3)


def no_target(folder):
    """Convergence cannot be required where no target is set; there is no message then."""
    text = "stop.samples = 16384\n" + PORTFOLIO
    run = gsim(folder, text, "--log", "json")
    estimates, end = events(run)
    assert all(e["converged"] is None for e in estimates.values()), estimates
    assert end["targets"]["judged"] == 0 and end["targets"]["worst"] == "T2", end
    for command in ("run", "check"):
        run = gsim(folder, text, "--set", "stop.require_converged=true", command=command)
        assert run.returncode == 2 and "no error target" in run.stderr, run
        assert run.stderr.count("error:") == 1, run.stderr


def transport(folder):
    """An estimate of k or a tally whose target ends the run is reported as converged."""
    eigenvalue = BALL.format(mode="k_eigenvalue", batches=60, more="inactive = 5")
    run = gsim(folder, "stop.relative_error = 0.5\n" + eigenvalue, "--log", "json")
    estimates, end = events(run)
    assert end["reason"] == "converged" and run.returncode == 0, run
    assert end["targets"] == {**end["targets"], "judged": 1, "converged": 1}, end
    judged = {name: e["converged"] for name, e in estimates.items() if e["converged"] is not None}
    assert list(judged.values()) == [True], estimates
    run = gsim(folder, "stop.relative_error = 1e-6\n" + eigenvalue)
    check_run(run, f"{next(iter(judged))} has not converged: its error is ", 0)
    triggered = eigenvalue + TALLY
    for ranks in (1, 2):
        run = gsim(folder, triggered, "--log", "json", ranks=ranks)
        estimates, end = events(run)
        assert end["reason"] == "converged", end
        assert end["targets"] == {"judged": 1, "converged": 1, **{k: end["targets"][k] for k in (
            "worst", "worst_relative_error")}} and end["targets"]["worst"] == "tally all", end
        assert all(e["converged"] is None for e in estimates.values()), estimates
        run = gsim(folder, triggered.replace("= 0.1}", "= 1e-5}"), "--set",
                   "stop.require_converged=true", ranks=ranks)
        check_run(run, "tally all has not converged: its error is ", 3)


SLAB = """module = "transport"
stop.absolute_error = 0.1
[transport]
mode = "fixed_source"
particles = 1000
batches = 30
capture = "analog"
[[material]]
name = "lead"
capture = [1.0]
scatter = [[0.0]]
[[box]]
name = "slab"
lower = [-1.0, -1.0, -1.0]
upper = [{}, 1.0, 1.0]
boundary = "vacuum"
[[cell]]
name = "slab"
region = "-slab"
fill = "lead"
[[source]]
space = {{kind = "point", position = [0.0, 0.0, 0.0]}}
angle = {{kind = "beam", axis = [1.0, 0.0, 0.0]}}
[[mesh]]
name = "depth"
lower_left = [0.0]
upper_right = [{}]
shape = [10]
[[tally]]
name = "depth"
scores = ["flux"]
mesh = "depth"
trigger = {{absolute_error = 0.1}}
"""


def few_histories(folder):
    """A tally with few contributing histories meets no target, however small its variance, and gets a remark."""
    for ranks in (1, 2, 3):
        run = gsim(folder, SLAB.format(9.5, 9.5), "--log", "json", ranks=ranks)
        estimates, end = events(run)
        assert end["reason"] == "finished" and end["targets"]["converged"] == 0, end
        leakage = estimates["leakage"]
        assert leakage["standard_error"] < 0.1 and leakage["converged"] is False, leakage
        assert "of 30 samples contribute: the error is widened, and does not count as converged" in \
            leakage["remark"], leakage
        run = gsim(folder, SLAB.format(9.5, 9.5), ranks=ranks)
        line = next(x for x in run.stdout.splitlines() if x.startswith("tally `depth`"))
        assert ("of its 10 values are estimated" in line or "of its 10 values is estimated" in line) and "fewer than 10 contributing histories" in line, line
        assert "leakage: about " in run.stdout, run.stdout
    run = gsim(folder, SLAB.format(1.0, 1.0), "--log", "json")
    estimates, end = events(run)
    assert end["reason"] == "converged" and estimates["leakage"]["remark"] == "", end


def unconverged_source(folder):
    """A fission source that has not converged gives a warning event, and k meets no target. The sphere is large compared
    with the migration length of the neutrons, which start everywhere or in its centre."""
    large = BALL.format(mode="k_eigenvalue", batches=100, more="inactive = 20").replace(
        "radius = 8.0", "radius = 1600.0").replace("chi = [1.0]", "chi = [1.0]\nscatter = [[0.3]]")
    central = '[[source]]\nspace = {kind = "point", position = [0.0, 0.0, 0.0]}\n'
    for text in (large, large + central):
        for ranks in (1, 3):
            run = gsim(folder, "stop.relative_error = 0.05\n" + text, "--log", "json", ranks=ranks)
            estimates, end = events(run)
            warned = [json.loads(x)["message"] for x in run.stdout.splitlines() if '"warning"' in x]
            assert sum("THE FISSION SOURCE" in x for x in warned) == 1, (warned, run.stdout)
            k = estimates["k_effective"]
            assert k["converged"] is False and "THE FISSION SOURCE" in k["remark"], k
            assert end["reason"] == "finished" and k["standard_error"] < 0.05, end


with tempfile.TemporaryDirectory() as scratch:
    for test in (unconverged, single, skipped, no_target, transport, few_histories, unconverged_source):
        test(pathlib.Path(scratch))
print("all messages about unconverged estimates are as expected")

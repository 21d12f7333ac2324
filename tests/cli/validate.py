#!/usr/bin/env python3
"""Checks `gsim validate` with validation sets that this test writes. usage: validate.py GSIM MPIEXEC"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

GSIM, MPIEXEC = sys.argv[1], sys.argv[2]
CALL = 10.4505835722  # Black and Scholes 1973: S = K = 100, r = 0.05, volatility 0.2, T = 1
SET = """id = "{name}"
title = "Test"
citation = "Black and Scholes 1973"
check = "closed form, ten digits"
source_tolerance = 1e-9
columns = ["strike", "value"]
rows = [{rows}]
name = "K={{strike}}"
reference = "{{value}}"
scale = "100"
config = \"\"\"
module = "pricing"
[stop]
samples = {samples}
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
volatility = 0.2
[[trades]]
id = "case"
asset = "A"
product = "{product}"
{more}
type = "call"
strike = {{strike}}
maturity = 1.0
\"\"\"
"""


def check(condition, what, *details):
    if not condition:
        print("FAILED:", what, *details, sep="\n  ")
        sys.exit(1)


def write(data, name, *values, product="european", more="", samples=1 << 30):
    rows = ", ".join(f'"100 | {value}"' for value in values)
    (data / "pricing" / f"{name}.toml").write_text(
        SET.format(name=name, rows=rows, product=product, more=more, samples=samples))


def command(data, *arguments, ranks=0):
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
    return [*launcher, GSIM, "validate", "pricing", "--data", str(data), *arguments]


def run(data, *arguments, ranks=0):
    done = subprocess.run(command(data, *arguments, ranks=ranks), capture_output=True, text=True,
                          check=False, timeout=120, env=dict(os.environ, NO_COLOR="1"))
    return done.returncode, done.stdout, done.stderr


def verdicts(data):
    """Right reference values pass and a wrong one fails; a case that cannot run fails without affecting the others."""
    code, out, err = run(data, "--only", "right")
    check(code == 0 and "2 of 2" in out, "right values pass", out, err)
    check("reference: closed form, ten digits" in out, "how the reference was verified", out)
    code, out, err = run(data, "--only", "wrong", "--only", "right", ranks=2)
    check(code == 1 and "3 of 4" in out, "a wrong value fails", out, err)
    check("not passed: wrong: K=100: differs" in out, "the failure is named", out)
    code, out, err = run(data, "--only", "too_few_samples", "--json")
    report = json.loads(out)
    check(code == 1 and not report["passed"] and report["complete"], "too few samples fail", out)
    check("did not reach" in report["cases"][0]["reason"], "the reason says that the error target was not reached", out)
    check(report["cases"][0]["check"] == "closed form, ten digits", "the report says how the reference was verified", out)
    check("too_few_samples" in err and "cases done" in err, "progress goes to stderr", err)
    code, out, err = run(data, "--only", "broken", "--only", "right", "--json")
    report = json.loads(out)
    check(code == 1 and len(report["cases"]) == 3, "an error fails only its own case", out)
    check("strike" in report["cases"][0]["reason"], "the error is the reason of the failed case", out)


def names(data):
    """A set that does not exist is an input error."""
    code, out, err = run(data, "--only", "rihgt")
    check(code == 2 and out == "" and "did you mean right?" in err, "unknown set", out, err)


def devices(data):
    """--device selects the processor; cuda without a GPU is an error before any case runs, not a run on the CPU."""
    code, out, err = run(data, "--only", "right", "--device", "cpu")
    check(code == 0 and "2 of 2" in out, "--device cpu", out, err)
    code, out, err = run(data, "--only", "right", "--device", "gpu")
    check(code == 2 and "--device" in err, "an unknown device", out, err)
    info = subprocess.run([GSIM, "info"], capture_output=True, text=True, check=True).stdout
    code, out, err = run(data, "--only", "right", "--device", "cuda")
    if "GPUs      none" in info:
        check(code == 1 and out == "" and err.count("error:") == 1 and 'device = "cuda"' in err, "cuda without a GPU", out, err)
    else:
        check(code == 0 and "2 of 2" in out, "--device cuda", out, err)


def files(data):
    """A set can be given as a file; an error in the file is reported with its line before any case runs."""
    def validate(file):
        done = subprocess.run([GSIM, "validate", str(file)], capture_output=True, text=True, check=False, timeout=120,
                              env=dict(os.environ, NO_COLOR="1"))
        return done.returncode, done.stdout, done.stderr

    right = data / "pricing/right.toml"
    code, out, err = validate(right)
    check(code == 0 and "2 of 2" in out, "a set that is given as a file", out, err)
    invalid = data / "invalid.toml"
    text = right.read_text()
    for old, new, *words in (
            ("volatility = 0.2", "volatilty = 0.2", "invalid.toml [K=100]:19:", "did you mean `volatility`?"),
            ("columns =", "colums =", "invalid.toml:6:", "did you mean `columns`?"),
            ('reference = "{value}"', 'reference = "{price}"', "invalid.toml:9:", "a column `price`"),
            ('rows = ["100 |', 'rows = ["100 | 1 |', "invalid.toml:7:", "3 entries for 2 columns")):
        check(old in text, f"the set has {old}")
        invalid.write_text(text.replace(old, new, 1))
        code, out, err = validate(invalid)
        check(code == 2 and out == "" and err.count("error:") == 1, f"{new}: one message, exit {code}", out, err)
        for word in words:
            check(word in err, f"{new}: says {word}", err)
    schema = subprocess.run([GSIM, "schema", "--validation", "--json"], capture_output=True, text=True, check=True)
    keys = json.loads(schema.stdout)["properties"]
    check({"id", "rows", "value", "run", "scale"} <= set(keys), "the schema has the keys of sets", schema.stdout)
    readme = (pathlib.Path(__file__).parents[2] / "validation/README.md").read_text()
    nested = [key for table in keys.values() for key in table.get("items", table).get("properties", {})]
    for key in [*keys, *nested]:
        check(f"`{key}`" in readme or f"[{key}]" in readme, f"validation/README.md documents `{key}`")


def interruption(data, threads):
    """Checks that a signal ends the validation with a report of the finished cases. Returns the number of threads of the process."""
    process = subprocess.Popen(command(data, "--full", "--json", "--threads", str(threads)),
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for line in process.stderr:  # sets run in the order of their names: "too_long" is the last
        if "right" in line:
            break
    tasks = len(os.listdir(f"/proc/{process.pid}/task"))
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=60)
    report = json.loads(out)
    check(process.returncode == 1, f"exit code {process.returncode}")
    check(not report["complete"] and not report["passed"], "the report is marked as incomplete", out)
    check(len(report["cases"]) == 2 and report["cases_planned"] == 3, "the report contains the finished cases", out)
    return tasks


with tempfile.TemporaryDirectory() as folder:
    sets = pathlib.Path(folder) / "verdicts"
    (sets / "pricing").mkdir(parents=True)
    write(sets, "right", CALL, CALL)
    write(sets, "wrong", CALL + 0.1, CALL)
    write(sets, "too_few_samples", CALL, samples=4096)
    write(sets, "broken", CALL, more="strike = 90.0")
    verdicts(sets)
    names(sets)
    devices(sets)
    files(sets)
    interrupted = pathlib.Path(folder) / "interrupted"
    (interrupted / "pricing").mkdir(parents=True)
    write(interrupted, "right", CALL, CALL)
    write(interrupted, "too_long", 5.0, product="asian", more="fixing_count = 20000",
          samples=1 << 40)
    check(interruption(interrupted, 3) == interruption(interrupted, 1) + 2, "--threads sets the number of threads")
print("gsim validate: all checks passed")

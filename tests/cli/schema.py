#!/usr/bin/env python3
"""Compares `gsim schema --json` with gsim: both must accept and refuse the same configurations. usage: schema.py GSIM

Skipped (77) where Python's jsonschema, or a TOML reader, is missing."""
import copy
import datetime
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile


def skip(why):
    print(f"SKIPPED: {why}: the JSON Schema is not checked", flush=True)
    sys.exit(77)


try:
    import jsonschema
except ImportError:  # try the distribution's Python, which may have the package
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    skip("no Python package jsonschema (apt: python3-jsonschema)")
try:
    import tomllib
except ImportError:  # before Python 3.11
    try:
        import tomli as tomllib
    except ImportError:
        skip("no TOML reader (Python 3.11, or apt: python3-tomli)")

GSIM = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHIPPED = ("configs", "examples", "validation/digests", "validation/performance")
BASE = {
    "module": "pricing",
    "stop": {"samples": 4096},
    "market": {
        "rate": 0.05,
        "assets": {
            "S": {"spot": 100.0, "volatility": 0.2},
            "H": {"spot": 50.0, "model": "heston", "v0": 0.04, "kappa": 1.5, "theta": 0.04,
                  "sigma": 0.3, "rho": -0.7},
            "J": {"spot": 50.0, "model": "merton", "volatility": 0.2, "jump_intensity": 0.5,
                  "jump_mean": -0.1, "jump_sd": 0.1},
        },
        "correlation": {"assets": ["S", "H"], "matrix": [[1.0, 0.5], [0.5, 1.0]]},
    },
    "trades": [
        {"id": "call", "product": "european", "asset": "S", "type": "call", "strike": 100.0,
         "maturity": 1.0},
        {"id": "basket", "product": "basket", "assets": ["S", "H"], "weights": [0.5, 0.5],
         "type": "put", "strike": 75.0, "maturity": 0.5},
    ],
}
ABSENT = object()
# Changes of BASE that both must refuse: the path of a key, and its new value.
INVALID = {
    "unknown key at the top": ("seeds", 1),
    "unknown key in a table": ("stop.sample", 5),
    "unknown key of an asset": ("market.assets.S.volatilty", 0.2),
    "key of another model": ("market.assets.S.kappa", 1.0),
    "key of another product": ("trades.0.barrier", 90.0),
    "unknown table": ("markets", {}),
    "string for a number": ("market.assets.S.spot", "100"),
    "number for a string": ("trades.0.id", 7),
    "real for an integer": ("stop.samples", 4096.5),
    "boolean for a number": ("trades.0.strike", True),
    "number for a boolean": ("pricing.antithetic", 1),
    "table for a list": ("trades", {"id": "call"}),
    "list for a table": ("market", []),
    "number for a list": ("trades.1.weights", 0.5),
    "string in a list of numbers": ("trades.1.weights", [0.5, "0.5"]),
    "list for a list of lists": ("market.correlation.matrix", [1.0, 0.5]),
    "below the minimum": ("stop.samples", -1),
    "above the maximum": ("threads", 5000),
    "at an exclusive minimum": ("market.assets.S.spot", 0.0),
    "element out of range": ("market.correlation.matrix", [[1.0, 1.5], [1.5, 1.0]]),
    "out of range in a number or table": ("market.rate", 11.0),
    "word that is not in the list": ("device", "gpu"),
    "unknown model": ("market.assets.S.model", "hston"),
    "unknown product": ("trades.0.product", "europaean"),
    "unknown unit of time": ("checkpoint.interval", "5 parsecs"),
    "time without a number": ("checkpoint.interval", "min"),
    "negative time": ("checkpoint.interval", -1.0),
    "missing module": ("module", ABSENT),
    "missing table": ("market", ABSENT),
    "missing key": ("trades.0.id", ABSENT),
    "missing key of the default model": ("market.assets.S.volatility", ABSENT),
    "missing key of a chosen model": ("market.assets.J.jump_sd", ABSENT),
    "missing key of a product": ("trades.0.strike", ABSENT),
    "missing key of a table in place of a number": ("market.rate", {"times": [1.0]}),
    "a rate table in percent": ("market.rate", {"times": [1.0], "values": [20.0]}),
    "a volatility table in percent": ("market.assets.S.volatility",
                                      {"times": [1.0], "values": [20.0]}),
    "empty list": ("market.rate", {"times": [], "values": []}),
}
# Changes of BASE that both must accept.
VALID = {
    "unchanged": ("module", "pricing"),
    "integers for reals": ("market.assets.S.spot", 100),
    "a time in seconds": ("checkpoint.interval", 90),
    "a time with units": ("checkpoint.interval", "1 h 30 min"),
    "a time in milliseconds": ("stop.wall_time", "2500ms"),
    "a time with a fraction": ("stop.wall_time", "1.5 hours"),
    "a table for a number": ("market.rate", {"times": [1.0, 2.0], "values": [0.01, 0.02]}),
    "the default model by name": ("market.assets.S.model", "black_scholes"),
    "a key of an optional table": ("pricing.steps_per_year", 50),
    "an empty table": ("output", {}),
    "an unusual but valid name": ("market.assets.Ä b", {"spot": 1.0, "volatility": 0.1}),
    "a large seed": ("seed", 2**62),
}
failures = []


def json_values(value):
    """`value` as editors compare it with a schema: JSON has no dates, so that those of TOML are strings."""
    if isinstance(value, dict):
        return {key: json_values(item) for key, item in value.items()}
    if isinstance(value, list):
        return [json_values(item) for item in value]
    return value.isoformat() if isinstance(value, datetime.date) else value


def check(condition, *what):
    if not condition:
        failures.append(what[0])
        print("FAILED:", *what, sep="\n  ")


def changed(path, value):
    config = copy.deepcopy(BASE)
    *parents, last = [int(p) if p.isdigit() else p for p in path.split(".")]
    at = config
    for part in parents:
        at = at.setdefault(part, {}) if isinstance(at, dict) else at[part]
    if value is ABSENT:
        del at[last]
    else:
        at[last] = value
    return config


def toml(value):
    """A value as TOML, tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def accepted_by_gsim(config, folder):
    path = folder / "variant.toml"
    path.write_text("".join(f"{k} = {toml(v)}\n" for k, v in config.items()), encoding="utf-8")
    done = subprocess.run([GSIM, "check", path], capture_output=True, text=True, check=False)
    check(done.returncode in (0, 2), f"exit {done.returncode}: {done.stderr}")
    return done.returncode == 0, done.stderr


def errors(validator, config):
    return [f"{'.'.join(map(str, e.absolute_path))}: {e.message}"
            for e in validator.iter_errors(config)]


def validator_of(module):
    """The schema of a module, or with "--batch" that of manifests, and its validator."""
    schema = json.loads(subprocess.run([GSIM, "schema", module, "--json"], check=True,
                                       capture_output=True, text=True).stdout)
    dialect = jsonschema.validators.validator_for(schema, default=None)
    check(dialect is not None, "the schema declares a draft that jsonschema knows")
    dialect.check_schema(schema)
    return schema, dialect(schema)


def main(folder):
    schema, validator = validator_of("pricing")
    validators = {"pricing": validator}
    validators |= {m: validator_of(m)[1] for m in ("risk", "exposure", "multilevel", "md", "transport")}
    validators["manifest"] = validator_of("--batch")[1]
    samples = schema["properties"]["stop"]["properties"]["samples"]["description"]
    check("rounded up to whole blocks" in samples, "the schema describes stop.samples", samples)
    shipped = [p for place in SHIPPED for p in sorted((ROOT / place).rglob("*.toml"))
               if p.parent.name != "data" and p.name != "pyproject.toml"
               and "plugins" not in p.parts]  # gsim refuses those of plugins, which are not loaded
    check(len(shipped) > 10, f"only {len(shipped)} configurations are shipped?")
    for path in shipped:
        config = json_values(tomllib.loads(path.read_text(encoding="utf-8")))
        messages = errors(validators["manifest" if "task" in config else config["module"]], config)
        check(not messages, f"{path.name} is refused", *messages)
    for name, (path, value) in INVALID.items():
        config = changed(path, value)
        check(errors(validator, config), f"{name}: the schema accepts it", path)
        check(not accepted_by_gsim(config, folder)[0], f"{name}: gsim accepts it", path)
    for name, (path, value) in VALID.items():
        config = changed(path, value)
        messages = errors(validator, config)
        check(not messages, f"{name}: the schema refuses it", *messages)
        accepted, message = accepted_by_gsim(config, folder)
        check(accepted, f"{name}: gsim refuses it", message)
    print(f"{len(shipped)} shipped configurations, {len(VALID)} valid and {len(INVALID)} invalid variants")


with tempfile.TemporaryDirectory() as name:
    main(pathlib.Path(name))
print("failed:" if failures else "schema and gsim agree", *failures, sep="\n  ")
sys.exit(1 if failures else 0)

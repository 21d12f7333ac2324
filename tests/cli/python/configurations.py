#!/usr/bin/env python3
"""Tests configurations from Python: classes from the schema, TOML, messages, type stubs. usage: configurations.py GSIM"""
import ast
import copy
import datetime
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib
import unittest

import support
import gsim
from gsim import errors, schema, stubs, tables, toml
from gsim.modules import batch, exposure, md, multilevel, pricing, risk, transport

MODULES = {"pricing": pricing, "risk": risk, "exposure": exposure, "multilevel": multilevel, "md": md, "transport": transport,
           "batch": batch}
SHIPPED = [path for folder in ("configs", "examples", "validation/digests") for path in sorted((support.ROOT / folder).rglob("*.toml"))
           if not {"plugins", "data", "python"} & set(path.parts)]


def classes_in(config):
    """All classes of tables within a class, variants too."""
    yield config
    for inner in [*config._variants.values(), *config._inner.values()]:
        yield from classes_in(inner)


class Toml(unittest.TestCase):
    def test_values_are_read_back(self):
        values = {"a": 1, "b": -0.5, "c": True, "d": "quotes \" and \\ and \n, é \x7f", "e": [1.5, 2.0], "f": [[1.0], [2.0]], "g": [],
                  "h": datetime.date(2026, 11, 28), "i": 1e300, "j": math.inf, "k": {}, "l": {"m": {"n": 1}, "o p.q": "x"},
                  "r": [{"s": 1, "t": {"u": [{"v": 2}]}}, {}], "w": [[{"x": 1}], [{"y": {"z": False}}]], "aa": -(2**63)}
        self.assertEqual(tomllib.loads(toml.dumps(values)), values)
        self.assertTrue(math.isnan(tomllib.loads(toml.dumps({"x": math.nan}))["x"]))

    def test_numpy_paths_and_none(self):
        import numpy as np
        values = {"a": np.float64(0.1), "b": np.arange(3), "c": np.eye(2), "d": pathlib.Path("x/y"), "e": None, "f": (1, 2), "g": np.int32(7)}
        self.assertEqual(tomllib.loads(toml.dumps(values)),
                         {"a": 0.1, "b": [0, 1, 2], "c": [[1.0, 0.0], [0.0, 1.0]], "d": "x/y", "f": [1, 2], "g": 7})

    def test_what_toml_does_not_have(self):
        for value in (object(), 2**63, 1j):
            self.assertRaises(TypeError, toml.dumps, {"a": value})


class Classes(unittest.TestCase):
    def test_shipped_configurations(self):
        self.assertGreater(len(SHIPPED), 30)
        for path in SHIPPED:
            text = path.read_text(encoding="utf-8")
            values = tomllib.loads(text)
            config = gsim.load(path)
            self.assertIsInstance(config, MODULES[values.get("module", "batch")].Config)
            self.assertEqual(gsim.to_dict(config), values, path)
            self.assertEqual(tomllib.loads(gsim.to_toml(config)), values, path)

    def test_building(self):
        market = pricing.Market(rate=0.05, assets={"S": pricing.Market.Assets.BlackScholes(spot=100.0, volatility=0.2)})
        trade = pricing.Trades.European(id="CALL", asset="S", type="call", strike=100.0, maturity=1.0)
        config = pricing.Config(seed=3, stop={"samples": 8192}, market=market, trades=[trade])
        expected = copy.deepcopy(support.OPTIONS)
        expected["market"]["assets"]["S"]["model"] = "black_scholes"
        self.assertEqual(gsim.to_dict(config), expected)
        config.stop.samples = None
        config.stop.wall_time = "1 min"
        config.checkpoint.at_end = False
        config.market.assets["S"].spot = 90
        config.trades.append({"id": "X"})
        self.assertEqual(config.output.file, "")  # a default; reading it adds no table
        self.assertEqual(config.pricing.antithetic, False)
        found = gsim.to_dict(config)
        self.assertEqual((found["stop"], found["checkpoint"], found["trades"][1]), ({"wall_time": "1 min"}, {"at_end": False}, {"id": "X"}))
        self.assertEqual(found["market"]["assets"]["S"]["spot"], 90)
        self.assertNotIn("output", found)
        self.assertNotIn("pricing", found)
        self.assertEqual(copy.deepcopy(config), config)
        self.assertNotEqual(pricing.Config(seed=1), pricing.Config(seed=2))
        del config.checkpoint
        self.assertNotIn("checkpoint", gsim.to_dict(config))
        self.assertEqual(repr(trade), "Trades.European(id='CALL', asset='S', type='call', strike=100.0, maturity=1.0)")
        self.assertEqual(batch.Task.Vary(from_=1.0, to=2.0).from_, 1.0)
        self.assertEqual(gsim.to_dict(batch.Task.Vary(from_=1.0)), {"from": 1.0})

    def test_mistakes(self):
        trades = pricing.Trades
        wrong = {
            "trades.strke": lambda: trades.European(strke=1.0),
            "trades.strike": lambda: trades.European(strike=-1.0),
            "trades.barrier": lambda: trades.European(barrier=1.0),
            "stop.samples": lambda: pricing.Stop(samples=1.5),
            "trades.1.strike": lambda: pricing.Config(trades=[support.OPTIONS["trades"][0], {"product": "european", "strike": "1"}]),
            "market.assets.A.spot": lambda: pricing.Market(assets={"A": {"spot": 0}}),
            "device": lambda: pricing.Config(device="gpu"),
            "market": lambda: pricing.Config(market=[]),
            "trades": lambda: pricing.Config(trades={"id": "X"}),
            "module": lambda: pricing.Config(module="md"),
            "source.0.space.radius": lambda: transport.Config(source=[{"space": {"kind": "sphere", "radius": True}}]),
        }
        for key, make in wrong.items():
            with self.assertRaises(gsim.ConfigError, msg=key) as caught:
                make()
            self.assertEqual(caught.exception.key, key)
            self.assertIn(key.split(".")[-1], str(caught.exception))
        self.assertIn("did you mean `strike`?", str(caught_by(wrong["trades.strke"])))
        self.assertRaises(AttributeError, getattr, trades.European(), "strke")
        self.assertFalse(hasattr(trades.European(), "strke"))

    def test_every_key_is_an_attribute(self):
        """Also after plugins add keys: nothing is listed here."""
        for name, module in MODULES.items():
            for made in classes_in(module.Config):
                keys = made._schema.variants.get(made._word or "", made._schema).keys
                for key in keys:
                    self.assertTrue(key.attribute.isidentifier(), f"{name}: {key.name}")
                    self.assertFalse(hasattr(made, key.attribute), f"{name}: {made.__qualname__}.{key.attribute} hides a key")
                    self.assertIn(f"\n{key.attribute}: ", made.__doc__)
                self.assertEqual(set(made.__signature__.parameters),
                                 {key.attribute for key in keys} - ({made._schema.selector} if made._word else set()))

    def test_documentation_has_unit_range_and_default(self):
        document = pricing.Trades.European.__doc__
        self.assertIn("quantity: number of contracts; negative: a short position; default 1.0", document)
        self.assertIn("at least 0; required", next(line for line in document.splitlines() if line.startswith("strike")))
        self.assertIn("[s]", next(line for line in pricing.Stop.__doc__.splitlines() if line.startswith("wall_time")))

    def test_modules_that_do_not_exist(self):
        self.assertRaises(ImportError, __import__, "gsim.modules.nothing")
        self.assertRaises(gsim.ConfigError, tables.make, pricing.Config, 3)
        pathlib.Path("nothing.toml").write_text('module = "nothing"\n')
        self.assertRaises(gsim.ConfigError, gsim.load, "nothing.toml")
        self.assertRaises(gsim.ConfigError, gsim.load, "missing.toml")


def caught_by(make):
    try:
        make()
    except gsim.ConfigError as error:
        return error
    return None


class Checking(unittest.TestCase):
    def test_forecast(self):
        forecast = gsim.check(support.OPTIONS, ranks=4)
        self.assertIn("2 blocks at most", forecast.work)
        self.assertRegex(forecast.memory, r"^\d+ .B per rank$")
        self.assertRegex(forecast.time, r"^[0-9.]+ s .*on 4 ranks")
        self.assertEqual(forecast.notes, ("1 time step per path, at most 8192 samples per trade, 4096 per block",))
        self.assertIn("results/run.h5", str(forecast))
        self.assertEqual(os.listdir("."), [])

    def test_messages_carry_the_key(self):
        without = copy.deepcopy(support.OPTIONS)
        del without["trades"][0]["strike"]
        for key, config, overrides in (("trades.0.strike", without, {}), ("stop.sampels", support.OPTIONS, {"stop.sampels": 1}),
                                       ("market", {"module": "pricing"}, {}), ("module", {"module": "nothing"}, {}),
                                       ("trades.0.asset", {**support.OPTIONS, "trades": [{**support.OPTIONS["trades"][0], "asset": "T"}]}, {})):
            with self.assertRaises(gsim.ConfigError) as caught:
                gsim.check(config, set=overrides)
            self.assertEqual(caught.exception.key, key, caught.exception)
            self.assertNotIn(".toml", str(caught.exception))
        path = gsim.save(without, "wrong.toml")
        with self.assertRaises(gsim.ConfigError) as caught:
            gsim.check(path)
        self.assertEqual((caught.exception.key, caught.exception.file), ("trades.0.strike", "wrong.toml"))
        self.assertEqual(path.read_text().splitlines()[caught.exception.line - 1], "[[trades]]")
        path.unlink()

    def test_names_of_files_are_relative_to_the_folder(self):
        os.mkdir("books")
        pathlib.Path("books/trades.csv").write_text("id,product,asset,type,strike,maturity\nA,european,S,call,100,1\n")
        config = {key: value for key, value in support.OPTIONS.items() if key != "trades"} | {"trades_file": "trades.csv"}
        self.assertRaises(gsim.ConfigError, gsim.check, config)
        self.assertIn("1 trade", str(gsim.check(config, folder="books")))
        gsim.save(config, "books/book.toml")
        self.assertIn("1 trade", str(gsim.check(gsim.load("books/book.toml"))))
        shutil.rmtree("books")

    def test_places_in_texts(self):
        text = ('a = 1\n[b]\n"c d" = 2 # x\ne.f = 3\n[[g]]\nh = 1\n[[g.i]]\nj = 1\n[[g]]\n[[g.i]]\nk = 1\n[[g.i]]\n[l.m]\n'
                'n = { o = 1, p = { q = "=", r = 2 }, s = 3 }\n')
        for line, column, key in ((1, 1, "a"), (2, 1, "b"), (3, 9, "b.c d"), (4, 1, "b.e.f"), (6, 1, "g.0.h"), (8, 1, "g.0.i.0.j"),
                                  (11, 1, "g.1.i.0.k"), (12, 1, "g.1.i.1"), (14, 7, "l.m.n.o"), (14, 31, "l.m.n.p.r"), (14, 40, "l.m.n.s")):
            self.assertEqual(errors.key_at(text, line, column), key, (line, column))


class Stubs(unittest.TestCase):
    def test_stubs_have_the_classes(self):
        """The classes, keys and arguments of a stub are those that are made at run time."""
        for name, module in MODULES.items():
            text = stubs.stub_text(name, gsim.Program().schema_text(name))
            found = {}
            collect(ast.parse(text), "", found)
            made = {}
            for table in classes_in(module.Config):
                made[table.__qualname__] = set(table.__signature__.parameters)
            self.assertEqual({key: set(value) for key, value in found.items()}, made, name)

    def test_refreshing(self):
        folder = pathlib.Path("package/gsim/modules")
        folder.mkdir(parents=True)
        text = gsim.Program().schema_text("batch")
        self.assertTrue(stubs.refresh("batch", text, folder))
        self.assertFalse(stubs.refresh("batch", text, folder))
        (folder / "batch.pyi").write_text("# of another schema\n")
        self.assertTrue(stubs.refresh("batch", text, folder))
        self.assertEqual((folder / "batch.pyi").read_text(), stubs.stub_text("batch", text))
        (folder / "batch.pyi").unlink()
        pathlib.Path("package/pyproject.toml").touch()  # a source tree
        self.assertFalse(stubs.refresh("batch", text, folder))
        shutil.rmtree("package")

    @unittest.skipUnless(shutil.which("mypy", path="/usr/bin:" + os.environ["PATH"]), "no mypy (apt: mypy)")
    def test_types(self):
        """`mypy --strict` accepts package, stubs and examples, and refuses a wrong argument and a wrong word."""
        shutil.copytree(support.PACKAGE, "typed", ignore=shutil.ignore_patterns("*.pyi", "__pycache__", "results"))
        done = subprocess.run([sys.executable, "-m", "gsim", "stubs"], cwd="typed", env={**os.environ, "PYTHONPATH": "."},
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        pathlib.Path("typed/wrong.py").write_text(
            "from gsim.modules import pricing\n"
            "pricing.Trades.European(id='A', asset='S', type='call', strke=1.0, maturity=1.0)\n"
            "pricing.Trades.European(id='A', asset='S', type='cal', strike=1.0, maturity=1.0)\n"
            "pricing.Config(market=pricing.Market(rate=0.0)).market.assets['S'].spot.upper()\n")
        mypy = shutil.which("mypy", path="/usr/bin:" + os.environ["PATH"])
        done = subprocess.run([mypy, "--strict", "--cache-dir=/dev/null", "gsim", "wrong.py",
                               *(path.name for path in support.PACKAGE.glob("*.py") if path.name != "setup.py")],
                              cwd="typed", capture_output=True, text=True)
        found = [line for line in done.stdout.splitlines() if "error:" in line]
        self.assertEqual([line.split(":")[:2] for line in found], [["wrong.py", "2"], ["wrong.py", "3"], ["wrong.py", "4"]], done.stdout)
        shutil.rmtree("typed")


def collect(node, outer, found):
    """The arguments of all classes of a stub, by qualified names."""
    for item in node.body:
        if isinstance(item, ast.ClassDef):
            name = f"{outer}.{item.name}".lstrip(".")
            for function in item.body:
                if isinstance(function, ast.FunctionDef) and function.name == "__init__":
                    found[name] = [argument.arg for argument in function.args.kwonlyargs]
            collect(item, name, found)


class Schemas(unittest.TestCase):
    def test_variants_and_unions(self):
        table = schema.read_schema({
            "properties": {"kind": {"enum": ["a", "b"], "default": "a"}, "x": {}, "y": {"type": "integer"},
                           "z": {"type": "array", "items": {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}}},
            "required": ["z"],
            "allOf": [{"if": {"properties": {"kind": {"const": "a"}}},
                       "then": {"properties": {"x": {"type": "number", "exclusiveMaximum": 1}, "y": False}, "required": ["x"]}},
                      {"if": {"properties": {"kind": {"const": "b"}}}, "then": {"properties": {"x": {"type": "string"}, "y": {"type": "integer"}}}}]}, "m")
        self.assertEqual((table.selector, table.default_variant), ("kind", "a"))
        first, second = table.variants["a"], table.variants["b"]
        self.assertEqual([key.name for key in first.keys], ["kind", "x", "z"])
        self.assertEqual([key.name for key in second.keys], ["kind", "x", "y", "z"])
        self.assertEqual((first.find("x").type, first.find("x").required, first.find("x").bounds), ("float", True, "below 1"))
        self.assertEqual((second.find("x").type, second.find("x").required), ("str", False))
        self.assertEqual((table.find("z").type, table.find("z").required), ("Sequence[float | str | date]", True))
        self.assertEqual(tables.check_value(table.find("z"), [1, "x", datetime.date(2026, 1, 1)], "z")[:2], [1, "x"])
        self.assertRaises(gsim.ConfigError, tables.check_value, table.find("z"), [-1], "z")


if __name__ == "__main__":
    support.main()

#!/usr/bin/env python3
"""Builds plugins against an installed gsim, checks and runs them, and checks that incompatible ones are refused with one
message.
usage: plugin_loading.py PREFIX PROBES MPIEXEC PART… [-- CMAKE ARGUMENTS]
PREFIX is an installed gsim, PROBES the folder in which tests/plugin/probe is built against it; each
PART is the name of a test function below."""
import csv
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import tutorial
from known_compilers import copy_known_compilers

PREFIX, PROBES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
MPIEXEC, *PARTS = sys.argv[3:]
CMAKE_ARGUMENTS = []
if "--" in PARTS:
    CMAKE_ARGUMENTS += PARTS[PARTS.index("--") + 1:]
    PARTS = PARTS[:PARTS.index("--")]
HERE = pathlib.Path(__file__).resolve().parent
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="gsim-plugin-loading-")).resolve()
GSIM = PREFIX / "bin" / "gsim"
PROBE_CONFIG = 'module = "probe"\nplugins = ["{}"]\n[probe]\nsteps = 12\n'
failures = []


def shell(*command, folder=SCRATCH, **environment):
    """Runs a command with these environment variables; returns exit code, standard output and standard error."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GSIM_", "SLURM_"))}
    done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=300, env={**clean, "NO_COLOR": "1", **environment})
    return done.returncode, done.stdout, done.stderr


def gsim(*arguments, ranks=0, **settings):
    """shell() of gsim; `ranks`: 0 without a launcher; `settings`: environment variables and folder."""
    launcher = [MPIEXEC, "-n", ranks] if ranks else []
    return shell(*launcher, GSIM, *arguments, **settings)


def check(condition, what, *details):
    """Records a failure with its details unless `condition` is true; `what`: the expectation."""
    if not condition:
        failures.append(what)
        print("FAILED:", what, *details, sep="\n  ", flush=True)


def refused(what, done, *words, code=2):
    """Checks that a command ended with exit code `code` and one error message that contains all `words`."""
    status, out, err = done
    check(status == code, f"{what}: exit {status}, not {code}", out, err)
    check(err.count("error:") == 1, f"{what}: one message", err)
    for word in words:
        check(word in err, f"{what}: says `{word}`", err)


def build(source, folder, *arguments, target="all"):
    own_compiler = any("COMPILER" in argument for argument in arguments)
    known = [] if own_compiler else copy_known_compilers(PROBES, folder)
    for command in (["cmake", "-G", "Ninja", "-S", source, "-B", folder,
                     f"-DCMAKE_PREFIX_PATH={PREFIX}", *CMAKE_ARGUMENTS, *known, *arguments],
                    ["cmake", "--build", folder, "--target", target]):
        status, out, err = shell(*command)
        if status != 0:
            sys.exit(f"FAILED: {source} does not build\n{out}{err}")


def probe(name="probe"):
    return PROBES / f"lib{name}.so"


def config(text=None, name="probe.toml"):
    """Writes a configuration, by default that of the probe; returns its path."""
    path = SCRATCH / name
    path.write_text(text or PROBE_CONFIG.format(probe()))
    return path


def example(plugin, name):
    """The configuration tests/plugin/probe/NAME.toml with a plugin."""
    return f'plugins = ["{plugin}"]\n' + (HERE / f"probe/{name}.toml").read_text()


def same_bits(folder, name, runs):
    """Checks that a configuration has one digest in all `runs`, each a number of ranks and settings."""
    digests = []
    for ranks, *settings in runs:
        keys = [word for setting in settings for word in ("--set", setting)]
        status, out, err = gsim("run", folder / f"{name}.toml", "--log", "json", *keys, ranks=ranks,
                                folder=folder)
        check(status == 0, f"{name} runs on {ranks} ranks {settings}", out, err)
        digests.append(json.loads(out.splitlines()[-1]).get("digest"))
    check(len(set(digests)) == 1 and digests[0], f"same digest of {name} in all runs: {digests}")


def new_plugin(name, kind, file):
    """Creates a plugin by `gsim plugin new`, which must write `file`, builds it and runs its tests; returns its folder and the
    output of the tests, of which `gsim plugin check` is one."""
    named = [] if kind == "module" else ["--kind", kind]  # module is the default
    status, out, err = gsim("plugin", "new", name, *named)
    check(status == 0 and f"{name}/{file}" in out, f"plugin new {kind}", out, err)
    folder = SCRATCH / name
    build(folder, folder / "build")
    status, out, err = shell("ctest", "--verbose", folder=folder / "build")
    check(status == 0 and "100% tests passed" in out, f"the {kind} passes its own tests", out, err)
    return folder, out


def skeleton():
    """the commands of the tutorial work, and the module that they create runs on one and several ranks"""
    for difference in tutorial.follow(HERE.parents[1] / "examples/plugins/README.md", SCRATCH, PREFIX, MPIEXEC, CMAKE_ARGUMENTS):
        check(False, difference)
    folder = SCRATCH / "walkers"  # whose tests are commands of the tutorial
    refused("plugin new again", gsim("plugin", "new", "walkers"), "exists")
    for name in ("2D", "class", "std", "gsim", "test", "md", "a_"):
        refused(f"plugin new {name}", gsim("plugin", "new", name), f"the name `{name}` of the plugin")
    check(not (SCRATCH / "class").exists(), "nothing is written under a refused name")
    refused("the name of a built-in potential", gsim("plugin", "new", "wca", "--kind", "potential"), "is the name of an existing kind")
    refused("the name of a built-in product", gsim("plugin", "new", "asian", "--kind", "payoff"), "is the name of an existing product")
    refused("an unknown kind", gsim("plugin", "new", "x", "--kind", "none_such"), "--kind")
    same_bits(folder, "walkers", [(ranks, "walkers.walkers=50000") for ranks in (0, 2, 3)])
    status, out, _ = gsim("inspect", "--json", "results/walkers.h5", folder=folder)
    check("libwalkers.so" in out, "provenance in the results names the plugin", out[:500])
    status, out, _ = gsim("schema", "walkers", "--plugin", folder / "build/libwalkers.so")
    check(status == 0 and "walkers" in out, "gsim schema prints its keys", out)
    status, out, _ = gsim("check", folder / "walkers.toml", "--ranks", "8")
    check(status == 0 and "valid. module walkers" in out, "gsim check accepts it", out)
    refused("a missing key", gsim("run", folder / "walkers.toml", "--set",
                                          "walkers={walkers=5}"), "steps")
    refused("a misspelt key", gsim("run", folder / "walkers.toml", "--set",
                                        "walkers.stops=5"), "did you mean `steps`?")


def potential():
    """the skeleton of a potential builds, conforms, validates and runs, and is listed among the parts of md"""
    folder, out = new_plugin("soft_sphere", "potential", "soft_sphere.hpp")
    plugin = folder / "build/libsoft_sphere.so"
    for line in ("adds     pair potential soft_sphere", "✔ the force is minus the derivative of the energy",
                 "✔ same bits on 7 ranks", "CUDA"):
        check(line in out, f"check of a potential: {line}", out)
    same_bits(folder, "soft_sphere", [(ranks, "md.steps=100") for ranks in (0, 2, 3)])
    status, out, _ = gsim("schema", "md", "--plugin", plugin)
    check("with kind = \"soft_sphere\"" in out, "gsim schema prints its keys")
    check("soft_sphere" not in gsim("schema", "md")[1], "without the plugin, gsim schema does not print them")
    status, out, _ = gsim("modules", "--plugin", plugin)
    check("pair potential soft_sphere" in out, "gsim modules lists it", out)


def grid():
    """the skeleton of a grid module builds, conforms, validates and runs on any ranks; bad values are refused"""
    folder, out = new_plugin("diffusion", "grid", "diffusion_kernels.cu")
    same_bits(folder, "diffusion", [(ranks, "grid.cells=[20, 12, 9]") for ranks in (0, 2, 3, 4)])
    for line in ("adds     module diffusion", "✔ same bits on 7 ranks",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(line in out, f"check of a module on a grid: {line}", out)
    refused("a time step that is too long", gsim("check", folder / "diffusion.toml", "--set", "diffusion.time_step=0.01"),
            "the explicit method is unstable", "use a time step of at most 0.001667")
    refused("the name of a table of all grid modules", gsim("plugin", "new", "grid", "--kind", "grid"), "the name `grid` of the plugin")


def particles():
    """the skeleton of a particle module builds, conforms, validates and runs on any ranks; bad values are refused"""
    folder, out = new_plugin("brownian", "particles", "brownian_kernels.cu")
    same_bits(folder, "brownian", [(ranks, "brownian.particles=1500") for ranks in (0, 2, 3, 4)])
    for line in ("adds     module brownian", "✔ same bits on 7 ranks",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(line in out, f"check of a module of particles: {line}", out)
    refused("a reach beyond half the box", gsim("check", folder / "brownian.toml", "--set", "brownian.reach=6.0"),
            "the box is narrower than twice the reach", "at most 5.0")


def source():
    """the skeleton of a source builds, conforms, validates and runs; bad values are refused"""
    folder, out = new_plugin("lamp", "source", "lamp.cu")
    same_bits(folder, "lamp", [(0,), (2,), (3,), (2, "transport.domain=decomposed")])
    check("✔ samples the same particle for a history in any order, with mean weight 1" in out, "check of a source", out)
    lamp = folder / "lamp.toml"
    refused("a missing key", gsim("check", lamp, "--set",
                                          "source=[{sampler={kind='lamp'}}]"), "preference")
    refused("a key out of range", gsim("check", lamp, "--set",
                                       "source=[{sampler={kind='lamp',preference=2.0}}]"),
            "preference")
    refused("a sampler and a space", gsim(
        "check", lamp, "--set",
        "source=[{sampler={kind='lamp',preference=1.0},space={kind='point'}}]"), "space")
    status, out, _ = gsim("schema", "transport", "--plugin", folder / "build/liblamp.so")
    check("with kind = \"lamp\"" in out and "preference" in out, "gsim schema prints its keys")
    check("sampler" not in gsim("schema", "transport")[1], "without the plugin, gsim schema does not print them")


def transport_kinds():
    """a surface and a score build, conform, are listed, and their errors are reported with the plugin's name"""
    folder = SCRATCH / "transport_kinds"
    build(HERE / "transport_kinds", folder)
    plugin = folder / "libtransport_kinds.so"
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     surface rounded_cube", "score detector", "✔ same bits on 7 ranks", "✔ its example uses it",
                 "✔ is crossed where its polynomial changes sign", "✔ has finite, reproducible and non-zero responses",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(status == 0 and line in out, f"check of a surface and a score: {line}", out, err)
    out = gsim("schema", "transport", "--plugin", plugin)[1]
    check("with kind = \"rounded_cube\"" in out and "with kind = \"detector\"" in out,
          "gsim schema prints their keys", out)
    out = gsim("modules", "--plugin", plugin)[1]
    check("surface rounded_cube" in out and "score detector" in out, "gsim modules lists them", out)
    cube = config("""module = "transport"
[transport]
mode = "fixed_source"
particles = 10
batches = 2
[[material]]
name = "m"
capture = [1.0]
[[surface]]
name = "s"
kind = "rounded_cube"
boundary = "vacuum"
[[cell]]
name = "c"
region = "-s"
fill = "m"
[[source]]
space = {kind = "point", position = [0.0, 0.0, 0.0]}
""", "cube.toml")
    for key, table in (("score", "score=[{name='a',kind='detector'}]"),
                       ("sampler", "source=[{sampler={kind='lamp'}}]")):
        refused(f"{key} without its plugin", gsim("check", cube, "--set", table, "--set",
                "surface=[{name='s',kind='sphere',radius=1.0,boundary='vacuum'}]"),
                "no plugin that defines s", "plugins = [\"FILE\"]", "--plugin FILE")
    refused("a missing key of a surface", gsim("check", cube, "--plugin", plugin), "radius",
            "cube.toml")
    refused("a surface with the name of a built-in one", gsim("check", cube, "--plugin", plugin, KINDS_FAULT="name in use"),
            "plugin `transport_kinds` registers a surface `sphere`, which gsim has already; rename one of them")
    whole = ("--plugin", plugin, "--set", "surface=[{name='s',kind='rounded_cube',radius=1.0,boundary='vacuum'}]",
             "--set", "score=[{name='a',kind='detector',efficiency=[0.5]}]",
             "--set", "tally=[{name='t',scores=['a'],cells=['c']}]")
    start = "error: transport, with the parts of plugin `transport_kinds`, failed while it "
    for fault, words, code in (("surface", f"{start}read its configuration: the kind fails as selected", 1),
                               ("score", f"{start}planned: the kind fails as selected", 1),
                               ("not a number", "score `a`", 2)):
        refused(f"a kind that fails: {fault}", gsim("run", cube, *whole, KINDS_FAULT=fault), words, code=code)


def payoff():
    """the skeleton of a payoff builds, conforms, validates and is priced; bad values are refused"""
    folder, out = new_plugin("accrual", "payoff", "accrual.cu")
    plugin, accrual = folder / "build/libaccrual.so", folder / "accrual.toml"
    for line in ("adds     payoff accrual", "✔ same bits on 7 ranks", "✔ same prices in float",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(line in out, f"check of a payoff: {line}", out)
    for settings in ([], ["pricing.antithetic=true", "pricing.precision='float'"],
                     ["pricing.sampling='sobol'", "pricing.replicates=16"]):
        same_bits(folder, "accrual", [(ranks, *settings) for ranks in (0, 2, 3)])
    trade = "trades=[{{id='a',product='accrual',asset='A',maturity=1.0,{}upper=2.0,coupon=1.0}}]"
    refused("a missing key", gsim("check", accrual, "--set", trade.format("fixing_count=2,")),
            "lower")
    refused("a misspelt key", gsim("check", accrual, "--set", trade.format(
        "fixing_count=2,lower=1.0,uper=1.0,")), "unknown key `uper`", "did you mean `upper`?")
    refused("a key out of range", gsim("check", accrual, "--set", trade.format(
        "fixing_count=2,lower=-1.0,")), "lower")
    refused("a fixing today", gsim("check", accrual, "--set", trade.format(
        "fixings=[0.0,1.0],lower=1.0,")), "a fixing today")
    refused("without the plugin", gsim("check", accrual, "--set", "plugins=[]"), "product", "accrual")
    refused("conditionally on the variance", gsim(
        "check", accrual, "--set", "pricing.conditional=true"), "European and digital options only")
    status, out, _ = gsim("schema", "pricing", "--plugin", plugin)
    check("with product = \"accrual\"" in out and "lower end of the range" in out, "gsim schema prints its keys")
    check("with product = \"accrual\"" not in gsim("schema", "pricing")[1], "without the plugin, gsim schema does not print them")
    status, out, _ = gsim("modules", "--plugin", plugin)
    check("payoff accrual" in out, "gsim modules lists it", out)


def copies():
    """copies of built-in payoffs in a plugin give bitwise the same prices as the built-in ones"""
    build(HERE / "copies", SCRATCH / "copies", "-DGSIM_PLUGIN_CUDA=OFF")  # the examples cover such kernels on GPUs
    plugin = SCRATCH / "copies/libcopies.so"
    terms = "asset = 'A'\nmaturity = 1.0\n"
    option = terms + "type = 'put'\nstrike = 103.0\n"
    dates = "fixings = [0.25, 0.4, 0.9, 1.0]\n"
    trades = {"european": option, "european_copy": option, "asian": option + dates,
              "asian_copy": option + dates, "log_sum": terms + dates}
    market = ("[market]\nrate = 0.03\n[market.assets.A]\nspot = 100.0\nvolatility = 0.3\n"
              "dividend = 0.01\n{}")
    models = ("", "model = 'merton'\njump_intensity = 0.5\njump_mean = -0.1\njump_sd = 0.2\n")
    for model in models:
        path = config("module = 'pricing'\nstop.samples = 50000\npricing.control_variates = 'spot'\n"
                      + market.format(model)
                      + "".join(f"[[trades]]\nid = '{name}'\nproduct = '{name}'\n{keys}"
                                for name, keys in trades.items()), name="copies.toml")
        for settings in ((), ("pricing.antithetic=true",), ("pricing.precision='float'",),
                         ("arithmetic='fast'",), ("pricing.sampling='sobol'", "pricing.replicates=8")):
            keys = [word for setting in settings for word in ("--set", setting)]
            status, out, err = gsim("run", path, "--plugin", plugin, "--log", "json", *keys)
            check(status == 0, f"copies run {settings}", out, err)
            _, out, _ = gsim("inspect", "--csv", "trades", "results/copies.h5")
            rows = {row["id"]: row for row in csv.DictReader(out.splitlines())}
            for name in ("european", "asian"):
                own, copy = ([rows[n][key] for key in ("price", "standard_error", "samples")]
                             for n in (name, f"{name}_copy"))
                check(own == copy and float(own[1]) > 0, f"{name} {settings}: {copy}, not {own}")
            # E ln S(t) / S(0) = (r - q - v^2 / 2) t, discounted
            mean, error = (float(rows["log_sum"][key]) for key in ("price", "standard_error"))
            deviation = mean + 0.025 * (0.25 + 0.4 + 0.9 + 1.0) * math.exp(-0.03)
            # Without jumps, a path and its antithetic path have the same sum in all pairs: the error is unknown (NaN).
            check(model or abs(deviation) < (1e-12 if math.isnan(error) else 4 * error),
                  f"the sum of logarithms {settings}: {mean} +- {error}")
    refused("a payoff with the name of a built-in one", gsim("run", path, "--plugin", plugin, COPIES_FAULT="payoff name in use"),
            "plugin `copies` registers a payoff `asian`, which gsim has already; rename one of them")
    refused("a payoff without a function", gsim("run", path, "--plugin", plugin, COPIES_FAULT="incomplete"),
            "payoff `log_sum` is not complete")
    refused("a payoff of 1,000,001 numbers", gsim("run", path, "--plugin", plugin, COPIES_FAULT="too many numbers"),
            "copies.toml", "payoff `log_sum` has 1000001 numbers for these keys, and at most 1000000 are allowed")
    refused("logarithms of spots that are not recorded", gsim("run", path, "--plugin", plugin, COPIES_FAULT="undeclared logarithms"),
            "the functor of payoff `log_sum` reads logarithms", ".reads_logs = true")


def paths():
    """copies of built-in path models in a plugin give bitwise the same prices, for one asset and with correlated others"""
    plugin = SCRATCH / "copies/libcopies.so"
    heston = "v0 = 0.09\nkappa = 1.5\ntheta = 0.06\nsigma = 0.6\nrho = -0.7\n"
    models = {"black_scholes": "volatility = 0.3\n", "heston": heston}
    one = "asset = 'A'\nmaturity = 1.0\ntype = 'put'\n"
    two = "assets = ['A', 'B']\nmaturity = 1.0\n"
    dates = "fixings = [0.2, 0.25, 0.4, 0.9, 1.0]\n"
    single_asset = {"european": one + "strike = 103.0\n", "asian": one + "strike = 103.0\n" + dates,
             "variance_swap": f"asset = 'A'\nmaturity = 1.0\nstrike = 0.04\n{dates}",
             "log_sum": "asset = 'A'\nmaturity = 1.0\n" + dates}
    extremes = {"barrier": one + "strike = 103.0\nkind = 'down_and_out'\nbarrier = 70.0\n",
                "lookback": one + "kind = 'floating'\n"}
    multi_asset = {"worst_of": two + "type = 'put'\nstrike = 100.0\n",
             "spread": two + "type = 'call'\nstrike = 5.0\n"}
    variants = ((), ("pricing.antithetic=true",), ("pricing.precision='float'",), ("arithmetic='fast'",),
            ("pricing.sampling='sobol'", "pricing.replicates=8"))

    def prices(model, others, trades, settings):
        keys = models[model.removesuffix("_copy")]
        text = ("module = 'pricing'\nstop.samples = 20000\npricing.control_variates = 'spot'\n"
                "pricing.steps_per_year = 20\n[market]\nrate = 0.03\n"
                f"[market.assets.A]\nspot = 100.0\ndividend = 0.01\nmodel = '{model}'\n{keys}")
        if others:
            text += (f"[market.assets.B]\nspot = 95.0\nmodel = '{others}'\n"
                     f"{models[others.removesuffix('_copy')]}"
                     "[market.correlation]\nassets = ['A', 'B']\nmatrix = [[1.0, 0.4], [0.4, 1.0]]\n")
        text += "".join(f"[[trades]]\nid = '{name}'\nproduct = '{name}'\n{terms}"
                        for name, terms in trades.items())
        path = config(text, "paths.toml")
        status, out, err = gsim("run", path, "--plugin", plugin, "--log", "json",
                                *[word for setting in settings for word in ("--set", setting)])
        check(status == 0, f"{model} runs {settings}", out, err)
        _, out, _ = gsim("inspect", "--csv", "trades", "results/paths.h5")
        return [[row[key] for key in ("id", "price", "standard_error", "samples")]
                for row in csv.DictReader(out.splitlines())]

    portfolios = (({**single_asset, **extremes}, ""), ({**single_asset, **multi_asset}, "black_scholes_copy"), (multi_asset, "heston"))
    for own in models:
        for i, settings in enumerate(variants):
            for trades, others in ((single_asset, ""), portfolios[i % len(portfolios)]):
                expected = prices(own, others.removesuffix("_copy"), trades, settings)
                computed = prices(f"{own}_copy", others, trades, settings)
                check(computed == expected and len(computed) == len(trades) and float(computed[0][2]) > 0,
                      f"{own} {settings} {others}: {computed}, not {expected}")
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     path model heston_copy", "path model black_scholes_copy\n", "✔ same bits on 7 ranks",
                 "✔ same prices with Sobol points", "✔ the discounted spot is a martingale",
                 "✔ refuses values that it cannot simulate"):
        check(line in out, f"check of a path model: {line}", out, err)
    status, out, _ = gsim("schema", "pricing", "--plugin", plugin)
    check(status == 0 and "with model = \"heston_copy\"" in out and "correlation of spot and variance" in out,
          "gsim schema prints its keys", out)
    check("heston_copy" not in gsim("schema", "pricing")[1], "without the plugin, gsim schema does not print them")
    check("path model heston_copy" in gsim("modules", "--plugin", plugin)[1], "gsim modules lists it")
    path = SCRATCH / "paths.toml"
    loaded = ("--plugin", plugin)
    refused("a missing key of a model", gsim("check", path, *loaded, "--set",
                                          "market.assets.A={spot=1.0,model='black_scholes_copy'}"), "volatility")
    refused("a key of a model out of range", gsim("check", path, *loaded, "--set", "market.assets.A.v0=-1.0"), "v0")
    refused("a misspelt key of a model", gsim("check", path, *loaded, "--set", "market.assets.A.kapa=1.0"),
            "did you mean `kappa`?")
    refused("without the plugin", gsim("check", path), "model", "heston_copy")
    refused("conditionally on the variance", gsim("check", path, *loaded, "--set", "pricing.conditional=true",
            "--set", "trades=[{id='a',product='european',asset='A',type='put',strike=100.0,maturity=1.0}]"),
            "supports the models heston and bates")
    for fault, words in (("model name in use", ["plugin `copies` registers a path model `heston`, which gsim has already; rename "
                                   "one of them"]),
                         ("model incomplete", ["path model `black_scholes_copy` is not complete"]),
                         ("normals", ["the functor of path model `heston_copy` uses 2 normals per step",
                                      "registered with 3"])):
        refused(fault, gsim("run", path, *loaded, "--set", "market.assets.B={spot=1.0,model='black_scholes_copy',"
                            "volatility=0.1}", COPIES_FAULT=fault), *words)
    for fault, finding in (
            ("not a martingale", "✘ the discounted spot is a martingale: the discounted spot of B in"),
            ("no bounds", "✘ refuses values that it cannot simulate: market.assets.B.volatility = ")):
        status, out, err = gsim("plugin", "check", plugin, COPIES_FAULT=fault)
        check(status == 1 and finding in out, f"check: {fault}", out, err)
    refused("not bridged", gsim("check", path, *loaded, "--set",
            "trades=[{id='a',product='lookback',kind='floating',type='put',asset='A',maturity=1.0}]",
            COPIES_FAULT="no bridge"), "model `heston_copy` of asset `A` has no Brownian bridge", "monitoring")


def hooks():
    """a thermostat and an observer of a plugin conform, run and give the expected temperature"""
    plugin = probe("probe_hooks")
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     thermostat weak_coupling", "adds     observer speeds", "thermostat weak_coupling\n",
                 "observer speeds\n", "✔ its example uses it", "✔ same bits on 7 ranks",
                 "✔ scale factors of velocities are positive", "✔ the observer is called in its example",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(status == 0 and line in out, f"check of hooks: {line}", out, err)
    for word in ('kind = "weak_coupling"', 'kind = "speeds"', "factor by which the mean square"):
        check(word in gsim("schema", "md", "--plugin", plugin)[1], f"gsim schema prints {word}")
        check(word not in gsim("schema", "md")[1], f"without the plugin, gsim schema does not print {word}")
    good = config(example(plugin, "fluid"), "hooks.toml")
    same_bits(SCRATCH, "hooks", [(0,), (2,), (3,), (2, "threads=3")])
    status, out, err = gsim("run", good, "--log", "json", "--set", "md.steps=600")
    estimates = {e["name"]: e for e in map(json.loads, out.splitlines()) if e["event"] == "estimate"}
    atoms, temperature = 864, estimates["temperature"]["mean"]
    # The mean of m v^2 is (3 N - 3) / N kB T; the observer has factor = 10, and m = 1. Both means are over the same
    # steps; the squares are rounded.
    expected = 10 * (3 * atoms - 3) / atoms * temperature
    check(abs(estimates["speeds/mean_square"]["mean"] / expected - 1) < 1e-9,
          "the observed mean square velocity agrees with the temperature", estimates)
    # The relaxation time is 0.1, and the mean begins at time 1: fluctuations of the mean are some
    # 0.01 sqrt(tau / time).
    check(abs(temperature - 1) < 0.01, "the mean temperature is that of the thermostat", estimates)
    spread = estimates["conserved_energy"]["standard_error"]
    check(spread < 0.05, "the conserved energy contains the energy that the thermostat removes", estimates)
    refused("a missing key of a thermostat", gsim("check", good, "--set", "thermostat={kind='weak_coupling',"
                                               "temperature=1.0}"), "time")
    refused("a thermostat that is too fast", gsim("check", good, "--set", "thermostat.time=0.001"),
            "five time steps")
    refused("a misspelt key of an observer", gsim("check", good, "--set", "observe=[{kind='speeds',fact=1.0}]"),
            "did you mean `factor`?")
    refused("without the plugin", gsim("check", good, "--set", "plugins=[]"), "weak_coupling")
    start = "error: md, with the parts of plugin `hooks`, failed while it "
    for fault, words in (("describe", [f"{start}read its configuration: the hook fails as selected (std::out_of_range)"]),
                         ("scale", [f"{start}advanced: the hook fails as selected"]),
                         ("observe", [f"{start}", "the hook fails as selected"]),
                         ("estimates", [f"{start}", "the hook fails as selected"]),
                         ("number", [f"{start}", "it threw a int"]),
                         ("no thermostat", ["the factory of thermostat `weak_coupling` returned null"]),
                         ("no observer", ["the factory of observer `speeds` returned null"]),
                         ("not a number", ["thermostat `weak_coupling` scales velocities by nan in step "]),
                         ("negative scale", ["thermostat `weak_coupling` scales velocities by -1 in step "]),
                         ("infinite energy", ["the energy of thermostat `weak_coupling` is inf"])):
        status, out, err = gsim("run", good, HOOKS_FAULT=fault)
        check(status == 1 and err.count("error:") == 1 and all(word in err for word in words),
              f"a hook that fails: {fault}", status, out, err)
    for part, name in (("thermostat", "weak_coupling"), ("observer", "speeds"), ("bond", "spring"),
                       ("angle", "straight")):
        refused(f"a {part} without a function", gsim("plugin", "list", "--plugin", plugin, HOOKS_FAULT=part),
                f"plugin `hooks`: {part} `{name}` is not complete; register it with ")
    for part, word in (("bond", "harmonic"), ("angle", "cosine")):
        refused(f"a {part} with the name of a built-in one", gsim("run", good, HOOKS_FAULT=f"{word} {part}"),
                f"plugin `hooks` registers a {part} `{word}`, which gsim has already")
    status, out, err = gsim("plugin", "check", plugin, HOOKS_FAULT="no documentation")
    check(status == 1 and "✘ documents every key: without documentation: observe.factor" in out,
          "check: a key of an observer without documentation", out, err)
    status, out, err = gsim("plugin", "check", plugin, HOOKS_FAULT="unused")
    for part in ("thermostat weak_coupling", "observer speeds", "bond spring", "angle straight"):
        section = out.partition(f"\n{part}\n")[2]
        check(status == 1 and "✘ its example uses it" in section.partition("same bits")[0],
              f"check: an example that does not use {part}", out, err)


def bonded():
    """a bond and an angle of a plugin give the energies of the built-in ones with the same formula"""
    plugin = probe("probe_hooks")
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     bond spring", "adds     angle straight", "bond spring\n  ✔ the force is minus the derivative",
                 "angle straight\n  ✔ the force is minus the derivative"):
        check(status == 0 and line in out, f"check of bonds: {line}", out, err)
    text = example(plugin, "chains")
    config(text, "chains.toml")
    config(text.replace('"spring"', '"harmonic"').replace('"straight"', '"cosine"'), "builtin_chains.toml")
    same_bits(SCRATCH, "chains", [(0,), (2,), (3,), (2, "threads=3")])
    estimates = []
    for name in ("chains", "builtin_chains"):
        status, out, err = gsim("run", f"{name}.toml", "--log", "json", "--set", "md.steps=20",
                                "--set", "md.time_step=0.002", "--set", "thermo.every=5")
        estimates.append({e["name"]: e["mean"] for e in map(json.loads, out.splitlines())
                      if e["event"] == "estimate"})
    for name in ("bond_energy", "angle_energy", "potential_energy", "pressure"):
        plugin_mean, builtin_mean = (e[name] for e in estimates)
        # Rounding differs, and the differences grow for 20 steps.
        check(abs(plugin_mean / builtin_mean - 1) < 1e-8, f"{name} agrees with that of the built-in styles", estimates)
    # A run that starts from the first frame uses the plugin's styles, whose names the trajectory file contains.
    start = (HERE / "probe/chains.toml").read_text()
    pair = start[start.index("[pair]"):start.index("[bonded]")]
    restart = ('module = "md"\n[md]\nsteps = 20\ntime_step = 0.002\n[start]\nkind = "h5md"\n'
             f'file = "results/chains.h5md"\nframe = 0\n{pair}[thermo]\nevery = 5\n')
    status, out, err = gsim("run", config(restart, "restart.toml"), "--plugin", plugin, "--log", "json")
    check(status == 0, "a run from a frame of the trajectory", out, err)
    means = {e["name"]: e["mean"] for e in map(json.loads, out.splitlines()) if e["event"] == "estimate"}
    for name in ("bond_energy", "angle_energy", "potential_energy"):
        check(name in means and abs(means[name] / estimates[0][name] - 1) < 1e-6, f"{name} from a frame", means,
              estimates[0])
    refused("a plugin's style without the plugin", gsim("check", "restart.toml"), "the style spring is not known",
            "`plugins`")
    refused("a bond that is too long", gsim("run", "chains.toml", "--set",
            "bonded.bonds=[{name='1',kind='spring',k=200.0,r0=0.98,max_length=0.9}]"),
            "out of range", code=1)
    refused("a missing key of a bond", gsim("check", "chains.toml", "--set",
            "bonded.bonds=[{name='1',kind='spring',k=200.0}]"), "r0")


def fields():
    """a plugin whose fingerprint differs in one field is refused, and the message names the field"""
    _, out, _ = gsim("plugin", "check", probe())
    lines = out.split("\nfingerprint\n")[1].split("\nmodule probe\n")[0].splitlines()
    whole = probe().read_bytes()
    names = [line[2:19].strip() for line in lines]
    check(len(names) == 13, f"fields {names}")
    at = whole.index(b"gsim plugin fingerprint\n")
    end = whole.index(b"end of fingerprint", at)
    for name in names:
        start = whole.index(f"\n{name}=".encode(), at) + len(name) + 2
        stop = whole.index(b"\n", start)
        assert start < stop < end
        # The CUDA field of a plugin without kernels is "none", which is compatible with any gsim.
        other = b"12.9" if name == "CUDA" else whole[start:stop - 1] + b"~"
        changed = SCRATCH / "changed_field.so"
        changed.write_bytes(whole[:start] + other + whole[stop:])
        refused(f"field {name}", gsim("plugin", "list", "--plugin", changed),
                "was built for another gsim", f"       {name}: {other.decode()}", "build it again")
        _, _, err = gsim("plugin", "list", "--plugin", changed)
        named = [n for n in names if f"\n       {n}: " in err]
        check(named == [name], f"field {name}: the message names it alone", err)


def other_compiler():
    """a plugin of another compiler is refused before any of its code runs"""
    check(shutil.which("clang++"), "clang++ is installed")
    build(HERE / "probe", SCRATCH / "clang", "-DCMAKE_CXX_COMPILER=clang++", "-DGSIM_PLUGIN_CUDA=OFF",
          target="probe")
    refused("another compiler", gsim("plugin", "list", "--plugin", SCRATCH / "clang/libprobe.so",
                                     PROBE_FAULT="load"), "compiler: Clang")


def files():
    """files that cannot be loaded, or that other users may change, are refused"""
    text = SCRATCH / "text.so"
    text.write_text("no plugin")
    refused("a text file", gsim("run", config(PROBE_CONFIG.format("text.so"))), "is no gsim plugin",
            "probe.toml:2")
    refused("the library libgsim.so", gsim("plugin", "list", "--plugin",
                                      next(PREFIX.rglob("libgsim.so.*.*.*"))), "no section gsim_plugin")
    refused("a missing file", gsim("run", config(PROBE_CONFIG.format("missing.so"))), "there is no plugin")
    refused("a truncated file", gsim("plugin", "list", "--plugin", truncated_probe()), "is cut off")
    refused("a missing function", gsim("plugin", "list", "--plugin", probe("probe_incomplete")),
            "cannot be loaded", "undefined_function")
    world_writable = SCRATCH / "open.so"
    shutil.copy(probe(), world_writable)
    world_writable.chmod(0o666)
    refused("a world-writable file", gsim("plugin", "list", "--plugin", world_writable),
            "everybody may write", "chmod go-w")
    folder = SCRATCH / "open"
    folder.mkdir()
    shutil.copy(probe(), folder / "probe.so")
    folder.chmod(0o777)
    refused("a world-writable folder", gsim("plugin", "list", "--plugin", folder / "probe.so"),
            "everybody may replace", "chmod go-w")
    link = folder / "link.so"
    link.symlink_to(probe())
    refused("a link in a world-writable folder", gsim("plugin", "list", "--plugin", link), "everybody may replace",
            f"chmod go-w {folder}")
    inner = folder / "inner"
    inner.mkdir()
    shutil.copy(probe(), inner / "probe.so")
    inner.chmod(0o755)
    refused("a folder in a world-writable folder", gsim("plugin", "list", "--plugin", inner / "probe.so"),
            "everybody may replace", f"chmod go-w {folder}")
    outer = SCRATCH / "outer"
    outer.symlink_to(folder / "inner")
    refused("a link to a folder in a world-writable folder", gsim("plugin", "list", "--plugin", outer / "probe.so"),
            "everybody may replace", f"chmod go-w {folder}")
    group_writable = SCRATCH / "group.so"
    shutil.copy(probe(), group_writable)
    group_writable.chmod(0o664)
    os.chown(group_writable, -1, 54321)  # a group without members
    refused("a group-writable file", gsim("plugin", "list", "--plugin", group_writable),
            "the group 54321 may write", f"chmod g-w {group_writable}")
    if os.geteuid() == 0:  # only root may change the owner of files
        files_of_other_users()
    loop = SCRATCH / "loop.so"
    loop.symlink_to(loop)
    refused("a link to itself", gsim("run", config(PROBE_CONFIG.format("loop.so"))), "there is no plugin", "probe.toml:2")
    refused("a path longer than PATH_MAX", gsim("run", config(PROBE_CONFIG.format("./" + 5000 * "x"))),
            "there is no plugin", "probe.toml:2")
    folder_of_folders = SCRATCH / "folders"
    (folder_of_folders / "probe.so").mkdir(parents=True)
    status, out, err = gsim("run", config(PROBE_CONFIG.format("probe"), "search.toml"),
                            GSIM_PLUGIN_PATH=f"{folder_of_folders}:{PROBES}")
    check(status == 0, "a folder with the name of a plugin is passed over in the search", out, err)
    # A replay loads the plugins that the configuration of the results names.
    for result, warns, options in (("search.h5", False, ["--set", f'plugins=["{probe()}"]']),
                                   ("search.h5", True, ["--set", "plugins=[]", "--plugin", probe()])):
        gsim("run", SCRATCH / "search.toml", "--output", result, *options)
        status, out, err = gsim("replay", result)
        check(("the run had loaded the plugin probe" in err) == warns and (status == 0) != warns,
              "plugins of a replay", status, out, err)
    refused("a plugin that flushes denormals to zero", gsim("plugin", "list", "--plugin", probe("probe_flushing")),
            "flush", "-ffast-math")


def files_of_other_users():
    """Checks that files and links of other users are refused."""
    other_user = SCRATCH / "other_user.so"
    shutil.copy(probe(), other_user)
    os.chown(other_user, 54321, 54321)
    refused("a file of another user", gsim("plugin", "list", "--plugin", other_user), "belongs to user 54321")
    other_folder = SCRATCH / "other_folder"
    other_folder.mkdir()
    shutil.copy(probe(), other_folder / "probe.so")
    os.chown(other_folder, 54321, 54321)
    refused("a file in a folder of another user", gsim("plugin", "list", "--plugin", other_folder / "probe.so"),
            f"through {other_folder}, which belongs to user 54321")
    sticky = SCRATCH / "sticky"
    sticky.mkdir()
    sticky.chmod(0o1777)
    shutil.copy(probe(), sticky / "probe.so")
    status, out, err = gsim("plugin", "list", "--plugin", sticky / "probe.so")
    check(status == 0, "a file of the user in a sticky folder", out, err)
    link = sticky / "link.so"
    link.symlink_to(probe())
    os.chown(link, 54321, 54321, follow_symlinks=False)
    refused("another user's link in a sticky folder", gsim("plugin", "list", "--plugin", link),
            "belongs to user 54321")


def untrusted():
    """--no-plugins runs no code of plugins"""
    path = config(PROBE_CONFIG.format(probe()), "untrusted.toml")
    status, out, err = gsim("check", path)
    check(status == 0, "a configuration with a plugin", out, err)
    refused("a configuration with a plugin and --no-plugins", gsim("check", path, "--no-plugins"), "--no-plugins", "untrusted.toml:2")
    status, out, err = gsim("modules", "--no-plugins", GSIM_PLUGIN_PATH=probe())
    check(status == 0 and "probe" not in out, "--no-plugins ignores GSIM_PLUGIN_PATH", out, err)
    refused("--no-plugins and --plugin", gsim("modules", "--no-plugins", "--plugin", probe()), "excludes")


def fingerprint_section():
    """a fingerprint outside of the section gsim_plugin is not accepted"""
    whole = bytearray(pathlib.Path(probe()).read_bytes())
    at = whole.index(b"gsim_plugin\0")  # the section's name, in the table of names
    while whole[at - 1] != 0:
        at = whole.index(b"gsim_plugin\0", at + 1)
    whole[at] = ord("G")
    path = SCRATCH / "no_section.so"
    path.write_bytes(whole)
    refused("a plugin without the section", gsim("plugin", "list", "--plugin", path, PROBE_FAULT="load"),
            "no section gsim_plugin")


def truncated_probe():
    """A copy of the probe that ends soon after the fingerprint, so that its section table is missing."""
    whole = probe().read_bytes()
    at = whole.index(b"end of fingerprint")
    half = SCRATCH / "half.so"
    half.write_bytes(whole[:at + 100])
    return half


def names():
    """a plugin is loaded only if a configuration, an option or GSIM_PLUGIN_PATH names it"""
    shutil.copy(probe(), SCRATCH / "unnamed.so")
    status, out, _ = gsim("modules")
    check(status == 0 and "probe" not in out, "no plugin of the working folder is loaded", out)
    status, out, _ = gsim("modules", GSIM_PLUGIN_PATH=str(PROBES))
    check(status == 0 and "probe" not in out, "no plugin of a folder in GSIM_PLUGIN_PATH is loaded", out)
    status, out, _ = gsim("modules", GSIM_PLUGIN_PATH=str(probe()))
    check(status == 0 and "counts (plugin probe)" in out, "a file in GSIM_PLUGIN_PATH is loaded", out)
    by_name = config(PROBE_CONFIG.format("probe"))
    refused("a name, without GSIM_PLUGIN_PATH", gsim("run", by_name), "GSIM_PLUGIN_PATH", "probe.toml:2")
    refused("a name of no plugin",
            gsim("run", config(PROBE_CONFIG.format("prove")), GSIM_PLUGIN_PATH=str(PROBES)),
            "no plugin `prove`")
    status, out, err = gsim("run", config(PROBE_CONFIG.format("probe")),
                            GSIM_PLUGIN_PATH=f"{SCRATCH}:{PROBES}")
    check(status == 0, "a name is found in the folders of GSIM_PLUGIN_PATH", out, err)
    refused("a relative path in GSIM_PLUGIN_PATH", gsim("modules", GSIM_PLUGIN_PATH="probe"), "absolute")
    refused("a path that does not exist", gsim("modules", GSIM_PLUGIN_PATH="/nowhere/probe.so"),
            "does not exist")
    twice = PROBE_CONFIG.format(f'{probe()}", "{probe()}')
    check(gsim("run", config(twice), "--plugin", probe())[0] == 0, "a plugin that is named twice is loaded once")
    refused("the same name in another file", gsim(
        "run", config(PROBE_CONFIG.format(f'{probe()}", "{probe("probe_same_name")}'))),
            "have the name `probe`")
    refused("the same module in another plugin", gsim(
        "run", config(PROBE_CONFIG.format(f'{probe()}", "{probe("probe_same_module")}'))),
            "plugin `same_module` registers a module `probe`, which plugin `probe` has already")
    for command in ("run", "check"):
        refused(f"a module without its plugin, {command}", gsim(command, config(
            'module = "probe"\n[probe]\nsteps = 1\n')), "unknown module `probe`")
    for ranks in (0, 2):
        refused(f"a text file on {ranks} ranks", gsim("run", config(PROBE_CONFIG.format("text.so")),
                                          ranks=ranks), "is no gsim plugin")


def faults():
    """any error in a plugin ends the run with one message that names the plugin"""
    good = config()
    shutil.rmtree(SCRATCH / "results", ignore_errors=True)
    reason = "the probe fails as selected"
    for fault, words, code in (
            ("load", ["failed while it was loaded", reason], 2),
            ("add", ["plugin `probe` failed while it registered", reason], 2),
            ("registers nothing", ["plugin `probe` registers nothing"], 2),
            ("empty name", ["plugin `probe` registers a module ``; use a name of letters, digits, - and _"], 2),
            ("name with blanks", ["plugin `probe` registers a module `a b"], 2),
            ("unnamed part", ["plugin `probe` registers a bond `a b`"], 2),
            ("unknown module", ["plugin `probe` registers a orbital `gaussian` for a module `quantum`, which is not loaded"], 2),
            ("name in use", ["registers a module `md`, which gsim has already"], 2),
            ("registered twice", ["plugin `probe`: module `probe` is registered twice"], 2),
            ("constructor", ["plugin `probe` failed while it made its module", reason,
                             "std::out_of_range"], 1),
            ("throws an int", ["plugin `probe` failed while it made its module: it threw a int"], 1),
            ("null", ["plugin `probe` failed: it returned no module"], 1),
            ("configure", ["plugin `probe` failed while it read its configuration", reason], 1),
            ("plan", ["plugin `probe` failed while it planned", reason], 1),
            ("halo posted twice", ["plugin `probe` failed while it advanced: a FieldHalo is posted again",
                            "call finish() after each post()"], 1),
            ("not a number", ["plugin `probe` failed while it advanced: field `heat` at step 3: cell (0, 0, 0) has "
                              "the value nan"], 1),
            ("advance", ["plugin `probe` failed while it advanced", reason], 1)):
        refused(fault, gsim("run", good, PROBE_FAULT=fault), *words, code=code)
        written = [path.name for path in SCRATCH.glob("results/*") if path.suffix != ".prom"]
        check(not written, f"{fault}: nothing is written but the status of the run: {written}")
    for fault, words, code in (("destructor", ["an exception was thrown where none is allowed", reason,
                                               "plugins loaded: probe 1"], 1),
                               ("exit", ["exit() was called before the end of the run",
                                         "plugins loaded: probe 1"], 1),
                               ("segfault", ["the process crashed", "plugins loaded: probe 1"], -11)):
        refused(fault, gsim("run", good, PROBE_FAULT=fault), *words, code=code)
    for fault in ("load", "constructor", "advance", "one rank", "destructor"):
        status, out, err = gsim("run", good, ranks=2, PROBE_FAULT=fault)
        check(status != 0 and err.count("error:") == 1 and reason in err, f"{fault} on two ranks",
              status, out, err)


def conformance():
    """gsim plugin check reports each violation of conformance"""
    status, out, err = gsim("plugin", "check", probe(), PROBE_FAULT="exit")
    check(status == 1 and "exit() was called" in err and "\nconforms" not in out, "check: a plugin that ends the process",
          out, err)
    refused("a plugin that ends the process without a message",
            gsim("plugin", "check", probe(), PROBE_FAULT="exit at once"), "ended the process before it was checked", code=1)
    status, out, err = gsim("plugin", "check", probe())
    check(status == 0 and out.endswith("conforms\n") and "✘" not in out, "the probe conforms", out, err)
    for fault, finding in (("no documentation", "✘ documents every key: without documentation: probe.steps"),
                           ("ranks", "✘ same bits on 2 ranks: count differs in its results"),
                           ("threads", "✘ same bits on 3 threads: count differs"),
                           ("slices", "✘ same bits in slices of one unit: count differs"),
                           ("save", "✘ same bits when stopped on 1 rank and resumed on 3 ranks of 2 threads"),
                           ("no standard error", "✘ has estimates with standard errors: `count` has no standard"),
                           ("advance", "✘ runs its example on one rank and thread"),
                           ("no example", "✘ it has no example")):
        status, out, err = gsim("plugin", "check", probe(), PROBE_FAULT=fault)
        check(status == 1 and finding in out and "does not conform" in out, f"check: {fault}", out,
              err)
    refused("a crash", gsim("plugin", "check", probe(), PROBE_FAULT="crash"), "crashed: Aborted", code=1)
    refused("a fault at load", gsim("plugin", "check", probe(), PROBE_FAULT="load"), "fails as selected")
    refused("plugin check without a file", gsim("plugin", "check"), "NAME is missing")
    refused("plugin check under a launcher", gsim("plugin", "check", probe(), ranks=2), "launcher")
    status, out, err = gsim("plugin", "check", probe(), "--config", config())
    check(status == 0 and out.endswith("conforms\n"), "plugin check with another configuration", out, err)


def lists():
    """gsim plugin list and gsim modules print text and JSON"""
    status, out, _ = gsim("plugin", "list", "--plugin", probe())
    check(status == 0 and "probe 1  counts" in out and "adds     module probe" in out, "list", out)
    status, out, _ = gsim("plugin", "list", "--json", "--plugin", probe())
    one = json.loads(out)[0]
    check(one["name"] == "probe" and one["adds"] == ["module probe"] and len(one["digest"]) == 16,
          "list --json", out)
    status, out, _ = gsim("plugin", "list")
    check(status == 0 and out.startswith("no plugins"), "an empty list", out)
    _, out, _ = gsim("modules", "--json", "--plugin", probe())
    check(json.loads(out)[-1] == {"module": "probe", "doc": "counts", "plugin": "probe"},
          "modules --json", out)


def versions():
    """a run is resumed with the same version of a plugin only, in whichever folder its file is"""
    good = config(name="resumed.toml")
    status, out, err = gsim("run", good, "--set", "checkpoint.time_limit=1e-9")
    check(status == 75, "stopped with a checkpoint", status, out, err)
    next_version = config(PROBE_CONFIG.format(probe("probe_next")), name="resumed.toml")
    refused("another version", gsim("run", next_version, "--resume"), "0.1.0 with probe 1",
            "0.1.0 with probe 2")
    elsewhere = SCRATCH / "elsewhere.so"
    shutil.copy(probe(), elsewhere)
    other_place = config(PROBE_CONFIG.format(elsewhere), name="resumed.toml")
    status, out, err = gsim("run", other_place, "--resume")
    check(status == 0 and "not the same file" not in err, "resumed with the file in another place", out, err)
    # The same holds for plugins with parts that the run uses.
    extended = config(example(probe("probe_hooks"), "fluid"), "extended.toml")
    status, out, err = gsim("run", extended, "--set", "checkpoint.time_limit=1e-9")
    check(status == 75, "stopped with a checkpoint", status, out, err)
    config(example(probe("probe_hooks_next"), "fluid"), "extended.toml")
    refused("another version of an extension", gsim("run", extended, "--resume"), "0.1.0 with hooks 1",
            "0.1.0 with hooks 2")
    changed = SCRATCH / "changed.so"
    changed.write_bytes(probe("probe_hooks").read_bytes() + b"\0")
    config(example(changed, "fluid"), "extended.toml")
    status, out, err = gsim("run", extended, "--resume", "--plugin", probe())
    check(status == 0 and "warning: the checkpoint was written with hooks 1 " in err and "not the same file" in err,
          "another file of the same version gives a warning; a plugin that the run does not use gives none",
          out, err)


def main():
    for part in PARTS:
        start = time.monotonic()
        globals()[part]()
        print(f"{globals()[part].__doc__}: {time.monotonic() - start:.0f} s", flush=True)
    shutil.rmtree(SCRATCH, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

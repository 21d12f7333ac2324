#!/usr/bin/env python3
"""Plugins as authors and users work with them: built against an installed gsim in another folder, refused with one
message if they are incompatible, checked, run.
usage: plugin_loading.py PREFIX PROBES MPIEXEC PART… [-- CMAKE ARGUMENTS]
PREFIX is an installed gsim, PROBES the folder in which tests/plugin/probe is built against it; a PART is the name of a
function below that has a docstring."""
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

PREFIX, PROBES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
MPIEXEC, *PARTS = sys.argv[3:]
CMAKE_ARGUMENTS = []
if "--" in PARTS:
    CMAKE_ARGUMENTS = PARTS[PARTS.index("--") + 1:]
    PARTS = PARTS[:PARTS.index("--")]
HERE = pathlib.Path(__file__).resolve().parent
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="gsim-plugin-loading-")).resolve()
GSIM = PREFIX / "bin" / "gsim"
PROBE_CONFIG = 'module = "probe"\nplugins = ["{}"]\n[probe]\nsteps = 12\n'
failures = []


def shell(*command, folder=SCRATCH, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GSIM_", "SLURM_"))}
    done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=300, env={**clean, "NO_COLOR": "1", **environment})
    return done.returncode, done.stdout, done.stderr


def gsim(*arguments, ranks=0, **settings):
    launcher = [MPIEXEC, "-n", ranks] if ranks else []
    return shell(*launcher, GSIM, *arguments, **settings)


def check(condition, what, *details):
    if not condition:
        failures.append(what)
        print("FAILED:", what, *details, sep="\n  ", flush=True)


def refused(what, done, *words, code=2):
    """Exactly one message, which contains these words, and this exit code."""
    status, out, err = done
    check(status == code, f"{what}: exit {status}, not {code}", out, err)
    check(err.count("error:") == 1, f"{what}: one message", err)
    for word in words:
        check(word in err, f"{what}: says `{word}`", err)


def build(source, folder, *arguments, target="all"):
    for command in (["cmake", "-G", "Ninja", "-S", source, "-B", folder,
                     f"-DCMAKE_PREFIX_PATH={PREFIX}", *CMAKE_ARGUMENTS, *arguments],
                    ["cmake", "--build", folder, "--target", target]):
        status, out, err = shell(*command)
        if status != 0:
            sys.exit(f"FAILED: {source} does not build\n{out}{err}")


def probe(name="probe"):
    return PROBES / f"lib{name}.so"


def config(text=None, name="probe.toml"):
    path = SCRATCH / name
    path.write_text(text or PROBE_CONFIG.format(probe()))
    return path


def deck(plugin, name):
    """The example of the plugin probe_hooks for `gsim plugin check`."""
    return f'plugins = ["{plugin}"]\n' + (HERE / f"probe/{name}.toml").read_text()


def same_bits(folder, name, ways):
    """Runs a plugin's configuration with each combination of ranks and settings; digests must agree."""
    digests = []
    for ranks, *settings in ways:
        keys = [word for setting in settings for word in ("--set", setting)]
        status, out, err = gsim("run", folder / f"{name}.toml", "--log", "json", *keys, ranks=ranks,
                                folder=folder)
        check(status == 0, f"{name} runs on {ranks} ranks {settings}", out, err)
        digests.append(json.loads(out.splitlines()[-1]).get("digest"))
    check(len(set(digests)) == 1 and digests[0], f"same bits of {name} in any way: {digests}")


def made(name, kind, file):
    """Creates a plugin from the skeleton of a kind, which must contain a file; builds it, and runs its tests."""
    named = [] if kind == "module" else ["--kind", kind]  # module is the default
    status, out, err = gsim("plugin", "new", name, *named)
    check(status == 0 and f"{name}/{file}" in out, f"plugin new {kind}", out, err)
    folder = SCRATCH / name
    build(folder, folder / "build")
    status, out, err = shell("ctest", "--output-on-failure", folder=folder / "build")
    check(status == 0 and "100% tests passed" in out, f"the {kind} passes its own tests", out, err)
    return folder


def skeleton():
    """a new plugin goes through the tutorial; it builds, conforms, validates and runs, on one rank and on more"""
    for wrong in tutorial.walk(HERE.parents[1] / "examples/plugins/README.md", SCRATCH, PREFIX, MPIEXEC,
                               CMAKE_ARGUMENTS):
        check(False, wrong)
    folder = SCRATCH / "walkers"
    status, out, err = shell("ctest", "--output-on-failure", folder=folder / "build")
    check(status == 0 and "100% tests passed" in out, "it passes its own tests", out, err)
    refused("plugin new again", gsim("plugin", "new", "walkers"), "exists")
    for name in ("2D", "class", "std", "gsim", "test", "md", "a_"):
        refused(f"plugin new {name}", gsim("plugin", "new", name), f"cannot be called `{name}`, which")
    check(not (SCRATCH / "class").exists(), "nothing is written under a name that is refused")
    refused("a potential's name", gsim("plugin", "new", "wca", "--kind", "potential"), "is the name of a kind")
    refused("a payoff's name", gsim("plugin", "new", "asian", "--kind", "payoff"), "is the name of a product")
    refused("plugin new, kind", gsim("plugin", "new", "x", "--kind", "cake"), "--kind")
    same_bits(folder, "walkers", [(ranks,) for ranks in (0, 2, 4)])
    status, out, _ = gsim("inspect", "--json", "results/walkers.h5", folder=folder)
    check("libwalkers.so" in out, "the plugin stands in the results' provenance", out[:500])
    status, out, _ = gsim("schema", "walkers", "--plugin", folder / "build/libwalkers.so")
    check(status == 0 and "walkers" in out, "gsim schema knows its keys", out)
    status, out, _ = gsim("check", folder / "walkers.toml", "--ranks", "8")
    check(status == 0 and "valid. module walkers" in out, "gsim check knows it", out)
    refused("a key that is missing", gsim("run", folder / "walkers.toml", "--set",
                                          "walkers={walkers=5}"), "steps")
    refused("a key that is wrong", gsim("run", folder / "walkers.toml", "--set",
                                        "walkers.stops=5"), "did you mean `steps`?")


def potential():
    """a new potential builds, conforms, validates and moves atoms, and is one of md's kinds"""
    folder = made("soft_sphere", "potential", "soft_sphere.hpp")
    plugin = folder / "build/libsoft_sphere.so"
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     pair potential soft_sphere", "✔ force is the slope of the energy",
                 "✔ same bits on 7 ranks", "CUDA"):
        check(status == 0 and line in out, f"check of a potential: {line}", out, err)
    same_bits(folder, "soft_sphere", [(ranks, "md.steps=100") for ranks in (0, 2, 3)])
    status, out, _ = gsim("schema", "md", "--plugin", plugin)
    check("with kind = \"soft_sphere\"" in out, "gsim schema knows it")
    check("soft_sphere" not in gsim("schema", "md")[1], "and without the plugin it does not")
    status, out, _ = gsim("modules", "--plugin", plugin)
    check("pair potential soft_sphere" in out, "gsim modules knows it", out)


def grid():
    """a new module on a grid builds, conforms, validates and runs on any ranks; what is wrong is told"""
    folder = made("diffusion", "grid", "diffusion_kernels.cu")
    same_bits(folder, "diffusion", [(ranks, "grid.cells=[20, 12, 9]") for ranks in (0, 2, 3, 4)])
    status, out, err = gsim("plugin", "check", folder / "build/libdiffusion.so")
    for line in ("adds     module diffusion", "✔ same bits on 7 ranks",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(status == 0 and line in out, f"check of a module on a grid: {line}", out, err)
    refused("a time step that is too long", gsim("check", folder / "diffusion.toml", "--set", "diffusion.time_step=0.01"),
            "the explicit method is unstable", "use a time step of at most 0.001667")
    refused("a name that every grid has", gsim("plugin", "new", "grid", "--kind", "grid"), "cannot be called `grid`")


def particles():
    """a new module of particles builds, conforms, validates and runs on any ranks; what is wrong is told"""
    folder = made("brownian", "particles", "brownian_kernels.cu")
    same_bits(folder, "brownian", [(ranks, "brownian.particles=1500") for ranks in (0, 2, 3, 4)])
    status, out, err = gsim("plugin", "check", folder / "build/libbrownian.so")
    for line in ("adds     module brownian", "✔ same bits on 7 ranks",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(status == 0 and line in out, f"check of a module of particles: {line}", out, err)
    refused("a reach beyond half the box", gsim("check", folder / "brownian.toml", "--set", "brownian.reach=6.0"),
            "the box is narrower than twice the reach", "at most 5.0")


def source():
    """a new source builds, conforms, validates and runs; what it does wrong is told"""
    folder = made("lamp", "source", "lamp.cu")
    same_bits(folder, "lamp", [(0,), (2,), (3,), (2, "transport.domain=decomposed")])
    status, out, err = gsim("plugin", "check", folder / "build/liblamp.so")
    check(status == 0 and "✔ samples each history alike, with weights of mean 1" in out, "check of a source", out, err)
    lamp = folder / "lamp.toml"
    refused("a key that is missing", gsim("check", lamp, "--set",
                                          "source=[{sampler={kind='lamp'}}]"), "preference")
    refused("a key out of range", gsim("check", lamp, "--set",
                                       "source=[{sampler={kind='lamp',preference=2.0}}]"),
            "preference")
    refused("a sampler and a space", gsim(
        "check", lamp, "--set",
        "source=[{sampler={kind='lamp',preference=1.0},space={kind='point'}}]"), "space")
    status, out, _ = gsim("schema", "transport", "--plugin", folder / "build/liblamp.so")
    check("with kind = \"lamp\"" in out and "preference" in out, "gsim schema knows it")
    check("sampler" not in gsim("schema", "transport")[1], "and without the plugin it does not")


def transport_kinds():
    """a surface and a score build, conform, and are known to whoever asks"""
    folder = SCRATCH / "transport_kinds"
    build(HERE / "transport_kinds", folder)
    plugin = folder / "libtransport_kinds.so"
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     surface rounded_cube", "score detector", "✔ same bits on 7 ranks", "✔ its example uses it",
                 "✔ is crossed where its sides change", "✔ gives numbers to a tally",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(status == 0 and line in out, f"check of a surface and a score: {line}", out, err)
    out = gsim("schema", "transport", "--plugin", plugin)[1]
    check("with kind = \"rounded_cube\"" in out and "with kind = \"detector\"" in out,
          "gsim schema knows them", out)
    out = gsim("modules", "--plugin", plugin)[1]
    check("surface rounded_cube" in out and "score detector" in out, "gsim modules knows them", out)
    sphere = config("""module = "transport"
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
        refused(f"{key} without its plugin", gsim("check", sphere, "--set", table, "--set",
                "surface=[{name='s',kind='sphere',radius=1.0,boundary='vacuum'}]"),
                "no plugin that defines s", "plugins = [\"FILE\"]", "--plugin FILE")
    refused("a surface's key that is missing", gsim("check", sphere, "--plugin", plugin), "radius",
            "cube.toml")
    refused("a surface with a name that gsim has", gsim("check", sphere, "--plugin", plugin, KINDS="sphere"),
            "plugin `transport_kinds` brings a surface `sphere`, which gsim has already; rename one of them")
    whole = ("--plugin", plugin, "--set", "surface=[{name='s',kind='rounded_cube',radius=1.0,boundary='vacuum'}]",
             "--set", "score=[{name='a',kind='detector',efficiency=[0.5]}]",
             "--set", "tally=[{name='t',scores=['a'],cells=['c']}]")
    who = "error: transport, with what plugin `transport_kinds` brings, failed while it "
    for fault, words, code in (("surface", f"{who}read its configuration: the kind was told to fail", 1),
                               ("score", f"{who}planned: the kind was told to fail", 1),
                               ("not a number", "score `a`", 2)):
        refused(f"a kind that fails: {fault}", gsim("run", sphere, *whole, KINDS=fault), words, code=code)


def payoff():
    """a new payoff builds, conforms, validates and is priced; what it does wrong is told"""
    folder = made("accrual", "payoff", "accrual.cu")
    plugin, accrual = folder / "build/libaccrual.so", folder / "accrual.toml"
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     payoff accrual", "✔ same bits on 7 ranks", "✔ same prices in float",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(status == 0 and line in out, f"check of a payoff: {line}", out, err)
    for settings in ([], ["pricing.antithetic=true", "pricing.precision='float'"],
                     ["pricing.sampling='sobol'", "pricing.replicates=16"]):
        same_bits(folder, "accrual", [(ranks, *settings) for ranks in (0, 2, 3)])
    trade = "trades=[{{id='a',product='accrual',asset='A',maturity=1.0,{}upper=2.0,coupon=1.0}}]"
    refused("a key that is missing", gsim("check", accrual, "--set", trade.format("fixing_count=2,")),
            "lower")
    refused("a key that is wrong", gsim("check", accrual, "--set", trade.format(
        "fixing_count=2,lower=1.0,uper=1.0,")), "unknown key `uper`", "did you mean `upper`?")
    refused("a key out of range", gsim("check", accrual, "--set", trade.format(
        "fixing_count=2,lower=-1.0,")), "lower")
    refused("a date today", gsim("check", accrual, "--set", trade.format(
        "fixings=[0.0,1.0],lower=1.0,")), "a date today")
    refused("without the plugin", gsim("check", accrual, "--set", "plugins=[]"), "product", "accrual")
    refused("conditionally on the variance", gsim(
        "check", accrual, "--set", "pricing.conditional=true"), "European and digital options only")
    status, out, _ = gsim("schema", "pricing", "--plugin", plugin)
    check("with product = \"accrual\"" in out and "spot in the range" in out, "gsim schema knows it")
    check("accrual" not in gsim("schema", "pricing")[1], "and without the plugin it does not")
    status, out, _ = gsim("modules", "--plugin", plugin)
    check("payoff accrual" in out, "gsim modules knows it", out)


def copies():
    """payoffs copied into a plugin give the bits of gsim's own, on the same paths"""
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
            found = {row["id"]: row for row in csv.DictReader(out.splitlines())}
            for name in ("european", "asian"):
                own, copy = ([found[n][key] for key in ("price", "standard_error", "samples")]
                             for n in (name, f"{name}_copy"))
                check(own == copy and float(own[1]) > 0, f"{name} {settings}: {copy}, not {own}")
            # E ln S(t) / S(0) = (r - q - v^2 / 2) t, discounted
            mean, error = (float(found["log_sum"][key]) for key in ("price", "standard_error"))
            off = mean + 0.025 * (0.25 + 0.4 + 0.9 + 1.0) * math.exp(-0.03)
            # A path and its mirror image always have the same sum, without jumps.
            check(model or abs(off) < (1e-12 if math.isnan(error) else 4 * error),
                  f"the sum of logarithms {settings}: {mean} +- {error}")
    refused("a name that pricing has", gsim("run", path, "--plugin", plugin, COPIES="taken"),
            "plugin `copies` brings a payoff `asian`, which gsim has already; rename one of them")
    refused("a payoff without a part", gsim("run", path, "--plugin", plugin, COPIES="incomplete"),
            "payoff `log_sum` is not complete")
    refused("a payoff of a million numbers and one", gsim("run", path, "--plugin", plugin, COPIES="million"),
            "copies.toml", "payoff `log_sum` makes 1000001 numbers of these keys, and 1000000 are the most")
    refused("logarithms that nobody records", gsim("run", path, "--plugin", plugin, COPIES="logs"),
            "the functor of payoff `log_sum` reads logarithms", ".reads_logs = true")


def paths():
    """path models copied into a plugin give the bits of gsim's own, with every payoff, alone and among others"""
    plugin = SCRATCH / "copies/libcopies.so"
    heston = "v0 = 0.09\nkappa = 1.5\ntheta = 0.06\nsigma = 0.6\nrho = -0.7\n"
    models = {"black_scholes": "volatility = 0.3\n", "heston": heston}
    one = "asset = 'A'\nmaturity = 1.0\ntype = 'put'\n"
    two = "assets = ['A', 'B']\nmaturity = 1.0\n"
    dates = "fixings = [0.2, 0.25, 0.4, 0.9, 1.0]\n"
    alone = {"european": one + "strike = 103.0\n", "asian": one + "strike = 103.0\n" + dates,
             "variance_swap": f"asset = 'A'\nmaturity = 1.0\nstrike = 0.04\n{dates}",
             "log_sum": "asset = 'A'\nmaturity = 1.0\n" + dates}
    extremes = {"barrier": one + "strike = 103.0\nkind = 'down_and_out'\nbarrier = 70.0\n",
                "lookback": one + "kind = 'floating'\n"}
    among = {"worst_of": two + "type = 'put'\nstrike = 100.0\n",
             "spread": two + "type = 'call'\nstrike = 5.0\n"}
    ways = ((), ("pricing.antithetic=true",), ("pricing.precision='float'",), ("arithmetic='fast'",),
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

    company = (({**alone, **extremes}, ""), ({**alone, **among}, "black_scholes_copy"), (among, "heston"))
    for own in models:
        for i, settings in enumerate(ways):
            for trades, others in ((alone, ""), company[i % len(company)]):
                wanted = prices(own, others.removesuffix("_copy"), trades, settings)
                found = prices(f"{own}_copy", others, trades, settings)
                check(found == wanted and len(found) == len(trades) and float(found[0][2]) > 0,
                      f"{own} {settings} {others}: {found}, not {wanted}")
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     path model heston_copy", "path model black_scholes_copy\n", "✔ same bits on 7 ranks",
                 "✔ same prices with Sobol points", "✔ the discounted spot keeps its mean",
                 "✔ refuses values that it cannot run with"):
        check(line in out, f"check of a path model: {line}", out, err)
    status, out, _ = gsim("schema", "pricing", "--plugin", plugin)
    check(status == 0 and "with model = \"heston_copy\"" in out and "correlation of spot and variance" in out,
          "gsim schema knows it", out)
    check("heston_copy" not in gsim("schema", "pricing")[1], "and without the plugin it does not")
    check("path model heston_copy" in gsim("modules", "--plugin", plugin)[1], "gsim modules knows it")
    path = SCRATCH / "paths.toml"
    loaded = ("--plugin", plugin)
    refused("a model's missing key", gsim("check", path, *loaded, "--set",
                                          "market.assets.A={spot=1.0,model='black_scholes_copy'}"), "volatility")
    refused("a model's key out of range", gsim("check", path, *loaded, "--set", "market.assets.A.v0=-1.0"), "v0")
    refused("a model's wrong key", gsim("check", path, *loaded, "--set", "market.assets.A.kapa=1.0"),
            "did you mean `kappa`?")
    refused("without the plugin", gsim("check", path), "model", "heston_copy")
    refused("conditionally on the variance", gsim("check", path, *loaded, "--set", "pricing.conditional=true",
            "--set", "trades=[{id='a',product='european',asset='A',type='put',strike=100.0,maturity=1.0}]"),
            "serves the models heston and bates")
    for fault, words in (("model taken", ["plugin `copies` brings a path model `heston`, which gsim has already; rename "
                                   "one of them"]),
                         ("model incomplete", ["path model `black_scholes_copy` is not complete"]),
                         ("normals", ["the functor of path model `heston_copy` takes 2 normals a step",
                                      "registered with 3"])):
        refused(fault, gsim("run", path, *loaded, "--set", "market.assets.B={spot=1.0,model='black_scholes_copy',"
                            "volatility=0.1}", COPIES=fault), *words)
    for fault, finding in (
            ("not a martingale", "✘ the discounted spot keeps its mean: the discounted spot of B in"),
            ("no bounds", "✘ refuses values that it cannot run with: market.assets.B.volatility = ")):
        status, out, err = gsim("plugin", "check", plugin, COPIES=fault)
        check(status == 1 and finding in out, f"check: {fault}", out, err)
    refused("not bridged", gsim("check", path, *loaded, "--set",
            "trades=[{id='a',product='lookback',kind='floating',type='put',asset='A',maturity=1.0}]",
            COPIES="no bridge"), "model `heston_copy` of asset `A` gives no law", "monitoring")


def hooks():
    """a thermostat and an observer of a plugin conform, run, and find what gsim's own do"""
    plugin = probe("probe_hooks")
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     thermostat weak_coupling", "adds     observer speeds", "thermostat weak_coupling\n",
                 "observer speeds\n", "✔ its example uses it", "✔ same bits on 7 ranks",
                 "✔ scales velocities by positive numbers", "✔ observes a step of its example",
                 "✔ same bits when stopped on 3 ranks and resumed on 2 ranks"):
        check(status == 0 and line in out, f"check of hooks: {line}", out, err)
    for word in ('kind = "weak_coupling"', 'kind = "speeds"', "what it is multiplied by"):
        check(word in gsim("schema", "md", "--plugin", plugin)[1], f"gsim schema knows {word}")
        check(word not in gsim("schema", "md")[1], f"and without the plugin it does not: {word}")
    good = config(deck(plugin, "fluid"), "hooks.toml")
    same_bits(SCRATCH, "hooks", [(0,), (2,), (3,), (2, "threads=3")])
    status, out, err = gsim("run", good, "--log", "json", "--set", "md.steps=600")
    found = {e["name"]: e for e in map(json.loads, out.splitlines()) if e["event"] == "estimate"}
    atoms, temperature = 864, found["temperature"]["mean"]
    # m v^2 of an atom is (3 N - 3) / N kB T; both are means over the same steps, of rounded squares.
    expected = 10 * (3 * atoms - 3) / atoms * temperature
    check(abs(found["speeds/mean_square"]["mean"] / expected - 1) < 1e-9,
          "the observer's mean square is the temperature's", found)
    # The relaxation time is 0.1, and the mean begins at time 1: fluctuations are some 0.01 sqrt(tau / time).
    check(abs(temperature - 1) < 0.01, "the thermostat keeps its temperature", found)
    spread = found["conserved_energy"]["standard_error"]
    check(spread < 0.05, "what it takes is counted", found)
    refused("a thermostat's missing key", gsim("check", good, "--set", "thermostat={kind='weak_coupling',"
                                               "temperature=1.0}"), "time")
    refused("a thermostat that is too fast", gsim("check", good, "--set", "thermostat.time=0.001"),
            "five time steps")
    refused("an observer's wrong key", gsim("check", good, "--set", "observe=[{kind='speeds',fact=1.0}]"),
            "did you mean `factor`?")
    refused("without the plugin", gsim("check", good, "--set", "plugins=[]"), "weak_coupling")
    who = "error: md, with what plugin `hooks` brings, failed while it "
    for fault, words in (("describe", [f"{who}read its configuration: the hook was told to fail (std::out_of_range)"]),
                         ("scale", [f"{who}advanced: the hook was told to fail"]),
                         ("observe", [f"{who}", "the hook was told to fail"]),
                         ("estimates", [f"{who}", "the hook was told to fail"]),
                         ("number", [f"{who}", "it threw a int"]),
                         ("no thermostat", ["no thermostat was made of `weak_coupling`"]),
                         ("no observer", ["no observer was made of `speeds`"]),
                         ("not a number", ["thermostat `weak_coupling` scales velocities by nan in step "]),
                         ("backwards", ["thermostat `weak_coupling` scales velocities by -1 in step "]),
                         ("endless", ["the energy of thermostat `weak_coupling` is inf"])):
        status, out, err = gsim("run", good, HOOKS=fault)
        check(status == 1 and err.count("error:") == 1 and all(word in err for word in words),
              f"a hook that fails: {fault}", status, out, err)
    for part, name in (("thermostat", "weak_coupling"), ("observer", "speeds"), ("bond", "spring"),
                       ("angle", "straight")):
        refused(f"a {part} without a function", gsim("plugin", "list", "--plugin", plugin, HOOKS=part),
                f"plugin `hooks`: {part} `{name}` is not complete; register it with ")
    for part, word in (("bond", "harmonic"), ("angle", "cosine")):
        refused(f"a {part} with a name that gsim has", gsim("run", good, HOOKS=f"{word} {part}"),
                f"plugin `hooks` brings a {part} `{word}`, which gsim has already")
    status, out, err = gsim("plugin", "check", plugin, HOOKS="silent")
    check(status == 1 and "✘ documents every key: without documentation: observe.factor" in out,
          "check: an observer's key without a word", out, err)
    status, out, err = gsim("plugin", "check", plugin, HOOKS="unused")
    for part in ("thermostat weak_coupling", "observer speeds", "bond spring", "angle straight"):
        found = out.partition(f"\n{part}\n")[2]
        check(status == 1 and "✘ its example uses it" in found.partition("same bits")[0],
              f"check: an example without {part}", out, err)


def bonded():
    """a bond and an angle of a plugin do what gsim's own do"""
    plugin = probe("probe_hooks")
    status, out, err = gsim("plugin", "check", plugin)
    for line in ("adds     bond spring", "adds     angle straight", "bond spring\n  ✔ force is the slope",
                 "angle straight\n  ✔ force is the slope"):
        check(status == 0 and line in out, f"check of bonds: {line}", out, err)
    theirs = deck(plugin, "chains")
    config(theirs, "chains.toml")
    config(theirs.replace('"spring"', '"harmonic"').replace('"straight"', '"cosine"'), "own_chains.toml")
    same_bits(SCRATCH, "chains", [(0,), (2,), (3,), (2, "threads=3")])
    found = []
    for name in ("chains", "own_chains"):
        status, out, err = gsim("run", f"{name}.toml", "--log", "json", "--set", "md.steps=20",
                                "--set", "md.time_step=0.002", "--set", "thermo.every=5")
        found.append({e["name"]: e["mean"] for e in map(json.loads, out.splitlines())
                      if e["event"] == "estimate"})
    for name in ("bond_energy", "angle_energy", "potential_energy", "pressure"):
        theirs_, own = (f[name] for f in found)
        # Rounding differs, and the differences grow for 20 steps.
        check(abs(theirs_ / own - 1) < 1e-8, f"{name} is what gsim's own styles give", found)
    # A run from the first frame continues the chains with the plugin's styles, which the file names.
    start = (HERE / "probe/chains.toml").read_text()
    pair = start[start.index("[pair]"):start.index("[bonded]")]
    again = ('module = "md"\n[md]\nsteps = 20\ntime_step = 0.002\n[start]\nkind = "h5md"\n'
             f'file = "results/chains.h5md"\nframe = 0\n{pair}[thermo]\nevery = 5\n')
    status, out, err = gsim("run", config(again, "again.toml"), "--plugin", plugin, "--log", "json")
    check(status == 0, "chains from a frame", out, err)
    now = {e["name"]: e["mean"] for e in map(json.loads, out.splitlines()) if e["event"] == "estimate"}
    for name in ("bond_energy", "angle_energy", "potential_energy"):
        check(name in now and abs(now[name] / found[0][name] - 1) < 1e-6, f"{name} from a frame", now, found[0])
    refused("a plugin's style without the plugin", gsim("check", "again.toml"), "the style spring is not known",
            "`plugins`")
    refused("a bond that is too long", gsim("run", "chains.toml", "--set",
            "bonded.bonds=[{name='1',kind='spring',k=200.0,r0=0.98,max_length=0.9}]"),
            "out of range", code=1)
    refused("a bond's missing key", gsim("check", "chains.toml", "--set",
            "bonded.bonds=[{name='1',kind='spring',k=200.0}]"), "r0")


def fields():
    """a fingerprint that differs in one field is refused, and the field is named"""
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
        wrong = SCRATCH / "wrong.so"
        wrong.write_bytes(whole[:start] + other + whole[stop:])
        refused(f"field {name}", gsim("plugin", "list", "--plugin", wrong),
                "was built for another gsim", f"       {name}: {other.decode()}", "build it again")
        _, _, err = gsim("plugin", "list", "--plugin", wrong)
        named = [n for n in names if f"\n       {n}: " in err]
        check(named == [name], f"field {name}: that one alone is named", err)


def other_compiler():
    """a plugin of another compiler is refused before any of its code runs"""
    check(shutil.which("clang++"), "clang++ is here: the set-up installs it")
    build(HERE / "probe", SCRATCH / "clang", "-DCMAKE_CXX_COMPILER=clang++", "-DGSIM_PLUGIN_CUDA=OFF",
          target="probe")
    refused("another compiler", gsim("plugin", "list", "--plugin", SCRATCH / "clang/libprobe.so",
                                     PROBE="load"), "compiler: Clang")


def files():
    """files that must not, or cannot, be loaded"""
    text = SCRATCH / "text.so"
    text.write_text("no plugin")
    refused("no plugin", gsim("run", config(PROBE_CONFIG.format("text.so"))), "is no gsim plugin",
            "probe.toml:2")
    refused("a library of gsim", gsim("plugin", "list", "--plugin",
                                      next(PREFIX.rglob("libgsim.so.*.*.*"))), "no section gsim_plugin")
    refused("no file", gsim("run", config(PROBE_CONFIG.format("missing.so"))), "there is no plugin")
    refused("half a file", gsim("plugin", "list", "--plugin", cut()), "is cut off")
    refused("a missing function", gsim("plugin", "list", "--plugin", probe("probe_incomplete")),
            "cannot be loaded", "nobody_defines_this")
    open_to_all = SCRATCH / "open.so"
    shutil.copy(probe(), open_to_all)
    open_to_all.chmod(0o666)
    refused("a file that all may write", gsim("plugin", "list", "--plugin", open_to_all),
            "everybody may write", "chmod go-w")
    folder = SCRATCH / "open"
    folder.mkdir()
    shutil.copy(probe(), folder / "probe.so")
    folder.chmod(0o777)
    refused("a folder that all may write", gsim("plugin", "list", "--plugin", folder / "probe.so"),
            "everybody may replace", "chmod go-w")
    way = folder / "link.so"
    way.symlink_to(probe())
    refused("a link in such a folder", gsim("plugin", "list", "--plugin", way), "everybody may replace",
            f"chmod go-w {folder}")
    inner = folder / "inner"
    inner.mkdir()
    shutil.copy(probe(), inner / "probe.so")
    inner.chmod(0o755)
    refused("a folder in such a folder", gsim("plugin", "list", "--plugin", inner / "probe.so"),
            "everybody may replace", f"chmod go-w {folder}")
    outer = SCRATCH / "outer"
    outer.symlink_to(folder / "inner")
    refused("a folder behind a link to such a one", gsim("plugin", "list", "--plugin", outer / "probe.so"),
            "everybody may replace", f"chmod go-w {folder}")
    ours = SCRATCH / "group.so"
    shutil.copy(probe(), ours)
    ours.chmod(0o664)
    os.chown(ours, -1, 54321)  # a group without members
    refused("a file that a group may write", gsim("plugin", "list", "--plugin", ours),
            "the group 54321 may write", f"chmod g-w {ours}")
    if os.geteuid() == 0:  # only root may change the owner of files
        others_files()
    loop = SCRATCH / "loop.so"
    loop.symlink_to(loop)
    refused("a link to itself", gsim("run", config(PROBE_CONFIG.format("loop.so"))), "there is no plugin", "probe.toml:2")
    refused("a name that no system takes", gsim("run", config(PROBE_CONFIG.format("./" + 5000 * "x"))),
            "there is no plugin", "probe.toml:2")
    hidden = SCRATCH / "hiding"
    (hidden / "probe.so").mkdir(parents=True)
    status, out, err = gsim("run", config(PROBE_CONFIG.format("probe"), "hidden.toml"),
                            GSIM_PLUGIN_PATH=f"{hidden}:{PROBES}")
    check(status == 0, "a folder with a plugin's name hides no file", out, err)
    refused("flushed denormals", gsim("plugin", "list", "--plugin", probe("probe_flushing")),
            "flush", "-ffast-math")


def others_files():
    """Refusals of files that belong to other users."""
    theirs = SCRATCH / "theirs.so"
    shutil.copy(probe(), theirs)
    os.chown(theirs, 54321, 54321)
    refused("a file of another user", gsim("plugin", "list", "--plugin", theirs), "belongs to user 54321")
    home = SCRATCH / "home"
    home.mkdir()
    shutil.copy(probe(), home / "probe.so")
    os.chown(home, 54321, 54321)
    refused("a file in a folder of another user", gsim("plugin", "list", "--plugin", home / "probe.so"),
            f"through {home}, which belongs to user 54321")
    sticky = SCRATCH / "sticky"
    sticky.mkdir()
    sticky.chmod(0o1777)
    shutil.copy(probe(), sticky / "probe.so")
    status, out, err = gsim("plugin", "list", "--plugin", sticky / "probe.so")
    check(status == 0, "an own file in a sticky folder", out, err)
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
    refused("its plugins", gsim("check", path, "--no-plugins"), "--no-plugins", "untrusted.toml:2")
    status, out, err = gsim("modules", "--no-plugins", GSIM_PLUGIN_PATH=probe())
    check(status == 0 and "probe" not in out, "GSIM_PLUGIN_PATH is passed over", out, err)
    refused("both", gsim("modules", "--no-plugins", "--plugin", probe()), "excludes")


def decoy():
    """a fingerprint outside of its section is none"""
    whole = bytearray(pathlib.Path(probe()).read_bytes())
    at = whole.index(b"gsim_plugin\0")  # the section's name, in the table of names
    while whole[at - 1] != 0:
        at = whole.index(b"gsim_plugin\0", at + 1)
    whole[at] = ord("G")
    path = SCRATCH / "decoy.so"
    path.write_bytes(whole)
    refused("a plugin without the section", gsim("plugin", "list", "--plugin", path, PROBE="load"),
            "no section gsim_plugin")


def cut():
    """The probe without its end, which contains the section table, and the data before it."""
    whole = probe().read_bytes()
    at = whole.index(b"end of fingerprint")
    half = SCRATCH / "half.so"
    half.write_bytes(whole[:at + 100])
    return half


def names():
    """plugins are named, never found"""
    shutil.copy(probe(), SCRATCH / "here.so")
    status, out, _ = gsim("modules")
    check(status == 0 and "probe" not in out, "nothing is loaded from the folder", out)
    status, out, _ = gsim("modules", GSIM_PLUGIN_PATH=str(PROBES))
    check(status == 0 and "probe" not in out, "nothing is loaded from a folder of the path", out)
    status, out, _ = gsim("modules", GSIM_PLUGIN_PATH=str(probe()))
    check(status == 0 and "counts (plugin probe)" in out, "a file of the path is loaded", out)
    by_name = config(PROBE_CONFIG.format("probe"))
    refused("a name without a path", gsim("run", by_name), "GSIM_PLUGIN_PATH", "probe.toml:2")
    refused("a name that is not there",
            gsim("run", config(PROBE_CONFIG.format("prove")), GSIM_PLUGIN_PATH=str(PROBES)),
            "no plugin `prove`")
    status, out, err = gsim("run", config(PROBE_CONFIG.format("probe")),
                            GSIM_PLUGIN_PATH=f"{SCRATCH}:{PROBES}")
    check(status == 0, "a name is found in the folders of the path", out, err)
    refused("a path of no fixed folder", gsim("modules", GSIM_PLUGIN_PATH="probe"), "absolute")
    refused("a path that is not there", gsim("modules", GSIM_PLUGIN_PATH="/nowhere/probe.so"),
            "does not exist")
    twice = PROBE_CONFIG.format(f'{probe()}", "{probe()}')
    check(gsim("run", config(twice), "--plugin", probe())[0] == 0, "named twice, loaded once")
    refused("the same name in another file", gsim(
        "run", config(PROBE_CONFIG.format(f'{probe()}", "{probe("probe_second")}'))),
            "have the name `probe`")
    refused("the same module in another plugin", gsim(
        "run", config(PROBE_CONFIG.format(f'{probe()}", "{probe("probe_rival")}'))),
            "plugin `rival` brings a module `probe`, which plugin `probe` has already")
    for command in ("run", "check"):
        refused(f"a module that is not there, {command}", gsim(command, config(
            'module = "probe"\n[probe]\nsteps = 1\n')), "unknown module `probe`")
    for ranks in (0, 2):
        refused(f"on {ranks} ranks", gsim("run", config(PROBE_CONFIG.format("text.so")),
                                          ranks=ranks), "is no gsim plugin")


def faults():
    """whatever a plugin throws ends in one message that names it"""
    good = config()
    shutil.rmtree(SCRATCH / "results", ignore_errors=True)
    told = "the probe was told to fail"
    for fault, words, code in (
            ("load", ["failed while it was loaded", told], 2),
            ("add", ["plugin `probe` failed while it registered", told], 2),
            ("nothing", ["plugin `probe` brings nothing"], 2),
            ("nameless", ["plugin `probe` brings a module ``; name it by letters, digits, - and _"], 2),
            ("spaced", ["plugin `probe` brings a module `a b"], 2),
            ("unnamed part", ["plugin `probe` brings a bond `a b`"], 2),
            ("nowhere", ["plugin `probe` brings a pudding `rice` for a module `kitchen`, which nobody has"], 2),
            ("taken", ["brings a module `md`, which gsim has already"], 2),
            ("twice", ["plugin `probe`: module `probe` is registered twice"], 2),
            ("constructor", ["plugin `probe` failed while it made its module", told,
                             "std::out_of_range"], 1),
            ("number", ["plugin `probe` failed while it made its module: it threw a int"], 1),
            ("null", ["plugin `probe` failed: it made no module"], 1),
            ("configure", ["plugin `probe` failed while it read its configuration", told], 1),
            ("plan", ["plugin `probe` failed while it planned", told], 1),
            ("unfinished", ["plugin `probe` failed while it advanced: a FieldHalo is posted again",
                            "call finish() after each post()"], 1),
            ("not a number", ["plugin `probe` failed while it advanced: field `heat` at step 3: cell (0, 0, 0) has "
                              "the value nan"], 1),
            ("advance", ["plugin `probe` failed while it advanced", told], 1)):
        refused(fault, gsim("run", good, PROBE=fault), *words, code=code)
        check(not list(SCRATCH.glob("results/*")), f"{fault}: nothing is written")
    for fault, words, code in (("destructor", ["an exception left a place that none may leave", told,
                                               "plugins loaded: probe 1"], 1),
                               ("exit", ["something called exit() before the work was done",
                                         "plugins loaded: probe 1"], 1),
                               ("segfault", ["the process crashed", "plugins loaded: probe 1"], -11)):
        refused(fault, gsim("run", good, PROBE=fault), *words, code=code)
    for fault in ("load", "constructor", "advance", "one rank", "destructor"):
        status, out, err = gsim("run", good, ranks=2, PROBE=fault)
        check(status != 0 and err.count("error:") == 1 and told in err, f"{fault} on two ranks",
              status, out, err)


def conformance():
    """gsim plugin check finds what does not conform"""
    status, out, err = gsim("plugin", "check", probe(), PROBE="exit")
    check(status == 1 and "called exit()" in err and "\nconforms" not in out, "check: a plugin that ends the process",
          out, err)
    refused("a plugin that ends the process without a word",
            gsim("plugin", "check", probe(), PROBE="exit at once"), "ended the process before it was checked", code=1)
    status, out, err = gsim("plugin", "check", probe())
    check(status == 0 and out.endswith("conforms\n") and "✘" not in out, "the probe conforms", out, err)
    for fault, finding in (("silent", "✘ documents every key: without documentation: probe.steps"),
                           ("ranks", "✘ same bits on 2 ranks: count differs in its results"),
                           ("threads", "✘ same bits on 3 threads: count differs"),
                           ("slices", "✘ same bits in slices of one unit: count differs"),
                           ("save", "✘ same bits when stopped on 1 rank and resumed on 3 ranks of 2 threads"),
                           ("errorless", "✘ gives estimates with errors: `count` has no standard"),
                           ("advance", "✘ runs its example on one rank and thread"),
                           ("no example", "✘ brings no example")):
        status, out, err = gsim("plugin", "check", probe(), PROBE=fault)
        check(status == 1 and finding in out and "does not conform" in out, f"check: {fault}", out,
              err)
    refused("a crash", gsim("plugin", "check", probe(), PROBE="crash"), "crashed: Aborted", code=1)
    refused("a fault at load", gsim("plugin", "check", probe(), PROBE="load"), "told to fail")
    refused("no file to check", gsim("plugin", "check"), "NAME is missing")
    refused("under a launcher", gsim("plugin", "check", probe(), ranks=2), "launcher")
    status, out, err = gsim("plugin", "check", probe(), "--config", config())
    check(status == 0 and out.endswith("conforms\n"), "with a configuration of one's own", out, err)


def lists():
    """gsim plugin list, gsim modules, for people and programs"""
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
    """a checkpoint goes on with the version of the plugin that wrote it, wherever its file is"""
    good = config(name="resumed.toml")
    status, out, err = gsim("run", good, "--set", "checkpoint.time_limit=1e-9")
    check(status == 75, "stopped with a checkpoint", status, out, err)
    moved = config(PROBE_CONFIG.format(probe("probe_next")), name="resumed.toml")
    refused("another version", gsim("run", moved, "--resume"), "0.1.0 with probe 1",
            "0.1.0 with probe 2")
    elsewhere = SCRATCH / "elsewhere.so"
    shutil.copy(probe(), elsewhere)
    again = config(PROBE_CONFIG.format(elsewhere), name="resumed.toml")
    status, out, err = gsim("run", again, "--resume")
    check(status == 0 and "not the same file" not in err, "resumed with the file in another place", out, err)
    # Extensions of a module count as well, if the run needs them.
    watched = config(deck(probe("probe_hooks"), "fluid"), "watched.toml")
    status, out, err = gsim("run", watched, "--set", "checkpoint.time_limit=1e-9")
    check(status == 75, "stopped with a checkpoint", status, out, err)
    config(deck(probe("probe_hooks_next"), "fluid"), "watched.toml")
    refused("another version of an extension", gsim("run", watched, "--resume"), "0.1.0 with hooks 1",
            "0.1.0 with hooks 2")
    changed = SCRATCH / "changed.so"
    changed.write_bytes(probe("probe_hooks").read_bytes() + b"\0")
    config(deck(changed, "fluid"), "watched.toml")
    status, out, err = gsim("run", watched, "--resume", "--plugin", probe())
    check(status == 0 and "warning: the checkpoint was written with hooks 1 " in err and "not the same file" in err,
          "a resume with another file of the same version is warned of, and one that the run does not need is not asked",
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

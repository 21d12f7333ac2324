#!/usr/bin/env python3
"""Tests that check_layers reports the constructs that it forbids and no others.

usage: check_layers.py CHECK_LAYERS
"""
import pathlib
import subprocess
import sys
import tempfile

REFUSED = [
    '#include "gsim/modules/builtin.hpp"',
    "#include <mpi.h>",
    "const double a = std::exp(x);",
    "const double a = exp(x);",
    "const double a = ::log1p(x);",
    "return -powf(x, 2);",
    "const float a = y * std::sinf(x);",
    "const double a = __builtin_cos(x);",
    "const double a = hypot(x, y);",
    "using std::exp;",
    "auto f = &std::log;",
    "auto f = &::erf;",
    "std::normal_distribution<double> normal;",
    "std::shuffle(v.begin(), v.end(), generator);",
    "#pragma omp parallel for",
]
ALLOWED = [
    '#include "gsim/math/exp.hpp"',
    "const double a = math::exp(x);",
    "const double a = gsim::math::log(x) + object.log(i) + pointer->exp(x);",
    "const double a = std::sqrt(x) + std::fma(x, y, z) + std::fabs(x);",
    "GSIM_HD R exp(R x) {",
    "const double log_spot = my_exp(x);  // exp(x), std::exp(x)",
    "context.log(text);",
    'say("K (1 - \\"cos(x)\\")", "erfc(x)");',
    "#pragma omp simd",
]
failures = []


def findings(layer, line):
    """Number of findings of check_layers in a file of src/LAYER that contains `line`."""
    with tempfile.TemporaryDirectory() as root:
        for name in ("engine", layer):
            (pathlib.Path(root) / "src" / name).mkdir(parents=True, exist_ok=True)
        (pathlib.Path(root) / "src/engine/private.hpp").touch()
        (pathlib.Path(root) / "src" / layer / "own.hpp").touch()
        (pathlib.Path(root) / "src" / layer / "sample.cpp").write_text(line + "\n")
        done = subprocess.run([sys.argv[1], root], capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines() if done.returncode else []
        if done.stderr or any(not text.startswith(f"src/{layer}/sample.cpp:1: ") for text in lines):
            failures.append(f"{line}: {done.stdout}{done.stderr}")
        return len(lines)


for sample in REFUSED:
    if findings("engine", sample) != 1:
        failures.append(f"not found: {sample}")
for sample in ALLOWED:
    if findings("engine", sample) != 0:
        failures.append(f"found: {sample}")
if findings("app", "const double a = exp(x);") != 0:
    failures.append("app computes no results, so libm is allowed there")
if findings("domain", '#include "kernels/md/pair_forces.hpp"') != 1:
    failures.append("not found: kernels of a physics included by domain")
if findings("domain", '#include "kernels/domain/copy_rows.hpp"') != 0:
    failures.append("found: kernels/domain included by domain")
# A module may include its own headers and the SDK, but no private header of a layer.
for header, count in (("src/engine/private.hpp", 1), ("src/modules/md/own.hpp", 0), ("own.hpp", 0),
                      ("gsim/engine/module.hpp", 0)):
    if findings("modules/md", f'#include "{header}"') != count:
        failures.append(f"not {count} findings for a module's include of {header}")
print(*(failures or ["check_layers reports exactly the forbidden constructs"]), sep="\n")
sys.exit(1 if failures else 0)

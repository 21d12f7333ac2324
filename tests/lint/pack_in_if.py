#!/usr/bin/env python3
"""Checks that a comparison of packs as the condition of an `if` does not compile, with a message that suggests
select, any and all, and that these compile. usage: pack_in_if.py COMPILER INCLUDE [FLAGS...]"""
import subprocess
import sys

SOURCE = """
#include "gsim/math/pack.hpp"
using Pack = gsim::Pack<double, {lanes}>;
Pack smaller(Pack a, Pack b) {{
  const auto mask = a < b;
  {body}
  return a;
}}
static_assert(!std::is_convertible_v<gsim::Mask<8, {lanes}>, bool>);
"""
REFUSED = ["if (mask) return b;", "if (a == b && mask) return b;", "return mask ? a : b;",
           "while (mask) a = b;", "if (mask || a < 1.0) return b;"]
ALLOWED = ["return select(mask, a, b);", "if (any(mask) && !all(!mask)) return b;",
           "return select(mask & (a < 2.0), a, b);"]
WORDS = ["select(mask, a, b)", "any(mask)", "all(mask)"]

compiler, include, *flags = sys.argv[1:]
failures = []
for lanes in (4, 16):  # one vector register, and several
    for body in REFUSED + ALLOWED:
        done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", *flags, "-I", include, "-x", "c++", "-"],
                              input=SOURCE.format(lanes=lanes, body=body), text=True, capture_output=True)
        if body in ALLOWED and done.returncode != 0:
            failures.append(f"{lanes} lanes, refused: {body}\n{done.stderr}")
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        if body in REFUSED and not any(all(word in line for word in WORDS) for line in errors):
            failures.append(f"{lanes} lanes, the message does not suggest select, any and all: {body}\n{done.stderr}")
print("\n".join(failures))
sys.exit(1 if failures else 0)

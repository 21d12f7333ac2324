#!/usr/bin/env python3
"""Tests documents.py: it must report each error in a document and accept a correct one.
usage: test_documents.py GSIM MPIEXEC BUILD COMPILER"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Documents with one error each, and words of the message.
INVALID = {
    "```\n$ echo one\ntwo\n```\n": "does not show `two`",
    "```\n$ printf 'a\\nb\\n'\nb\na\n```\n": "does not show `a`",
    "```\n$ false\n```\n": "exit code 1",
    "```\ngsim rnu\n```\n": "exit code",
    "```\n$ gsim run configs/pricing/jumps.toml --set stop.sampls=1\nerror: another message\n```\n": "does not show",
    "```toml\nmodule = \"pricing\"\nseeds = 1\n```\n": "gsim check refuses it",
    "```toml\n[stop]\nsamples = 1\n```\n": "is no whole configuration",
    "<!-- test: append to configs/pricing/jumps.toml -->\n```toml\n[pricing]\nsampling = \"sobl\"\n```\n": "refuses it",
    "```python\nimport math\nassert math.pi > 4\n```\n": "the Python snippet fails",
    "```cpp\nint f() { return \"\"; }\n```\n": "does not compile",
    "```rust\nfn f() {}\n```\n": "has the language `rust`",
    "<!-- test: skip -->\n```\n$ false\n```\n": "without a reason",
    "<!-- test: run by plugin.no_such_test -->\n```\n$ false\n```\n": "is no test of this build",
}
VALID = """
<!-- test: skip, it takes a day -->
```
$ sleep 86400
```
```
$ printf 'a\\nb\\nc\\n'
a
…
c
$ echo $?
0
```
<!-- test: replace one with two; output varies -->
```
$ test one = two
```
```text
a drawing
```
```cpp
#include "gsim/core/types.hpp"
gsim::Index twice(gsim::Index n) { return 2 * n; }
```
"""


def run(text, folder):
    document = folder / "document.md"
    document.write_text(text, encoding="utf-8")
    gsim, mpiexec, build, compiler = sys.argv[1:5]
    command = [sys.executable, HERE / "documents.py", gsim, mpiexec, build, document, compiler]
    return subprocess.run(command, text=True, capture_output=True, check=False)


def main():
    failures = []
    with tempfile.TemporaryDirectory(prefix="gsim-docs-") as name:
        for text, words in INVALID.items():
            done = run(text, pathlib.Path(name))
            if done.returncode != 1 or words not in done.stdout:
                failures.append(f"`{words}` is not reported for\n{text}\n{done.stdout}{done.stderr}")
        done = run(VALID, pathlib.Path(name))
        if done.returncode != 0:
            failures.append(f"a correct document is refused:\n{done.stdout}{done.stderr}")
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{len(INVALID) + 1} documents")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

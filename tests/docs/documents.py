#!/usr/bin/env python3
"""Runs every command and snippet of a document. usage: documents.py GSIM MPIEXEC BUILD DOCUMENT [COMPILER]

What is done with a fenced block depends on its language. Blocks run one after the other in a scratch folder with copies
of configs/ and examples/.

  none     lines after `$ ` are commands and the others their output, which must be printed in this order; `…` means that
           lines are left out. Without any `$ `, every line is a command
  toml     with a key `module`, a configuration for `gsim check`; other tables need `append to`
  python   run where its modules are installed, and for the package gsim (examples/python) also those that it needs
  cpp      compiled with the SDK's headers by COMPILER
  text     not run: drawings and lists of files

A comment before a block, <!-- test: … -->, changes this; several items are separated by `;`:

  --set KEY=VALUE …    adds the option to each `gsim run`; output is not compared
  replace A with B     replaces text in the commands; output is not compared
  append to FILE       the block is appended to the configuration FILE
  output varies        output is not compared
  inside FILE          the C++ block replaces SNIPPET in tests/docs/FILE
  run by TEST          the block is run by that ctest of the build
  skip, REASON         the block is not run

<!-- test of this document: … --> applies to all blocks below it that have no comment of their own."""
import ast
import functools
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

GSIM, MPIEXEC, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
DOCUMENT = pathlib.Path(sys.argv[4]).resolve()
COMPILER = sys.argv[5:]
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAME = DOCUMENT.relative_to(ROOT) if DOCUMENT.is_relative_to(ROOT) else DOCUMENT.name
# Lines that differ from machine to machine, or from run to run.
VARIES = re.compile(r"^(gsim \d|time  |  - same bits on a GPU)")


class Block:
    """A fenced block: number of its first line, language, lines, and directives of the comment before it."""

    def __init__(self, number, language, directives):
        self.number, self.language, self.directives, self.lines = number, language, directives, []

    def directive(self, word):
        """The rest of the directive that begins with `word`, or None."""
        for text in self.directives:
            if text.startswith(word):
                return text[len(word):].strip(" ,")
        return None


def blocks_of(text):
    """The fenced blocks of a document."""
    found, block, directives, comment, document_directives = [], None, [], None, []
    for number, line in enumerate(text.splitlines(), 1):
        if comment is not None or (block is None and line.startswith("<!-- test:")):
            comment = line if comment is None else f"{comment} {line.strip()}"
            if comment.endswith("-->"):
                directives = [d.strip() for d in comment[len("<!-- test:"):-len("-->")].split(";")]
                comment = None
        elif block is None and line.startswith("<!-- test of this document:"):
            document_directives = [d.strip() for d in line[len("<!-- test of this document:"):-len("-->")].split(";")]
        elif line.startswith("```") and block is None:
            block, directives = Block(number, line[3:].strip(), directives or document_directives), []
        elif line.startswith("```"):
            found.append(block)
            block = None
        elif block is not None:
            block.lines.append(line)
        elif line.strip():
            directives = []
    return found


def commands_of(block):
    """(command, output lines) of each command in a block without a language."""
    has_prompts = any(line.startswith("$ ") for line in block.lines)
    session = []
    for line in block.lines:
        if session and session[-1][0].endswith("\\"):
            session[-1] = (session[-1][0][:-1] + line.strip(), [])
        elif line.startswith("$ ") or (not has_prompts and line.strip()):
            session.append((line.removeprefix("$ "), []))
        elif session and line.strip() and line != "…" and not VARIES.match(line):
            session[-1][1].append(line.rstrip())
    return session


def first_missing(shown, out):
    """The first line of `shown` that does not follow its predecessors in `out`."""
    rest = iter(line.rstrip() for line in out.splitlines())
    return next((line for line in shown if line not in rest), None)


@functools.cache
def tests_of_build():
    """The names of all tests of the build."""
    listed = subprocess.run(["ctest", "--test-dir", BUILD, "-N"], text=True, capture_output=True, check=False).stdout
    return set(re.findall(r"^ *Test +#\d+: (\S+)$", listed, re.MULTILINE))


class DocumentRunner:
    """Runs the blocks of a document in a scratch folder and collects the failures."""

    def __init__(self, folder):
        self.folder, self.failures, self.ran, self.left_out = folder, [], 0, []
        for name in ("configs", "examples"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("figures", "*.md"))
        tools = folder / "tools"
        tools.mkdir()
        (folder / "scripts").mkdir()
        for path, program in ((tools / "gsim", GSIM), (folder / "scripts/gsim", GSIM), (tools / "mpiexec.mpich", MPIEXEC)):
            path.write_text(f'#!/bin/sh\nexec "{program}" "$@"\n', encoding="utf-8")
            path.chmod(0o755)
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("GSIM_", "SLURM_"))}
        self.environment = {**clean, "NO_COLOR": "1", "PATH": f"{tools}:{os.environ['PATH']}"}

    def shell(self, command):
        return subprocess.run(["bash", "-c", command], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=120, env=self.environment)

    def run(self, block):
        """Runs a block according to its directives and its language."""
        reason, test = block.directive("skip"), block.directive("run by")
        if reason is not None:
            self.left_out.append(f"{block.number}: {reason}")
            if not reason:
                self.fail(block, "is skipped without a reason")
        elif test is not None:
            if test not in tests_of_build():
                self.fail(block, f"is to be run by {test}, which is no test of this build")
            self.left_out.append(f"{block.number}: run by {test}")
        elif block.language == "text":
            pass
        else:
            runners = {"": self.session, "toml": self.configuration, "python": self.python, "cpp": self.cpp}
            if block.language not in runners:
                self.fail(block, f"has the language `{block.language}`, for which this test has no runner")
            else:
                runners[block.language](block)

    def fail(self, block, text):
        self.failures.append(f"{NAME}:{block.number}: {text}")

    def session(self, block):
        """Runs the commands of a block and compares what they print with the output shown."""
        options = " ".join(d for d in block.directives if d.startswith("--set"))
        changes = [d.removeprefix("replace ").split(" with ", 1) for d in block.directives if d.startswith("replace ")]
        compared = not options and not changes and block.directive("output varies") is None
        status = 0
        for command, shown in commands_of(block):
            real_command = command.split("  #")[0].rstrip()
            for old, new in changes:
                real_command = real_command.replace(old, new)
            if re.search(r"gsim run\b", real_command):
                real_command = f"{real_command} {options}".rstrip()
            done = self.shell(f"(exit {status}); {real_command}")
            status, self.ran = done.returncode, self.ran + 1
            if status != 0 and not any("error: " in line for line in shown):
                self.fail(block, f"$ {real_command}\n  exit code {status}\n{done.stdout}")
            missing = first_missing(shown, done.stdout) if compared else None
            if missing is not None:
                self.fail(block, f"$ {real_command}\n  does not show `{missing}` where it should:\n{done.stdout}")

    def configuration(self, block):
        text, base = "\n".join(block.lines) + "\n", block.directive("append to")
        name = self.folder / "snippet.toml"
        if base is not None:
            name = (self.folder / base).with_name("snippet.toml")
            text = (self.folder / base).read_text(encoding="utf-8") + "\n" + text
        elif not re.search(r"^module\s*=", text, re.MULTILINE):
            self.fail(block, "is no whole configuration, and has no directive `append to`")
            return
        name.write_text(text, encoding="utf-8")
        done = self.shell(f"gsim check {name.relative_to(self.folder)} --measure 0")
        self.ran += 1
        if done.returncode != 0:
            self.fail(block, f"gsim check refuses it:\n{done.stdout}")

    def python(self, block):
        text = "\n".join(block.lines) + "\n"
        modules = [name.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for name in node.names]
        if "gsim" in modules:
            modules = [name for name in modules if name != "gsim"] + ["h5py", "tomllib", "xarray"]
        missing = [m for m in modules if not importlib.util.find_spec(m) and not (HERE / f"substitutes/{m}.py").exists()]
        if missing:
            self.left_out.append(f"{block.number}: Python without {', '.join(missing)}")
            return
        (self.folder / "snippet.py").write_text(text, encoding="utf-8")
        # Installed packages take precedence over tests/docs/substitutes.
        paths = [str(ROOT / "examples/python"), str(HERE / "substitutes")]
        start = f"import sys; sys.path += {paths!r}; exec(open('snippet.py').read())"
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", start], cwd=self.folder, text=True,
                              capture_output=True, check=False, timeout=120, env=self.environment)
        self.ran += 1
        if done.returncode != 0:
            self.fail(block, f"the Python snippet fails:\n{done.stderr}")

    def cpp(self, block):
        if not COMPILER:
            self.left_out.append(f"{block.number}: no compiler was named")
            return
        text, frame = "\n".join(block.lines) + "\n", block.directive("inside")
        if frame is not None:
            text = (HERE / frame).read_text(encoding="utf-8").replace("SNIPPET", text)
        (self.folder / "snippet.cpp").write_text(text, encoding="utf-8")
        done = subprocess.run([*COMPILER, "-std=c++20", "-fsyntax-only", "-DGSIM_TARGET=base", f"-I{ROOT}/include", f"-I{ROOT}", "-Wall",
                               "-Wextra", "snippet.cpp"], cwd=self.folder, text=True, capture_output=True, check=False,
                              timeout=120)
        self.ran += 1
        if done.returncode != 0:
            self.fail(block, f"the C++ snippet does not compile:\n{done.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="gsim-docs-") as folder:
        runner = DocumentRunner(pathlib.Path(folder).resolve())
        blocks = blocks_of(DOCUMENT.read_text(encoding="utf-8"))
        for block in blocks:
            runner.run(block)
    print(f"{NAME}: {len(blocks)} blocks, {runner.ran} commands and snippets run")
    for line in runner.left_out:
        print(f"  not run here: {line}")
    for text in runner.failures:
        print(f"FAILED: {text}")
    sys.exit(1 if runner.failures else 0)


if __name__ == "__main__":
    main()

"""Follows the tutorial of examples/plugins/README.md: runs its commands one after the other, writes its files, makes
its changes, and compares the output shown with the actual output."""
import os
import pathlib
import re
import shlex
import subprocess

# Patterns for text that differs between machines or between runs.
VARIES = re.compile(r"^(gsim \d|time |\[ *\d+(%|/)|  - same bits on a GPU|  ✔ same bits at the CPU level|next )")


def blocks(text):
    """(language, lines) of each code block between ``` in a text."""
    found, language, lines = [], None, []
    for line in text.splitlines():
        if not line.startswith("```"):
            lines.append(line)
        elif language is None:
            language, lines = line[3:], []
        else:
            found.append((language, lines))
            language, lines = None, []
    return found


def commands(lines):
    """(command, output lines) of a session; a command continues where its line ends with a backslash."""
    session = []
    for line in lines:
        if line.startswith("$ "):
            session.append((line[2:], []))
        elif session and session[-1][0].endswith("\\"):
            session[-1] = (session[-1][0][:-1] + line.strip(), [])
        elif session and line.strip() and line != "…" and not VARIES.match(line):
            session[-1][1].append(line.rstrip())
    return session


def first_missing(shown, out):
    """The first expected line that does not follow its predecessors in the actual output."""
    rest = iter(line.rstrip() for line in out.splitlines())
    return next((line for line in shown if line not in rest), None)


def run(command, folder, environment):
    """Runs a command in bash; returns its output and the working folder of the shell at the end."""
    mark = "the shell is now in "
    ran = subprocess.run(["bash", "-c", f"{{ {command}\n}} 2>&1; echo; echo '{mark}'$PWD"], cwd=folder, text=True,
                         stdout=subprocess.PIPE, check=False, timeout=300, env=environment)
    out, _, place = ran.stdout.rpartition(mark)
    return out, pathlib.Path(place.strip())


def launcher_folder(start, mpiexec):
    """A folder that holds the build's launcher under the name used in the tutorial."""
    folder = start / "launcher"
    folder.mkdir()
    script = folder / "mpiexec.mpich"  # not a link: Hydra searches hydra_pmi_proxy in the folder of the path by which it was started
    script.write_text(f'#!/bin/sh\nexec "{mpiexec}" "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return folder


def follow(readme, start, prefix, mpiexec, cmake_arguments):
    """Follows sections 1 to 4 in a folder, and returns the differences."""
    text = readme.read_text(encoding="utf-8")
    text = text[text.index("## 1."):text.index("## 5.")]
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GSIM_", "SLURM_"))}
    environment = {**clean, "NO_COLOR": "1", "CMAKE_GENERATOR": "Ninja",
                   "PATH": f"{prefix / 'bin'}:{launcher_folder(start, mpiexec)}:{os.environ['PATH']}"}
    folder, differences, done = start, [], 0
    for language, lines in blocks(text):
        if language == "diff":
            patched = subprocess.run(["git", "apply", "-p1", "-"], input="\n".join(lines) + "\n", cwd=folder, text=True,
                                     capture_output=True, check=False)
            if patched.returncode != 0:
                differences.append(f"a patch of the tutorial does not apply:\n{patched.stdout}{patched.stderr}")
        elif language == "toml":  # the first line of the block names the file for the others
            path = folder / lines[0].split()[1]
            path.write_text("\n".join(lines[1:]) + "\n", encoding="utf-8")
        for command, shown in commands(lines) if language == "" else []:
            real_command = command.replace("CMAKE_PREFIX_PATH=PREFIX",
                                     shlex.join([f"CMAKE_PREFIX_PATH={prefix}", *cmake_arguments]))
            out, folder = run(real_command, folder, environment)
            done += 1
            line = first_missing(shown, out)
            if line is not None:
                differences.append(f"$ {command}\n  does not show `{line}` where it should:\n{out}")
    if done < 12:
        differences.append(f"the tutorial has only {done} commands")
    return differences

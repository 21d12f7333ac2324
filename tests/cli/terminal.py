#!/usr/bin/env python3
"""Checks the output on a terminal and to a pipe. usage: GSIM_TEST_MODULES MPIEXEC"""
import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import sys
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import (ENVIRONMENT, SCRATCH, check, check_stopped, command, config,  # noqa: E402
                     gsim, run_tests)

TARGET = "[stop]\nrelative_error = 1e-6\n"


class Screen:
    """A terminal of `width` columns that implements what gsim uses: carriage return, new line, erase to the end of the
    line, colours."""

    def __init__(self, width):
        self.width, self.lines, self.column = width, [""], 0
        self.frames = []  # the successive contents of the last line
        self.colours = self.wrapped = False

    def feed(self, text):
        for token in re.findall("\r\n|\x1b\\[[0-9;]*[A-Za-z]|[^\x1b]", text):
            if token == "\r\n":
                self.lines.append("")
                self.column = 0
            elif token == "\r":
                self.frames.append(self.lines[-1])
                self.column = 0
            elif token == "\x1b[K":
                self.lines[-1] = self.lines[-1][:self.column]
            elif token.startswith("\x1b"):
                check(token.endswith("m"), f"an escape sequence that this terminal does not implement: {token!r}")
                self.colours = True
            else:
                line = self.lines[-1]
                self.lines[-1] = line[:self.column] + token + line[self.column + 1:]
                self.column += 1
                self.wrapped = self.wrapped or self.column > self.width

    def has_bar(self):
        """Whether a line of the screen is a progress bar, or begins with its percentage."""
        return any(re.match(r"[ ━─╸]*\d+ %(  |$)", line.rstrip()) for line in self.lines)

    def text(self):
        return "\n".join(line.rstrip() for line in self.lines)


def run_on_terminal(arguments, width=80, ranks=0, type_after=None, **settings):
    """Runs gsim on a terminal and returns its exit status and the screen. Types Ctrl-C when `type_after` occurs in the
    output."""
    environment = {**ENVIRONMENT, "TERM": "xterm-256color", **settings}
    environment.pop("NO_COLOR" if "NO_COLOR" not in settings else "", None)
    words = command(arguments, ranks)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(SCRATCH)
        time.sleep(0.2)  # until the size is set
        os.execvpe(words[0], words, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    output, typed, end = b"", False, time.monotonic() + 60
    while time.monotonic() < end:
        try:
            read = os.read(terminal, 65536)
        except OSError:  # Linux reports EIO at the end of the file
            break
        if not read:
            break
        output += read
        if type_after and not typed and type_after in output.decode(errors="ignore"):
            os.write(terminal, b"\x03")
            typed = True
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    screen = Screen(width)
    screen.feed(output.decode())
    return status, screen


def long_run():
    return config("terminal", blocks=150, interval=0, top_keys=TARGET)


def bar():
    """a progress bar with rate, error and remaining time, at widths from 20 to 200 columns"""
    for width, wanted in ((200, ("━" * 10, "samples/s", "of 2 converged, worst", "left")),
                          (80, ("━" * 5, "of 2 converged, worst", "left")),
                          (40, ("━" * 5, "left")), (20, ("%",))):
        status, screen = run_on_terminal(["run", long_run(), "--output", "bar.h5"], width)
        check(status == 0, f"exit {status}: {screen.text()}")
        check(screen.colours, "no colours")
        check(any(all(word in frame for word in wanted) for frame in screen.frames),
              f"{width} columns: not all of {wanted} in any of {screen.frames}")
        check(all(len(f) < width for f in screen.frames), f"{width} columns: {screen.frames}")
        check(not screen.has_bar(), f"leftovers of the bar: {screen.text()}")
        if width >= 80:
            check(not screen.wrapped, f"{width} columns: wrapped lines: {screen.text()}")


def interrupted():
    """Ctrl-C leaves a clean screen and a checkpoint"""
    status, screen = run_on_terminal(["run", long_run(), "--output", "stopped.h5"], type_after="left")
    check(status == 75, f"exit {status}: {screen.text()}")  # stopped with a checkpoint
    check("stopped by SIGINT" in screen.text() and "--resume" in screen.text(), screen.text())
    check(not screen.has_bar(), f"leftovers of the bar: {screen.text()}")
    check(list(SCRATCH.glob("stopped.ckpt.*")), "no checkpoint")


def failing():
    """an error during a run is printed on a new line"""
    unhealthy = config("unhealthy", blocks=150, interval=0, top_keys=TARGET,
                  sampler_keys='fault = "unhealthy"\nfault_block = 100')
    status, screen = run_on_terminal(["run", unhealthy, "--threads", 1])
    check(status == 1 and screen.frames, f"exit {status}: {screen.text()}")
    check(any(line.startswith("error: ") for line in screen.lines), screen.text())
    check(not screen.has_bar(), f"leftovers of the bar: {screen.text()}")


def plain_terminals():
    """NO_COLOR: a bar without colours; TERM=dumb: neither bar nor colours"""
    _, screen = run_on_terminal(["run", long_run(), "--output", "plain.h5"], NO_COLOR="1")
    check(not screen.colours, "colours in spite of NO_COLOR")
    check(any("━" in f and "─" in f for f in screen.frames), f"no bar: {screen.frames}")
    status, screen = run_on_terminal(["run", long_run(), "--output", "plain.h5"], TERM="dumb")
    check(status == 0 and "digest" in screen.text(), screen.text())
    check(not screen.colours and "━" not in "".join(screen.frames), "TERM=dumb: escape sequences")


def under_the_launcher():
    """under mpiexec -n 2, plain lines; Ctrl-C stops all ranks with a checkpoint"""
    status, screen = run_on_terminal(["run", long_run(), "--output", "ranks.h5", "--log", "json"], ranks=2,
                           type_after='"start"')
    ends = [line for line in screen.lines if line.startswith('{"event":"end"')]
    check(len(ends) == 1, screen.text())
    check_stopped(status, json.loads(ends[0]), launcher_signalled=True)
    status, screen = run_on_terminal(["run", long_run(), "--output", "ranks.h5", "--resume"], ranks=2)
    check(status == 0 and "digest" in screen.text(), screen.text())
    check(not screen.colours and "━" not in screen.text(), screen.text())


def pipe():
    """to a pipe, plain lines with the progress of a long run, and nothing with --quiet"""
    done = gsim("run", config("long", blocks=580, interval=0, top_keys=TARGET), "--threads", 1,
                "--output", "long.h5")
    check(done.returncode == 0 and "\r" not in done.stdout and "\x1b" not in done.stdout,
          done.stdout)
    check(re.search(r"^ +\d+ %  .* samples/s  0 of 2 converged, worst .* %  .* left$", done.stdout, re.M), done.stdout)
    done = gsim("run", long_run(), "--quiet", "--output", "quiet.h5")
    check(done.returncode == 0 and done.stdout + done.stderr == "", done.stdout + done.stderr)


run_tests([bar, interrupted, failing, plain_terminals, under_the_launcher, pipe])

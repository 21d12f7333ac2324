"""Runs gsim_test_modules as users do; shared by tests/cli and tests/fault."""
import atexit
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM, MPIEXEC = sys.argv[1:3]
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="gsim-test-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "GSIM_"))}


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def errors_in(text):
    """The lines of `text` that begin an error message."""
    return [line for line in text.splitlines() if line.startswith("error: ")]


def config(name="run", blocks=200, delay=0.02, interval=0.4, sampler_keys="", top_keys=""):
    """Writes a configuration of the test module `sampler` and returns its path."""
    path = SCRATCH / f"{name}.toml"
    path.write_text(
        f'module = "sampler"\nseed = 7\n{top_keys}\n[sampler]\nblocks = {blocks}\n'
        f'block_samples = 64\ndelay = {float(delay)}\n{sampler_keys}\n'
        f'[checkpoint]\ninterval = "{interval} s"\n')
    return path


def command(arguments, ranks=0):
    """The command line of a run on `ranks` ranks, without a launcher if `ranks` is 0."""
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
    return [*launcher, PROGRAM, *map(str, arguments)]


def gsim(*arguments, ranks=0, limit=60, **settings):
    """Runs the program to its end, for at most `limit` seconds, and returns the result of subprocess.run with text."""
    settings.setdefault("env", ENVIRONMENT)
    return subprocess.run(command(arguments, ranks), cwd=SCRATCH, text=True, timeout=limit,
                          capture_output=True, check=False, **settings)


def events(text):
    """The JSON objects that --log json printed, one per line."""
    return [json.loads(line) for line in text.splitlines() if line]


def digest_of(done):
    check(done.returncode == 0, f"exit {done.returncode}: {done.stdout}{done.stderr}")
    return events(done.stdout)[-1]["digest"]


class Running:
    """A run in the background, by default with --log json, whose events are read while it goes on."""

    def __init__(self, *arguments, ranks=0, style="json", **settings):
        self.errors = open(SCRATCH / "errors.txt", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            command([*arguments, "--log", style], ranks), cwd=SCRATCH, text=True, env=ENVIRONMENT,
            stdout=subprocess.PIPE, stderr=self.errors, **settings)
        atexit.register(self.end)

    def wait_for(self, event):
        """Reads up to the next `event` and returns it."""
        for line in self.process.stdout:
            if line.startswith("[mpiexec@"):  # MPICH's launcher prints this when it forwards a SIGINT
                continue
            parsed = json.loads(line)
            if parsed["event"] == event:
                return parsed
        return sys.exit(f"FAILED: no event `{event}`: {self.messages()}")

    def ranks(self):
        """Process ids of the ranks, in no particular order."""
        pids = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                arguments = (entry / "cmdline").read_bytes().split(b"\0")
                if arguments[0].decode() == PROGRAM and descends(int(entry.name), self.process.pid):
                    pids.append(int(entry.name))
            except (OSError, IndexError):
                continue
        return pids

    def finish(self, limit=30):
        """Waits for the end; returns the exit status, the seconds until then and the remaining output."""
        begin = time.monotonic()
        output, _ = self.process.communicate(timeout=limit)
        return self.process.returncode, time.monotonic() - begin, output

    def messages(self):
        self.errors.seek(0)
        return self.errors.read()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def descends(pid, ancestor):
    """Whether `ancestor` is `pid` or one of its ancestors."""
    while pid > 1:
        if pid == ancestor:
            return True
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        pid = int(fields.rpartition(")")[2].split()[1])
    return False


def check_stopped(status, end, launcher_signalled=False):
    """Checks that a run was stopped by a signal with exit status 75, which its event `end` reports too.

    MPICH's launcher Hydra, if it receives a signal itself, forwards it, and then occasionally loses the exit status of
    the ranks (MPICH 4.0.2: 10 of 30 times with a shell script that exits with 75)."""
    lost = launcher_signalled and status == 0
    check((status == 75 or lost) and end["exit_code"] == 75, f"exit {status}: {end}")
    check(end["reason"] == "signal" and (SCRATCH / end["checkpoint"]).exists(), str(end))


def same_results(one, other):
    """Checks that two result files hold the same datasets, except for provenance."""
    done = subprocess.run(["h5diff", "--exclude-path", "/provenance", str(SCRATCH / one),
                           str(SCRATCH / other)], capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"{one} and {other} differ: {done.stdout}{done.stderr}")


def run_tests(tests):
    """Runs functions one after the other and prints which one runs."""
    for test in tests:
        begin = time.monotonic()
        print(f"{test.__doc__} ...", end=" ", flush=True)
        test()
        print(f"{time.monotonic() - begin:.1f} s", flush=True)

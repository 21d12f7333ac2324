"""Compares times that scripts/gpu_model computes with published measurements of the same kernels.

Usage: gpu_model.py PUBLISHED_PROGRAM EMULATOR_FOLDER

PUBLISHED_PROGRAM is built from tests/ptx_emulator/programs/published.cu. Published figures are those of D. Ernst's gpu-benches
(github.com/te42kyfo/gpu-benches, commit 1c36d50), files gpu-stream, gpu-small-kernels and gpu-roofline, for H200 and
H100 PCIe. Those marked * determined constants of the model; the others test it. Exits with 1 if the errors are larger
than the README states.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Largest error of a figure that did not determine constants, and the median of all of these.
WORST, MEDIAN = 0.45, 0.10

# gpu-stream: name, threads of a block, GB/s on H200, GB/s on H100 PCIe, with two blocks on each multiprocessor.
STREAMS = [
    ("init", 32, 297, 228), ("init", 128, 1163, 888), ("init", 256, 2196, 1686), ("init", 512, 3670, None), ("init", 1024, 3884, 2016),
    ("read", 32, 123, 96), ("read", 128, 485, 368), ("read", 256, 935, 702), ("read", 512, 1707, None), ("read", 1024, 2756, 1942),
    ("scale", 32, 240, 183), ("scale", 128, 852, 607), ("scale", 256, 1395, 1037), ("scale", 512, 2263, None), ("scale", 1024, 3165, 1704),
    ("triad", 32, 334, 254), ("triad", 128, 1129, 821), ("triad", 256, 1905, 1399), ("triad", 512, 2919, None), ("triad", 1024, 3534, 1832),
]
CALIBRATION = {("init", 32, "bench"), ("read", 32, "bench"), ("init", 1024, "pcie"), ("read", 1024, "pcie"), ("scale", 1024, "pcie")}
ARRAYS = {"init": 1, "read": 1, "scale": 2, "triad": 3}
# gpu-small-kernels on H200: doubles of an array, kB of both, GB/s with 256 threads; launched again and again.
SMALL = [(4096, 64, 26), (16562, 258, 104), (67031, 1047, 409), (271378, 4240, 1342), (546056, 8532, 2217), (1098763, 17168, 3261),
         (2210918, 34545, 4060)]
# gpu-roofline on H200: multiplications with addition for each element pair, GFLOP/s and GB/s; 1056 blocks of 256 threads.
ROOFLINE = [(0, 940), (24, 22683), (96, 38276), (408, 42442)]


class Model:
    """Runs the program on the emulated GPU and the model on its report."""

    def __init__(self, program, emulator):
        self.program, self.emulator = program, emulator
        self.folder = tempfile.TemporaryDirectory()

    def report(self, arguments, l2_bytes):
        name = os.path.join(self.folder.name, f"{len(os.listdir(self.folder.name))}.json")
        environment = {**os.environ, "LD_LIBRARY_PATH": self.emulator, "PTXEMU_REPORT": name, "PTXEMU_L2": str(int(l2_bytes))}
        subprocess.run([self.program, *map(str, arguments)], check=True, env=environment)
        return name

    def seconds(self, arguments, machine, scale=1, subtract=None):
        """Modelled seconds of the kernels of a run, without copies and synchronisations."""
        report = self.report(arguments, (50 << 20) / scale)
        result = report + ".model.json"
        command = [sys.executable, f"{ROOT}/scripts/gpu_model", "--machine", machine, "--scale", str(scale), "--json", result, report]
        if subtract:
            command += ["--subtract", self.report(subtract, (50 << 20) / scale)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(result, encoding="utf-8") as file:
            return sum(k["time"] for k in json.load(file)[0]["kernels"].values())


def rows(model):
    """Yields (name, published, modelled, unit, whether it determined constants)."""
    real, small = 1 << 27, 1 << 17
    for name, threads, h200, pcie in STREAMS:
        for machine, label, published in (("bench", "H200", h200), ("pcie", "H100 PCIe", pcie)):
            if published is None:
                continue
            seconds = model.seconds([name, small, threads, 2, 1], machine, real // small)
            modelled = ARRAYS[name] * real * 8 / seconds / 1e9
            yield f"{name}, {threads} threads, {label}", published, modelled, "GB/s", (name, threads, machine) in CALIBRATION
    for n, kilobytes, published in SMALL:
        seconds = model.seconds(["scale", n, 256, 0, 6], "bench", subtract=["scale", n, 256, 0, 2]) / 4
        yield (f"scale in L2, {kilobytes} kB, H200", published, 16 * n / seconds / 1e9, "GB/s", n in (4096, 2210918))
    for count, published in ROOFLINE:
        # 1056 blocks for the real card, 33 for the emulator.
        seconds = model.seconds(["fma", count, 33, 100], "bench", 32)
        flops = 2 * (count + 1) * 1056 * 256 * 100
        yield f"{count} FMA an element, H200", published, flops / seconds / 1e9, "GFLOP/s", False


def main():
    model, errors = Model(*sys.argv[1:3]), []
    print(f"{'kernel':34} {'published':>10} {'modelled':>10} {'error':>7}  (* determined constants)")
    for name, published, modelled, unit, calibrated in rows(model):
        error = modelled / published - 1
        if not calibrated:
            errors.append(abs(error))
        print(f"{name:34} {published:10.0f} {modelled:10.0f} {error:+7.0%} {'*' if calibrated else ' '} {unit}")
    median, worst = statistics.median(errors), max(errors)
    print(f"{len(errors)} figures without *: median error {median:.0%}, largest {worst:.0%}")
    return 0 if median <= MEDIAN and worst <= WORST else 1


sys.exit(main())

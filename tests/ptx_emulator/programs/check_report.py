"""Compares the report of programs/counts.cu with what ptxas prints and with the known counts.

Usage: check_report.py PROGRAM SOURCE NVCC
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def ptxas_resources(nvcc, source):
    """Registers and bytes of stack of each kernel, as ptxas prints them."""
    done = subprocess.run(
        [nvcc, "-std=c++17", "-O2", "-arch=sm_90", "-cubin", "-Xptxas", "-v", source, "-o", os.devnull],
        check=True, capture_output=True, text=True)
    resources, name, stack = {}, None, 0
    for line in (done.stdout + done.stderr).splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            name, stack = match[1], 0
        if match := re.search(r"(\d+) bytes stack frame", line):
            stack = int(match[1])
        if match := re.search(r"Used (\d+) registers", line):
            resources[name] = (int(match[1]), stack)
    return resources


def main():
    program, source, nvcc = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "report_%p.json")
        process = subprocess.Popen([program], env={**os.environ, "PTXEMU_REPORT": file})
        if process.wait() != 0:
            return "the program failed"
        with open(file.replace("%p", str(process.pid)), encoding="utf-8") as text:
            report = json.load(text)
    kernels = {kernel["name"]: kernel for kernel in report["kernels"]}
    scale, stack, histogram, in_graph = (next(k for n, k in kernels.items() if part in n)
                                         for part in ("scale", "stack", "histogram", "in_graph"))
    found = {name: (kernel["registers"], kernel["stack_bytes"]) for name, kernel in kernels.items()}
    runtime = report["runtime"]
    copies, waits = runtime["copies"], runtime["synchronisations"]
    size = 1024 * 4
    checks = [
        ("registers and stack", found, ptxas_resources(nvcc, source)),
        ("stack is used", stack["stack_bytes"], 128),
        ("launch shapes of scale",
         [(s["blocks"], s["threads"], s["launches"], s["resident_warps"]) for s in scale["launch_shapes"]],
         [(4, 256, 1, 64), (8, 128, 1, 64)]),
        ("loads of scale", scale["memory"]["global"]["loads"],
         {"requests": 64, "bytes": 2 * size, "sectors": 256}),
        ("stores of scale", scale["memory"]["global"]["stores"],
         {"requests": 64, "bytes": 2 * size, "sectors": 256}),
        ("local stores of stack", stack["memory"]["local"]["stores"]["bytes"], 64 * (32 + 8) * 4),
        ("atomics", histogram["atomics"], {"operations": 128, "addresses": 4, "max_on_address": 32}),
        ("pageable copies to the device", copies["host_to_device"]["pageable"], {"number": 1, "bytes": size}),
        ("pinned copies to the device", copies["host_to_device"]["pinned"], {"number": 1, "bytes": size}),
        ("copies to the host", copies["device_to_host"]["pageable"], {"number": 1, "bytes": 4}),
        ("fills", runtime["fills"], {"number": 5, "bytes": 2 * size + 3 * 128}),
        ("graphs", runtime["graphs"], {"instantiations": 1, "updates": 0, "launches": 3, "kernels": 3, "copies": 0,
                                       "fills": 3, "host_functions": 0}),
        ("launches in graphs", [(k["launches"], k["launches_in_graphs"]) for k in (in_graph, scale)], [(3, 3), (2, 0)]),
        ("allocations", runtime["device_allocations"], {"number": 3, "bytes": 3 * size}),
        ("frees", (runtime["device_frees"], runtime["host_frees"]), (3, 1)),
        ("stream synchronisations", waits["stream"], {"number": 1, "waited": 1}),
        ("device synchronisations", waits["device"], {"number": 2, "waited": 1}),
        ("event synchronisations", waits["event"], {"number": 1, "waited": 1}),
        ("waits followed by more work", runtime["overlapped_waits"], 1),
        ("copies between devices", runtime["copies_between_devices"], {"number": 0, "bytes": 0}),
        ("copies that wait", waits["copy"], {"number": 2, "waited": 2}),
    ]
    wrong = [f"{name}: {value}, expected {expected}" for name, value, expected in checks if value != expected]
    return "\n".join(wrong) or None


sys.exit(main())

#!/usr/bin/env python3
"""Tests scripts/gpu_model on reports with counts whose times are known. Usage: gpu_model.py SCRIPT"""
import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop()
MACHINE = {"multiprocessors": 132, "clock": 1.98e9}


def accesses(**given):
    zero = {"requests": 0, "bytes": 0, "sectors": 0, "wavefronts": 0, "extra_wavefronts": 0}
    return {kind: {**zero, **given.get(kind, {})} for kind in ("loads", "stores", "atomics")}


def kernel(blocks, threads=256, launches=1, opcodes=None, **given):
    """A kernel that executes `opcodes` and nothing else."""
    warps = sum(opcodes.values()) if opcodes else 1
    return {"name": "k", "launches": launches, "registers": 32, "stack_bytes": 0, "machine_instructions": 100, "warp_instructions": warps,
            "lane_instructions": 32 * warps, "opcodes": opcodes or {}, "waits_for_loads": 0, "dependent_on_previous": {},
            "launch_shapes": [{"blocks": blocks, "threads": threads, "dynamic_shared_bytes": 0, "resident_warps": 64,
                               "launches": launches}],
            "memory": {m: accesses() for m in ("global", "local", "shared", "host")},
            "sectors": {"l2_reads": 0, "l2_writes": 0, "l2_atomics": 0, "dram_reads": 0, "dram_writes": 0},
            "atomics": {"operations": 0, "addresses": 0, "max_on_address": 0}, **given}


def runtime(waits=0, to_host=0):
    none = {"number": 0, "bytes": 0}
    copies = {d: {"pageable": none, "pinned": none} for d in ("host_to_device", "device_to_device")}
    copies["device_to_host"] = {"pageable": none, "pinned": {"number": 1 if to_host else 0, "bytes": to_host}}
    return {"copies": copies, "fills": none, "synchronisations": {"stream": {"number": waits, "waited": waits}}}


class GpuModel(unittest.TestCase):
    def model(self, report, *options, other=None):
        """The result for H100, and the printed text."""
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, name) for name in ("report.json", "other.json", "result.json")]
            for name, value in zip(names, (report, other)):
                with open(name, "w", encoding="utf-8") as file:
                    json.dump(value, file)
            subtract = ["--subtract", names[1]] if other else []
            done = subprocess.run([SCRIPT, names[0], "--machine", "h100", "--json", names[2], *subtract, *options],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return None, done.stderr
            with open(names[2], encoding="utf-8") as file:
                return json.load(file)[0], done.stdout

    def one(self, given, *options, **more):
        return self.model({"kernels": [given], "runtime": runtime()}, *options, **more)[0]["kernels"]["k"]

    def test_fp64_needs_half_the_lanes_of_fp32(self):
        times = {}
        for size in ("f32", "f64"):
            result = self.one(kernel(1 << 20, opcodes={f"fma.rn.{size}": 10**9}))
            times[size] = result["throughput"]
            self.assertEqual(result["bound"], "issue" if size == "f32" else "fp64")
        self.assertAlmostEqual(times["f32"] / (1e9 / 4 / 132 / 1.98e9), 1)
        self.assertAlmostEqual(times["f64"] / times["f32"], 2)

    def test_multiplications_and_additions_without_rounding_are_fused(self):
        fused = self.one(kernel(1 << 20, opcodes={"mul.f32": 10**9, "add.f32": 10**9}))
        self.assertAlmostEqual(fused["resources"]["fp32"] / (1e9 / 4 / 132 / 1.98e9), 1)

    def test_dram_is_slower_for_reads_with_writes(self):
        def time(reads, writes):
            given = kernel(1 << 20)
            given["sectors"].update(dram_reads=reads, dram_writes=writes)
            return self.one(given)["resources"]["DRAM"]
        self.assertAlmostEqual(time(10**9, 0), 32e9 / (0.96 * 3.35e12))
        self.assertAlmostEqual(time(10**9, 10**9), 64e9 / (0.83 * 3.35e12))

    def test_few_blocks_are_bound_by_latency_and_many_small_launches_by_launches(self):
        few = kernel(1, opcodes={"fma.rn.f64": 80000})
        few["dependent_on_previous"] = {"fp64": 80000}
        self.assertEqual(self.one(few)["bound"], "latency")
        self.assertAlmostEqual(self.one(few)["latency"], (460 + 80000 * 8 / 8) / 1.98e9)
        self.assertEqual(self.one(kernel(1, launches=100))["bound"], "launch")

    def test_a_scaled_problem_has_more_blocks_and_as_many_launches(self):
        given = kernel(132 * 8, opcodes={"add.rn.f64": 10**6})
        small, large = self.one(given), self.one(given, "--scale", "100")
        self.assertAlmostEqual(large["throughput"] / small["throughput"], 100)
        self.assertAlmostEqual(large["latency"] / small["latency"], 100)
        self.assertEqual(large["overhead"], small["overhead"])

    def test_the_counts_of_another_run_are_subtracted(self):
        long = kernel(100, launches=5, opcodes={"add.rn.f64": 5000})
        short = kernel(100, launches=2, opcodes={"add.rn.f64": 2000})
        whole = {"kernels": [long, {**kernel(1), "name": "setup"}], "runtime": runtime(5)}
        part = {"kernels": [short, {**kernel(1), "name": "setup"}], "runtime": runtime(2)}
        result, _ = self.model(whole, other=part)
        expected, _ = self.model({"kernels": [kernel(100, launches=3, opcodes={"add.rn.f64": 3000})], "runtime": runtime(3)})
        self.assertEqual(list(result["kernels"]), ["k"])
        self.assertAlmostEqual(result["modelled_seconds"], expected["modelled_seconds"])

    def test_copies_and_synchronisations_are_added(self):
        without, _ = self.model({"kernels": [kernel(1)], "runtime": runtime()})
        result, _ = self.model({"kernels": [kernel(1)], "runtime": runtime(3, 55 * 10**9)})
        self.assertAlmostEqual(result["modelled_seconds"] - without["modelled_seconds"], 1 + 2.1e-6 + 3 * 5.8e-6)

    def test_copies_of_tables_need_not_grow_with_the_problem(self):
        report = {"kernels": [kernel(1)], "runtime": runtime(0, 55 * 10**8)}
        times = {options: self.model(report, *options)[0]["modelled_other"]["copies"]
                 for options in ((), ("--scale", "10"), ("--scale", "10", "--same-tables"))}
        small, grown, same = times.values()
        self.assertAlmostEqual(small, 0.1 + 2.1e-6)
        self.assertAlmostEqual(grown, 1 + 2.1e-6)
        self.assertAlmostEqual(same, small)

    def test_copies_between_devices_have_the_rate_of_nvlink(self):
        without, _ = self.model({"kernels": [kernel(1)], "runtime": runtime()})
        counts = runtime()
        between = {"number": 2, "bytes": 360 * 10**9}
        counts["copies"]["device_to_device"] = {"pageable": {"number": 0, "bytes": 0}, "pinned": between}
        result, _ = self.model({"kernels": [kernel(1)], "runtime": {**counts, "copies_between_devices": between}})
        self.assertAlmostEqual(result["modelled_seconds"] - without["modelled_seconds"], 1 + 2 * 2.1e-6)

    def test_a_device_with_more_work_does_not_idle_during_a_wait(self):
        counts = {**runtime(5), "overlapped_waits": 3}
        result, _ = self.model({"kernels": [kernel(1)], "runtime": counts})
        self.assertAlmostEqual(result["modelled_other"]["synchronisations"], 2 * 5.8e-6)

    def test_atomics_on_one_address_are_executed_one_after_another(self):
        given = kernel(1000, atomics={"operations": 10**9, "addresses": 1, "max_on_address": 10**9})
        self.assertEqual(self.one(given)["bound"], "atomics")
        self.assertAlmostEqual(self.one(given)["throughput"], 1e9 / 1.98e9)

    def test_a_rate_is_printed_and_every_time_is_called_modelled(self):
        result, text = self.model({"kernels": [kernel(1)], "runtime": runtime()}, "--work", "1e6", "options")
        self.assertIn("H100 SXM, modelled: ", text)
        self.assertIn("options/s", text)
        self.assertAlmostEqual(result["modelled_rate"] * result["modelled_seconds"], 1e6, places=3)

    def test_a_report_without_launches_is_an_error(self):
        self.assertIn("no launches", self.model({"kernels": [], "runtime": runtime()})[1])

    def test_code_that_exceeds_the_instruction_cache_is_noted(self):
        report = {"kernels": [kernel(1, machine_instructions=8193)], "runtime": runtime()}
        self.assertIn("is a lower bound", self.model(report)[1])
        report["kernels"][0]["machine_instructions"] = 8192
        self.assertNotIn("is a lower bound", self.model(report)[1])

    def test_unknown_registers_are_printed_as_unknown(self):
        given = copy.deepcopy(kernel(1))
        given["registers"] = given["stack_bytes"] = given["machine_instructions"] = None
        self.assertIn("    ?      ?", self.model({"kernels": [given], "runtime": runtime()})[1])


if __name__ == "__main__":
    unittest.main()

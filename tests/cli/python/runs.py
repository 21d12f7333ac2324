#!/usr/bin/env python3
"""Tests runs and batches from Python: results, progress, errors, stopping and resuming. usage: runs.py GSIM"""
import copy
import os
import shutil
import time
import unittest

import support
import gsim
from gsim import runs

LONG = {**support.ATOMS, "md": {**support.ATOMS["md"], "steps": 3000}}


class Runs(unittest.TestCase):
    def tearDown(self):
        self.assertEqual([name for name in os.listdir(".") if name.endswith(".toml")], [], "temporary files are left")
        shutil.rmtree("results", ignore_errors=True)

    def test_any_ranks_and_threads(self):
        seen = []
        one = gsim.run(support.OPTIONS, name="one", threads=1, on_progress=seen.append)
        self.assertEqual((seen[-1].fraction, seen[-1].units, seen[-1].unit), (1.0, 2, "block"))
        self.assertIn("100.0%  block 2 of 2", str(seen[-1]))
        four = gsim.run(support.OPTIONS, output="results/two.h5", ranks=2, threads=1)
        self.assertEqual(one.digest, four.digest)
        self.assertEqual((one.provenance["ranks"], four.provenance["ranks"]), ("1", "2"))
        self.assertEqual((one.path.name, four.path.name), ("one.h5", "two.h5"))
        first, second = gsim.status()
        self.assertEqual((first.run, first.state, first.progress, first.seconds_left, first.ranks, second.ranks),
                         ("one", "finished", 1, 0, 1, 2))
        self.assertEqual(gsim.status("results/two.prom"), [second])
        self.assertRaises(gsim.ConfigError, gsim.status, "results/two.h5")
        without = gsim.start(support.OPTIONS, set={"status.enabled": False})
        without.wait()
        self.assertIsNone(without.status())
        estimate, = one.printed
        self.assertEqual((estimate.name, estimate.value, estimate.std_error, estimate.samples, estimate.unit),
                         ("CALL", one["trades"]["price"][0], one["trades"]["standard_error"][0], 8192, "currency"))
        self.assertTrue(gsim.run(support.OPTIONS).path.samefile("results/run.h5"))

    def test_files_and_overrides(self):
        os.mkdir("books")
        gsim.save(support.OPTIONS, "books/book.toml")
        self.assertTrue(gsim.run("books/book.toml").path.samefile("results/book.h5"))
        done = gsim.run(gsim.load("books/book.toml"), set={"stop.samples": 4096, "output.file": "results/other.h5"})
        self.assertEqual((done["trades"]["samples"][0], done.path.name), (4096, "other.h5"))
        self.assertEqual(os.listdir("books"), ["book.toml"])
        named = {**support.OPTIONS, "output": {"file": "results/by_key.h5"}}
        self.assertEqual(gsim.run(named).path.name, "by_key.h5")
        shutil.rmtree("books")

    def test_errors(self):
        with self.assertRaises(gsim.ConfigError) as caught:
            gsim.run(support.OPTIONS, set={"trades": []})
        self.assertIn("trades", str(caught.exception))
        with self.assertRaises(gsim.ConfigError) as caught:
            gsim.run(support.OPTIONS, ranks=2, threads=1, set={"seeds": 1})
        self.assertEqual(caught.exception.key, "seeds")
        self.assertRaises(gsim.ConfigError, gsim.run, support.OPTIONS, resume=True)
        self.assertRaises(gsim.ConfigError, gsim.run, "missing.toml")
        self.assertRaises(gsim.GsimError, gsim.run, support.OPTIONS, name="a/b")
        self.assertRaises(gsim.GsimError, gsim.run, "missing.toml", name="../b")
        self.assertRaises(gsim.GsimError, gsim.Batch, "a/b")
        self.assertRaises(gsim.GsimError, gsim.run, support.OPTIONS, folder="missing")
        self.assertRaises(ValueError, gsim.run, support.OPTIONS, ranks=0)
        self.assertRaises(gsim.ProgramError, gsim.run, support.OPTIONS, launcher="no-such-launcher -n {ranks}")
        self.assertRaises(gsim.ProgramError, gsim.Program, "/no/gsim")
        with self.assertRaises(gsim.NotConverged) as missed:
            gsim.run(support.OPTIONS, set={"stop.relative_error": 1e-6, "stop.require_converged": True})
        self.assertEqual(missed.exception.exit_code, 3)
        self.assertEqual(missed.exception.results["trades"]["samples"][0], 8192)
        self.assertIs(missed.exception.results.printed[0].converged, False)

        def fail(progress):
            raise KeyError("of the callback")
        self.assertRaises(KeyError, gsim.run, support.OPTIONS, on_progress=fail)

    def test_stopping_and_resuming(self):
        reference = gsim.run(LONG, name="reference", threads=1)
        for ranks in (1, 2):
            run = gsim.start(LONG, name=f"stopped{ranks}", ranks=ranks, threads=1, set={"md.steps": 10**8})
            self.assertTrue(run.is_running)
            self.assertRaises(TimeoutError, run.wait, 0.01)
            first = next(run.follow())
            self.assertGreater(first.units, 0)
            self.assertEqual(run.progress().total_units, 10**8)
            now = run.status()
            self.assertEqual((now.run, now.state, now.work_planned, now.ranks or ranks), (f"stopped{ranks}", "running", 1e8, ranks))
            run.cancel(60)
            self.assertEqual((run.status().state, run.status().remark), ("interrupted", "signal"))
            self.assertGreater(run.status().work_done, 0)
            self.assertFalse(run.is_running)
            with self.assertRaises(gsim.RunStopped) as stopped:
                run.wait()
            self.assertTrue(os.path.exists(stopped.exception.checkpoint))
            self.assertGreater(len(stopped.exception.estimates), 0)
            self.assertFalse(os.path.exists(f"results/stopped{ranks}.h5"))
        # A run that has done its steps goes on to those of the longer one.
        short = gsim.run(LONG, name="resumed", set={"md.steps": 1000})
        longer = gsim.run(LONG, name="resumed", resume=True, ranks=2, threads=1)
        self.assertNotEqual(short.provenance["digest"], reference.digest)
        self.assertEqual(longer.digest, reference.digest)
        again = gsim.run(LONG, name="fresh", resume="auto", threads=1, set={"md.steps": 40})
        self.assertEqual(again["thermo"]["step"].iloc[-1], 40)

    def test_ending_at_once(self):
        run = gsim.start(LONG, threads=1, set={"md.steps": 10**8})
        while run.progress() is None:
            time.sleep(0.05)
        run.kill()
        with self.assertRaises(gsim.RunError) as ended:
            run.wait()
        self.assertLess(ended.exception.exit_code, 0)
        with self.assertRaises(ZeroDivisionError), gsim.start(LONG, threads=1, set={"md.steps": 10**8}) as run:
            raise ZeroDivisionError
        self.assertFalse(run.is_running)

    def test_launchers(self):
        program = gsim.Program()
        self.assertEqual(runs.launcher_words(program, None, 1, None), [])
        self.assertEqual(runs.launcher_words(program, None, 3, None), [program.launcher, "-n", "3"])
        self.assertEqual(runs.launcher_words(program, "mpiexec", 1, None), [program.launcher, "-n", "1"])
        self.assertEqual(runs.launcher_words(program, "srun", 4, 8), ["srun", "--mpi=pmi2", "-n", "4", "-c", "8"])
        self.assertEqual(runs.launcher_words(program, ["a", "{ranks}x{threads}"], 2, 3), ["a", "2x3"])
        done = gsim.run(support.OPTIONS, ranks=2, threads=1, launcher=f"{program.launcher} -n {{ranks}}")
        self.assertEqual(done.provenance["ranks"], "2")


class Batches(unittest.TestCase):
    def tearDown(self):
        shutil.rmtree("results", ignore_errors=True)

    def test_study(self):
        study = gsim.Batch("study", cores=2, estimates=["trades/"])
        study.add("base", support.OPTIONS, set={"stop.samples": 4096})
        study.add("spots", support.OPTIONS, after=["base"],
                  vary={"market.assets.S.spot": [90, 110], "market.rate": gsim.Range(0.0, 0.04, count=2)})
        study.add("types", support.OPTIONS, set={"trades": support.OPTIONS["trades"]}, vary={"seed": [2**60, 5]})
        study.add("next", support.OPTIONS, set={"market.assets.S.spot": "{base:trades/price[CALL]}"})
        trade = {**support.OPTIONS["trades"][0], "id": "{kind}", "type": "{kind}", "strike": "{strike}"}
        study.add("named", support.OPTIONS, design="list", set={"trades": [trade]},
                  variables={"kind": ["put", "call"], "strike": [95, 105.5]})
        tasks = study.tasks()
        self.assertEqual(list(tasks["name"]), ["base", "spots.1", "spots.2", "spots.3", "spots.4", "types.1", "types.2", "next",
                                               "named.1", "named.2"])
        self.assertFalse(study.job().status().active)
        events = []
        done = study.run(on_event=events.append)
        self.assertEqual((events[-1]["event"], events[-1]["done"]), ("done", 10))
        self.assertEqual(list(done.tasks["market.assets.S.spot"][1:5]), [90.0, 90.0, 110.0, 110.0])
        self.assertEqual(list(done.tasks["market.rate"][1:5]), [0.0, 0.04, 0.0, 0.04])
        self.assertEqual(list(done), list(tasks["name"]))
        self.assertEqual(done["types.1"].provenance["seed"], str(2**60))
        price = done["base"]["trades"]["price"][0]
        self.assertEqual(done["next"].config["market"]["assets"]["S"]["spot"], price)
        estimates = done.estimates.set_index("task")
        self.assertEqual(estimates.loc["base", "value"], price)
        self.assertEqual(estimates.loc["spots.3", "market.assets.S.spot"], 110.0)
        alone = gsim.run(support.OPTIONS, set={"market.assets.S.spot": 110.0, "market.rate": 0.04})
        self.assertEqual(estimates.loc["spots.4", "value"], alone["trades"]["price"][0])
        self.assertEqual(len(gsim.open("results/study")), 10)
        self.assertEqual(len(gsim.open("results/study/batch.h5")), 10)
        self.assertRaises(KeyError, done.__getitem__, "spots")
        found, = done["named.2"].config["trades"]
        self.assertEqual((found["id"], found["type"], found["strike"]), ("call", "call", 105.5))
        spots, named = done.study("spots"), done.study("named")
        self.assertEqual(spots.index.names, ["market.assets.S.spot", "market.rate"])
        self.assertEqual(spots["value", "trades/price", "CALL"].loc[110.0, 0.04], alone["trades"]["price"][0])
        self.assertEqual((list(named.index), named.index.names), ([("put", 95.0), ("call", 105.5)], ["kind", "strike"]))
        self.assertGreater(named["std_error", "trades/price", "put"].iloc[0], 0)
        self.assertRaises(KeyError, done.study, "base")

        # The same batch by its folder.
        job = gsim.BatchJob("results/study")
        status = job.status()
        self.assertEqual((status.active, status.counts["done"], status.is_done, status.tasks.loc["next", "state"]),
                         (False, 10, True, "done"))
        self.assertIn("10 of 10 done", str(status))
        self.assertEqual([str(now) for now in job.follow()], [str(status)])
        self.assertIn("results/study/base.h5", job.logs("base"))
        self.assertRaises(gsim.ConfigError, job.logs, "bas")
        self.assertRaises(gsim.ConfigError, job.cancel)
        os.remove("results/study/batch.h5")
        self.assertEqual(job.collect().table.digest, done.table.digest)
        self.assertEqual(len(job.wait()), 10)
        self.assertEqual([now.state for now in gsim.status("results/study")], ["finished"] * 10)

    def test_failures(self):
        wrong = copy.deepcopy(support.OPTIONS)
        wrong["trades"][0]["asset"] = "T"
        batch = gsim.Batch("failing").add("good", support.OPTIONS).add("bad", wrong)
        with self.assertRaises(gsim.RunError) as failed:
            batch.run()
        self.assertIn("bad", str(failed.exception))
        job = batch.job()
        self.assertRaises(gsim.RunError, job.wait)
        self.assertIn("`T`", job.status().tasks.loc["bad", "reason"])
        done = batch.run(resume=True, check=False)
        self.assertEqual((list(done), dict(done.tasks["state"])), (["good"], {"good": "done", "bad": "failed"}))
        with self.assertRaises(gsim.ConfigError):
            gsim.Batch("circle").add("a", support.OPTIONS, after=["b"]).add("b", support.OPTIONS, after=["a"]).run()
        self.assertRaises(TypeError, gsim.Batch("x").add, "a", support.OPTIONS, vary={"seed": 3})
        script = gsim.Batch("night", submit={"partition": "cpu", "time": "3 h", "cores": 2}).add("a", support.OPTIONS).script()
        self.assertIn("#SBATCH --partition=cpu", script)
        self.assertIn("#SBATCH --time=0-03:00:00", script)
        self.assertRaises(gsim.GsimError, gsim.BatchResults, "results/circle")


if __name__ == "__main__":
    support.main()

#!/usr/bin/env python3
"""Submits runs from Python to a private Slurm. usage: slurm_jobs.py GSIM (inside one_node_cluster.sh with CLUSTER_CPUS=4)"""
import os
import subprocess
import time
import unittest

import support
import gsim

LONG = {**support.ATOMS, "md": {**support.ATOMS["md"], "steps": 10**8}}


class Jobs(unittest.TestCase):
    def tearDown(self):
        self.assertEqual([name for name in os.listdir(".") if name.endswith(".toml")], [], "temporary files are left")

    def test_results(self):
        seen = []
        job = gsim.submit(support.OPTIONS, name="job", ranks=2, time_limit="5", options={"partition": "all", "overcommit": None},
                          on_progress=seen.append)
        wrong = gsim.submit(support.OPTIONS, name="wrong", set={"stop.sampels": 3})
        self.assertIn("#SBATCH --ntasks=2\n#SBATCH --cpus-per-task=1\n#SBATCH --time=5\n#SBATCH --partition=all\n#SBATCH --overcommit\n",
                      job.script)
        results = job.wait(120, interval=0.2)
        self.assertEqual(results.digest, gsim.run(support.OPTIONS, name="local").digest)
        self.assertEqual((results.provenance["ranks"], seen[-1].fraction, results.printed[0].name), ("2", 1.0, "CALL"))
        with self.assertRaises(gsim.ConfigError) as caught:
            wrong.wait(120, interval=0.2)
        self.assertEqual(caught.exception.key, "stop.sampels")

    def test_stopping(self):
        """A job that is preempted is queued again and goes on; one that is cancelled ends with a checkpoint."""
        job = gsim.submit(LONG, name="long")
        waiting = gsim.submit(LONG, name="waiting", options={"hold": None})
        progress = next(job.follow(0.2))
        self.assertGreater(progress.units, 0)
        self.assertRaises(TimeoutError, job.wait, 0.1, 0.1)
        subprocess.run(["scancel", "--signal=USR1", job.id], check=True)
        end = time.monotonic() + 90
        while not any(event["event"] == "resume" for event in job.events):
            self.assertLess(time.monotonic(), end, "the job is not queued again")
            self.assertIsNotNone(job.progress())
            time.sleep(0.2)
        job.cancel()
        with self.assertRaises(gsim.RunStopped) as stopped:
            job.wait(120, interval=0.2)
        self.assertTrue(os.path.exists(stopped.exception.checkpoint))
        self.assertEqual(waiting.state, "PENDING")
        waiting.cancel()
        with self.assertRaises(gsim.GsimError):
            waiting.wait(60, interval=0.2)

    def test_batch(self):
        batch = gsim.Batch("two", submit={"partition": "all", "cores": 1}).add("a", support.OPTIONS).add("b", support.OPTIONS)
        job = batch.submit()
        self.assertEqual(list(job.wait(120, interval=0.2)), ["a", "b"])
        self.assertEqual(list(job.status().jobs["active"]), [False])
        endless = gsim.Batch("endless", submit={"partition": "all"}).add("a", LONG).submit()
        for now in endless.follow(0.2):
            if now.counts["running"]:
                break
        endless.cancel()
        with self.assertRaises(gsim.RunStopped):
            endless.wait(120, interval=0.2)

    def test_refusals(self):
        with self.assertRaises(gsim.GsimError) as refused:
            gsim.submit(support.OPTIONS, options={"partition": "nothing"})
        self.assertIn("partition", str(refused.exception))

    def test_srun(self):
        results = gsim.run(support.OPTIONS, name="srun", ranks=2, threads=1, launcher="srun")
        self.assertEqual(results.provenance["ranks"], "2")


if __name__ == "__main__":
    support.main()

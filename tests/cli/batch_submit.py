#!/usr/bin/env python3
"""Checks `gsim batch submit`, status, logs, cancel and collect without a cluster. usage: batch_submit.py GSIM

Manifests of Kubernetes are validated against the published schema of MPIJob and the rules of its controller; kubectl
is a substitute that records how it is called. tests/cli/slurm/batch_jobs.sh submits jobs to a Slurm of its own."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checked_run import check, checked_run  # noqa: E402

GSIM = sys.argv[1]
HERE = pathlib.Path(__file__).resolve().parent
CALL = """module = "pricing"
[stop]
samples = 4096
[market]
rate = 0.05
[market.assets.S]
spot = 100.0
volatility = 0.3
[[trades]]
id = "c"
product = "european"
asset = "S"
type = "call"
strike = 95.0
maturity = 1.0
"""
ATOMS = """module = "md"
[md]
units = "lj"
steps = 1000000
time_step = 0.004
[[type]]
name = "Ar"
mass = 1.0
[start]
kind = "lattice"
lattice = "fcc"
density = 0.8442
cells = [5, 5, 5]
temperature = 1.44
[pair]
cutoff = 2.5
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
"""
STUDY = """
[[task]]
name = "vol"
config = "call.toml"
[[task.vary]]
key = "market.assets.S.volatility"
from = 0.1
to = 0.5
count = 5
[[task]]
name = "pair"
config = "call.toml"
ranks = 2
threads = 2
"""
PAIR = """
[[task]]
name = "pair"
config = "call.toml"
ranks = 2
threads = 2
[[task]]
name = "second"
config = "call.toml"
ranks = 2
threads = 2
"""
STAGES = """
[[stage]]
name = "equilibrate"
set = ["md.steps=300", "trajectory=[{ every = 100, quantities = ['position', 'velocity'], precision = 'float64' }]"]
[[stage]]
name = "produce"
set = ["md.steps=600", "start={ kind = 'h5md', file = '{equilibrate}.h5md' }"]
"""
AFTER = '[[task]]\nname = "late"\nconfig = "call.toml"\nafter = ["vol"]\n'
KUBERNETES = """
[submit]
name = "Night Run"
[submit.kubernetes]
image = "registry.example/gsim:0.1"
namespace = "desk"
folder = "/data"
[[submit.kubernetes.volume]]
claim = "desk-data"
path = "/data"
"""


def gsim(folder, *arguments, code=0, **variables):
    return checked_run([GSIM, *arguments], folder, code, variables)


def digest(text):
    return re.search(r"digest ([0-9a-f]{12})", text).group(1)


def states(folder, batch, code):
    status = json.loads(gsim(folder, "batch", "status", batch, "--json", code=code))
    return {task["name"]: task["state"] for task in status["tasks"]}


def check_slurm_scripts(folder):
    """What is requested follows from the tasks, their forecast and [submit]; options override it."""
    def dry_run(manifest, *options, **more):
        return gsim(folder, "batch", "submit", manifest, "--dry-run", *options, PATH="", **more)

    script = dry_run("study.toml", "--time", "90 min", "--partition", "night owls",
                     "--set", "submit.options=['--qos=high']")
    for line in ("--nodes=1", "--cpus-per-task=4", "--time=0-01:30:00", "--signal=B:USR1@300", "--requeue",
                 "--qos=high", "--partition='night owls'"):
        check(f"\n#SBATCH {line}\n" in script, line, script)
    check("cores    4 on 1 node: from the largest task" in script, "cores", script)
    # Four processes at once, each with 100 MB and 1.25 times its arrays; 200 MB for the batch.
    memory = int(re.search(r"--mem=(\d+)M", script).group(1)) * 1.048576
    check(600 <= memory < 800, "memory", script)
    check(script.startswith("#!/bin/bash\n"), "the first line", script)
    (folder / "job").write_text(script)
    check(subprocess.run(["bash", "-n", folder / "job"]).returncode == 0, "the script is not one of bash", script)
    script = dry_run("study.toml", "--array", 4, "--no-requeue")
    check("#SBATCH --array=1-2\n" in script and '--part "$SLURM_ARRAY_TASK_ID/2"' in script
          and "#SBATCH --no-requeue" in script and "scontrol requeue" not in script and "batch collect" in script,
          "array", script)
    script = dry_run("study.toml", "--nodes", 2, "--cores", 8, "--gpus", 2)
    check("#SBATCH --ntasks-per-node=8\n" in script and "--mem-per-cpu=" in script
          and "#SBATCH --gpus-per-node=2\n" in script
          and "--launcher 'srun --mpi=pmi2 --exact -N {nodes} -n {ranks} -c {threads} --ntasks-per-node={ranks_per_node} --gpus-per-node={ranks_per_node}'" in script,
          "two nodes", script)
    text = dry_run("late.toml", "--array", 1, code=2)
    check("`late` comes after other tasks" in text, "an array with dependencies", text)
    text = dry_run("study.toml", "--cores", 3, code=2)
    check("`pair` uses 4 cores, but the job has 3" in text, "too few processors", text)
    text = dry_run("study.toml", "--time", "2 min", code=2)
    check("give more `time`, or less `grace`" in text, "time", text)
    text = gsim(folder, "batch", "submit", "study.toml", code=2, PATH="")
    check("there is no sbatch on this machine" in text, "no sbatch", text)
    (folder / "broken.toml").write_text('[[task]]\nname = "a"\nconfig = "call.toml"\n'
                                        'set = ["market.assets.S.spot=-1"]\n')
    script = dry_run("broken.toml")
    check("unknown for `a` (" in script and "must be greater than 0" in script and "--mem" not in script,
          "no forecast", script)
    # Stages: the sum of their times, without the overrides that use results of earlier ones.
    (folder / "stages.toml").write_text(ATOMS + STAGES)
    (folder / "staged.toml").write_text('[[task]]\nname = "melt"\nconfig = "stages.toml"\n')
    script = dry_run("staged.toml")
    check("--mem=" in script and "#SBATCH --time=" in script and "unknown" not in script, "stages", script)
    check(not (folder / "results").exists(), "--dry-run wrote files")


def check_mpi_jobs(folder):
    try:
        import jsonschema
        import yaml
    except ImportError:
        print("no Python packages jsonschema and yaml: manifests of Kubernetes are not validated")
        return
    schema = json.loads((HERE / "kubernetes/mpijob_v2beta1.schema.json").read_text())
    for options, jobs, workers in (((), 1, 0), (("--array", 2), 3, 0), (("--nodes", 3, "--cores", 4), 1, 3),
                                   (("--gpus", 1, "--time", "2 h", "--no-requeue"), 1, 0)):
        text = gsim(folder, "batch", "submit", "pods.toml", "--kubernetes", "--dry-run", *options)
        documents = list(yaml.safe_load_all(text))
        check(len(documents) == jobs, f"{options}: number of documents", text)
        for job in documents:
            try:
                jsonschema.validate(job, schema)
            except jsonschema.ValidationError as error:
                check(False, f"{options}: the schema refuses it", error, text)
            # pkg/apis/kubeflow/validation/validation.go of the operator.
            spec, replicas = job["spec"], job["spec"]["mpiReplicaSpecs"]
            check(re.fullmatch("[a-z]([-a-z0-9]*[a-z0-9])?", job["metadata"]["name"]) and
                  len(job["metadata"]["name"] + f"-worker-{workers}") <= 63, "name", job["metadata"])
            check(replicas["Launcher"]["replicas"] == 1 and spec["mpiImplementation"] == "MPICH"
                  and spec["runPolicy"]["cleanPodPolicy"] in ("None", "Running", "All"), "launcher", text)
            check(replicas.get("Worker", {"replicas": 0})["replicas"] == workers, "workers", text)
            for replica in replicas.values():
                check(replica["restartPolicy"] in ("Never", "OnFailure"), "restart policy", text)
                container = replica["template"]["spec"]["containers"][0]
                check(container["volumeMounts"][0]["mountPath"] == "/data", "volume", text)
            launcher = replicas["Launcher"]["template"]["spec"]["containers"][0]
            check(launcher["command"][:4] == ["gsim", "batch", "run", "pods.toml"]
                  and launcher["workingDir"] == "/data"
                  and ("--hosts" in launcher["command"]) == (workers > 0), "command", launcher)
            container = replicas["Worker" if workers else "Launcher"]["template"]["spec"]["containers"][0]
            limits = container["resources"]["limits"]
            check(limits["cpu"] == 4 and limits.get("nvidia.com/gpu", 0) == options.count("--gpus"), "limits", limits)
            deadline = spec["runPolicy"].get("activeDeadlineSeconds")
            check(deadline == (7200 if "--time" in options else None), "time", text)
    wrong = dict(documents[0], spec=dict(documents[0]["spec"], slotPerWorker=1))
    check(not jsonschema.Draft7Validator(schema).is_valid(wrong), "the schema accepts unknown fields")
    text = gsim(folder, "batch", "submit", "study.toml", "--kubernetes", "--dry-run", code=2)
    check("there is no container image" in text, "image", text)

    # kubectl: create, get, delete.
    (folder / "bin").mkdir()
    (folder / "bin/kubectl").write_text(f'#!/bin/sh\necho "$@" >> {folder}/calls\n'
                                        f'[ $1 != get ] || cat {folder}/answer\n')
    (folder / "bin/kubectl").chmod(0o755)
    path = f"{folder}/bin:{os.environ['PATH']}"
    text = gsim(folder, "batch", "submit", "pods.toml", "--kubernetes", PATH=path)
    check("submitted mpijob night-run" in text, "submit", text)
    (folder / "answer").write_text("Created Running")
    text = gsim(folder, "batch", "status", "pods.toml", PATH=path)
    check("job desk/night-run   Running" in text and "6 waiting" in text, "status", text)
    text = gsim(folder, "batch", "submit", "pods.toml", "--kubernetes", code=2, PATH=path)
    check("a batch runs or waits" in text, "submitted twice", text)
    gsim(folder, "batch", "cancel", "results/pods", PATH=path)
    calls = (folder / "calls").read_text()
    check(calls.startswith("delete --ignore-not-found --filename=results/pods/submit.yaml\n"
                           "create --filename=results/pods/submit.yaml\n")
          and "delete mpijobs.kubeflow.org night-run --namespace=desk --wait=false\n" in calls, "calls", calls)
    (folder / "answer").write_text("Created Failed")
    text = gsim(folder, "batch", "status", "results/pods", code=75, PATH=path)
    check("6 cancelled" in text, "after cancel", text)


def check_parts(folder):
    """Parts that run at the same time have the results of one run, and so have tasks on several hosts."""
    whole = gsim(folder, "batch", "run", "study.toml", "--folder", "whole")
    command = [GSIM, "batch", "run", "study.toml", "--folder", "parts", "--resume=auto", "--part"]
    parts = [subprocess.Popen([*command, f"{k}/2"], cwd=folder, stdout=subprocess.DEVNULL) for k in (1, 2)]
    check([part.wait() for part in parts] == [0, 0], "parts")
    text = gsim(folder, "batch", "collect", "study.toml", "--folder", "parts")
    check(digest(text) == digest(whole), "collected results", text, whole)
    check("--part takes K/N" in gsim(folder, "batch", "run", "study.toml", "--part", "3/2", code=2), "part")
    text = gsim(folder, "batch", "run", "study.toml", "--folder", "parts", "--resume")
    check(digest(text) == digest(whole), "--resume after parts", text)
    (folder / "hosts").write_text("# two machines\nfirst:2\nsecond:2\n")
    text = gsim(folder, "batch", "run", "study.toml", "--folder", "hosts_of_study", "--hosts", "hosts",
                "--launcher", f"{folder}/on_hosts {{hosts}} {{ranks}}", HYDRA_LAUNCHER="fork")
    check(digest(text) == digest(whole), "hosts", text)
    placed = (folder / "placed").read_text().split()
    check(len(placed) == 6 and placed.count("first:1,second:1") == 1 and {"first:1", "second:1"} <= set(placed),
          "hosts", placed)
    # A host that is gone gets no further tasks, and its tasks run elsewhere; without any host the rest stays for --resume.
    (folder / "gone").write_text('#!/bin/sh\ncase $1 in *second*) echo "ssh: connect to host second: No route to host"; exit 255;; esac\n'
                                 f'exec {folder}/on_hosts "$@"\n')
    (folder / "gone").chmod(0o755)
    words = ["batch", "run", "study.toml", "--hosts", "hosts", "--launcher", f"{folder}/gone {{hosts}} {{ranks}}"]
    text = gsim(folder, *words, "--folder", "lost", HYDRA_LAUNCHER="fork")
    check(digest(text) == digest(whole) and text.count("warning: host second starts no tasks") == 1, "a lost host", text)
    (folder / "lost/vol.1.h5").unlink()  # a task that goes on: its log also holds its first part
    text = gsim(folder, *words, "--folder", "lost", "--resume", HYDRA_LAUNCHER="fork")
    check(digest(text) == digest(whole) and text.count("warning: host second starts no tasks") == 1, "--resume with a lost host", text)
    # mpiexec waits without end for a host to which ssh does not connect: of a task on two hosts, that one is left out.
    (folder / "ssh").write_text('#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\n'
                                'case $1 in second) echo "Connection closed" >&2; exit 255;; esac\nshift; exec sh -c "$*"\n')
    (folder / "ssh").chmod(0o755)
    (folder / "pair.toml").write_text(PAIR)
    text = gsim(folder, "batch", "run", "pair.toml", "--hosts", "hosts", HYDRA_LAUNCHER="ssh", HYDRA_LAUNCHER_EXEC=f"{folder}/ssh")
    check("2 of 2 tasks done" in text and re.findall("warning: host ([a-z]+) starts no tasks", text) == ["second"], "no connection", text)
    (folder / "hosts").write_text("second:2\n")
    text = gsim(folder, *words, "--folder", "none_left", code=1, HYDRA_LAUNCHER="fork")
    check("host second starts no tasks" in text and "1 task failed" in text and "0 of 6 tasks done" in text, "no host left", text)


def check_status(folder):
    """A batch that runs here: its states, logs and ends."""
    check(set(states(folder, "whole", 0).values()) == {"done"}, "done")
    check("nothing runs or waits" in gsim(folder, "batch", "cancel", "whole", code=2), "cancel what has ended")
    check("no batch has run in" in gsim(folder, "batch", "status", folder, code=2), "a folder without a batch")
    check("did you mean `pair`?" in gsim(folder, "batch", "logs", "whole", "piar", code=2), "a task of another name")
    batch = start(folder, "melt")
    check(states(folder, "atoms.toml", 0) == {"melt": "running", "next": "waiting"}, "states")
    follower = subprocess.Popen([GSIM, "batch", "logs", "atoms.toml", "melt", "-f"], cwd=folder,
                                stdout=subprocess.PIPE, text=True)
    text = gsim(folder, "batch", "cancel", "atoms.toml")
    check("cancelled 1 process; running tasks end at checkpoints" in text, "cancel", text)
    check(batch.wait() == 75, "the exit code of a cancelled batch", batch.returncode)
    output = follower.communicate()[0]
    check("stopped by" in output and follower.returncode == 0, "logs -f", follower.returncode, output)
    check(set(states(folder, "results/atoms", 75).values()) == {"cancelled"}, "cancelled")
    batch = start(folder, "melt")
    batch.kill()
    batch.wait()
    killed = {"melt": "stopped", "next": "waiting"}
    check(states(folder, "atoms.toml", 75) == killed, "a batch that was killed")
    listed = json.loads(gsim(folder, "batch", "list", "atoms.toml", "--json"))
    check({task["name"]: task["state"] for task in listed} == killed, "the list of a batch that was killed", listed)
    (folder / "bad.toml").write_text('[[task]]\nname = "bad"\nconfig = "md.toml"\nset = ["md.steps=-1"]\n')
    gsim(folder, "batch", "run", "bad.toml", code=1)
    text = gsim(folder, "batch", "status", "bad.toml", code=1)
    check("0 of 1 task done, 1 failed" in text and re.search(r"bad +failed .*steps", text), "a failure", text)


def start(folder, task):
    """Starts the batch of atoms.toml and waits until the task works."""
    log = folder / "results/atoms" / (task + ".log")
    before = log.read_text().count("work") if log.exists() else 0
    batch = subprocess.Popen([GSIM, "batch", "run", "atoms.toml", "--resume=auto"], cwd=folder,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not log.exists() or log.read_text().count("work") == before:
        check(batch.poll() is None, "the batch ended too early")
        time.sleep(0.02)
    return batch


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "call.toml").write_text(CALL)
    (folder / "md.toml").write_text(ATOMS)
    (folder / "study.toml").write_text(STUDY)
    (folder / "late.toml").write_text(STUDY + AFTER)
    (folder / "pods.toml").write_text(KUBERNETES + STUDY)
    (folder / "atoms.toml").write_text('[[task]]\nname = "melt"\nconfig = "md.toml"\n'
                                       '[[task]]\nname = "next"\nconfig = "md.toml"\nafter = ["melt"]\n')
    on_hosts = folder / "on_hosts"
    on_hosts.write_text(f'#!/bin/sh\necho $1 >> {folder}/placed\nhosts=$1 ranks=$2; shift 2\n'
                        'exec mpiexec.mpich -hosts $hosts -n $ranks "$@"\n')
    on_hosts.chmod(0o755)
    check_slurm_scripts(folder)
    check_mpi_jobs(folder)
    check_parts(folder)
    check_status(folder)
print("ok")

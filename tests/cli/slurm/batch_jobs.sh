#!/usr/bin/env bash
# Batches submitted by `gsim batch submit`: requeued, and on a node that dies; as a job array; on two nodes; cancelled.
# The results are those of a batch that ran undisturbed without Slurm. The test module `sampler` sleeps in every
# block, so that the runs take little processor time. usage: GSIM_TEST_MODULES
# (inside one_node_cluster.sh with CLUSTER_NODES=2 CLUSTER_CPUS=4 CLUSTER_GPUS=1)
. "$(dirname "$0")/../../../scripts/strict.sh"
gsim=$1
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "FAILED: $*"; tail -n 30 out ./*/*.log; squeue --states=all; exit 1; }
wait_for() { # SECONDS COMMAND…
  local end=$((SECONDS + $1)); shift
  until "$@" >/dev/null 2>&1; do [ $SECONDS -lt $end ] || return 1; sleep 0.2; done
}
no_jobs() { [ -z "$(squeue --noheader)" ]; }
submit() { # FOLDER OPTION…: submits study.toml; the first job is $job
  local folder=$1; shift
  "$gsim" batch submit study.toml --folder "$folder" "$@" >out 2>&1 || fail "$folder: it was not submitted"
  job=$(sed -n 's/^submitted job \([0-9]*\) .*submit.sbatch)$/\1/p' out)
}
parent_of() { awk '$1 == "PPid:" { print $2 }' "/proc/$1/status"; }
tree_of() { # PID: it and all processes below it
  local child
  echo "$1"
  for child in $(cat /proc/"$1"/task/*/children); do tree_of "$child"; done
}
status_is() { "$gsim" batch status "$1" | tee out | grep -qE "$2"; }
same_results() { # FOLDER
  local name
  [ -e "$1/batch.h5" ] || fail "$1: there are no results"
  for name in short.1 short.2 long pair; do
    h5diff --exclude-path /provenance "undisturbed/$name.h5" "$1/$name.h5" >out 2>&1 ||
      fail "$1: other results of $name"
  done
  cmp -s undisturbed/estimates.csv "$1/estimates.csv" || fail "$1: other estimates"
}

cat >sampler.toml <<END
module = "sampler"
seed = 7
[sampler]
blocks = 40
block_samples = 64
delay = 0.02
[checkpoint]
interval = 1
END
cat >study.toml <<END
[submit]
time = "10 min"
memory = 0.2
[[task]]
name = "long"
config = "sampler.toml"
set = ["sampler.blocks=400"]
[[task]]
name = "pair"
config = "sampler.toml"
ranks = 2
[[task]]
name = "short"
config = "sampler.toml"
[[task.vary]]
key = "seed"
values = [1, 2]
END
"$gsim" batch run study.toml --folder undisturbed --cores 8 --log plain >out 2>&1 || fail "without Slurm"

# One job, warned as before its time limit, after which it queues itself again; then its node dies.
submit night --cores 2
wait_for 60 status_is night 'long +running .*job '"$job" || fail "night: long does not start"
wait_for 60 grep -q work night/long.log || fail "night: long does not work"
sleep 1.5
scancel --batch --signal=USR1 "$job"
wait_for 90 status_is night '^job .*PENDING' || fail "night: it was not queued again"
grep -q '^stopped by' night/long.log || fail "night: long did not write a checkpoint"
wait_for 90 grep -q '^resume  from' night/long.log || fail "night: long does not resume"
sleep 1.5
# The node dies: its daemon and all processes of the job at once, without a signal that they could handle.
node=$(squeue --noheader --jobs="$job" --format=%N)
step=$(parent_of "$(parent_of "$(awk -F '\t' '$1 == "process" { pid = $3 } END { print pid }' night/journal.tsv)")")
mapfile -t processes < <(tree_of "$step")
kill -9 "$(cat "$(dirname "$SLURM_CONF")/slurmd.$node.pid")" "${processes[@]}"
scontrol update nodename="$node" state=down reason=died
wait_for 90 status_is night '4 of 4 tasks done' || fail "night: it does not end after its node has died"
slurmd -N "$node" -f "$SLURM_CONF"
wait_for 60 no_jobs || fail "night: a job is left"
same_results night
echo "one job: warned and queued again, its node died, finished with the same bits"

# An array of two elements, one of which is preempted, and the job that collects their results.
submit parts --array 2
wait_for 60 grep -q work parts/long.log || fail "parts: long does not work"
scontrol requeue "${job}_1" # as at a preemption: SIGTERM, and Slurm queues it again
wait_for 90 no_jobs || fail "parts: a job is left"
status_is parts '4 of 4 tasks done' || fail "parts: tasks are not done"
same_results parts
grep -q '^resume  from' parts/long.log || fail "parts: long was not resumed"
echo "an array of two elements, one preempted: the same bits"

# Two nodes with a GPU each: every task is a step of srun with a GPU for each rank, so that `pair` needs both nodes.
submit nodes --nodes 2 --cores 2 --gpus 1
wait_for 90 no_jobs || fail "nodes: a job is left"
status_is nodes '4 of 4 tasks done' || fail "nodes: tasks are not done"
same_results nodes
grep -q '2 ranks on 2 nodes' nodes/pair.log || fail "nodes: pair does not run on both nodes"
echo "two nodes, tasks started by srun: the same bits"

# Cancelled: the tasks end at checkpoints, and nothing is queued again; submitted again, it finishes.
submit cancelled --cores 2
wait_for 60 grep -q work cancelled/long.log || fail "cancelled: long does not work"
"$gsim" batch cancel cancelled >out || fail "it is not cancelled"
wait_for 60 no_jobs || fail "cancelled: it goes on, or is queued again"
"$gsim" batch status cancelled >out && fail "cancelled: exit code 0"
grep -qE 'long +cancelled' out || fail "cancelled: the state of long"
grep -q '^stopped by' cancelled/long.log || fail "cancelled: long did not end at a checkpoint"
submit cancelled --cores 2
wait_for 90 status_is cancelled '4 of 4 tasks done' || fail "cancelled: it does not go on"
wait_for 60 no_jobs || fail "cancelled: a job is left"
same_results cancelled
echo "cancelled, and submitted again: the same bits"

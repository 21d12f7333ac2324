#!/usr/bin/env bash
# The job files of examples/slurm, with a substitute for gsim that records how it was called: these tests
# check the logic of the files. usage: EXAMPLES_FOLDER
# (inside one_node_cluster.sh with CLUSTER_CPUS=4 CLUSTER_GPUS=2)
. "$(dirname "$0")/../../../scripts/strict.sh"
examples=$1
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "FAILED: $*"; head -n 50 ./*.log calls 2>/dev/null || true; exit 1; }
wait_for() { # SECONDS COMMAND…
  local end=$((SECONDS + $1)); shift
  until "$@" >/dev/null 2>&1; do [ $SECONDS -lt $end ] || return 1; sleep 0.1; done
}
no_jobs() { [ -z "$(squeue --noheader)" ]; }
was_called_with() { grep -q -- "$1" calls; }

# The substitute refuses --resume, as gsim does where there is no checkpoint. It ends with exit status 75 on
# SIGUSR1, as after writing a checkpoint, and with 0 at once when it is started with --resume=auto.
cat >gsim <<'EOF'
#!/bin/bash
here=$(dirname "$0")
trap 'exit 75' USR1
echo "rank $SLURM_PROCID of $SLURM_STEP_NUM_TASKS gpus=${CUDA_VISIBLE_DEVICES:-none}" \
  "cpus=${SLURM_CPUS_PER_TASK:-none} args: $*" >>"$here/calls"
case " $* " in
  *" --resume "*) echo "nothing to resume"; exit 2 ;;
  *" wait.toml "*) case " $* " in *" --resume=auto "*) exit 0 ;; esac
    while :; do sleep 0.1; done ;;
  *" broken.toml "*) exit 1 ;;
esac
EOF
chmod +x gsim
export GSIM=$scratch/gsim
small=(--quiet --nodes=1 --cpus-per-task=1)

sbatch "${small[@]}" --ntasks-per-node=2 "$examples/cpu.sbatch" book.toml --quiet
wait_for 60 no_jobs || fail "cpu.sbatch does not end"
was_called_with 'rank 0 of 2 .*cpus=1 args: run book.toml --quiet$' || fail "cpu.sbatch: rank 0"
was_called_with 'rank 1 of 2 ' || fail "cpu.sbatch: rank 1"
echo "cpu.sbatch: ok"

: >calls
sbatch "${small[@]}" --ntasks-per-node=2 --gpus-per-node=2 "$examples/gpu.sbatch" book.toml
wait_for 60 no_jobs || fail "gpu.sbatch does not end"
was_called_with 'rank 0 of 2 gpus=0,1 ' || fail "gpu.sbatch: rank 0 must see all GPUs of the node"
was_called_with 'rank 1 of 2 gpus=0,1 ' || fail "gpu.sbatch: rank 1 must see all GPUs of the node"
echo "gpu.sbatch: every rank sees every GPU of its node"

: >calls
sbatch "${small[@]}" --array=0-3%2 "$examples/array.sbatch" a.toml b.toml c.toml
wait_for 60 no_jobs || fail "array.sbatch does not end"
[ "$(grep -o 'run .*' calls | sort | tr '\n' ' ')" = "run a.toml run b.toml run c.toml " ] ||
  fail "array.sbatch: not every configuration ran once"
grep -q 'no configuration' ./*.log || fail "array.sbatch: no message for the task without a configuration"
echo "array.sbatch: ok"

# The signal before the end, sent by the test: Slurm's own has a tolerance of minutes.
for file in cpu gpu; do
  : >calls
  sbatch "${small[@]}" --ntasks-per-node=2 --gpus-per-node=0 --job-name=again \
    "$examples/$file.sbatch" wait.toml
  wait_for 60 was_called_with 'rank 1 of 2 ' || fail "$file.sbatch: the job does not start"
  sleep 0.5
  scancel --signal=USR1 --name=again
  wait_for 90 was_called_with '--resume=auto' || fail "$file.sbatch: the job is not queued again after 75"
  wait_for 60 no_jobs || fail "$file.sbatch: the resumed job does not end"
  [ "$(grep -c -- --resume=auto calls)" = 2 ] || fail "$file.sbatch: not every rank resumes"
  echo "$file.sbatch: stopped with a checkpoint, queued again, resumed"
done

: >calls
sbatch "${small[@]}" --ntasks-per-node=1 "$examples/cpu.sbatch" broken.toml
wait_for 60 no_jobs || fail "a failing job does not end"
sleep 1
no_jobs && [ "$(wc -l <calls)" = 1 ] || fail "a failing run must not be queued again"
echo "a failed run is not queued again"

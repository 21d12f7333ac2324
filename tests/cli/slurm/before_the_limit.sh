#!/usr/bin/env bash
# Slurm's own signal before the time limit: a job of examples/slurm that would exceed its time writes a
# checkpoint, is queued again, resumes, and ends with the bits of an uninterrupted run. Two jobs at once: the
# signal is sent to the ranks (--signal=USR1@…) or to the batch shell (--signal=B:USR1@…). The test module `sampler`
# sleeps in every block, so that a minute needs no processor time. usage: GSIM_TEST_MODULES EXAMPLES_FOLDER
# (inside one_node_cluster.sh with CLUSTER_CPUS=4)
. "$(dirname "$0")/../../../scripts/strict.sh"
program=$1 examples=$2
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "FAILED: $*"; tail -n 40 ./*.log; exit 1; }

# 600 blocks of 0.3 s: 90 s on 2 ranks of 1 thread, beyond the limit of 60 s. The resumed ranks use 16
# threads, which changes only the time.
cat >sampler.toml <<END
module = "sampler"
seed = 7
[sampler]
blocks = 600
block_samples = 64
delay = 0.3
END
cat >gsim <<END
#!/bin/bash
threads=1
[ "\${SLURM_RESTART_COUNT:-0}" = 0 ] || threads=16
exec "$program" "\$@" --threads \$threads
END
chmod +x gsim
export GSIM=$scratch/gsim
# A job that ended before its first checkpoint and was queued again starts from the beginning.
sed 's/^blocks.*/blocks = 4/' sampler.toml >early.toml
for file in cpu gpu array; do
  SLURM_RESTART_COUNT=1 sbatch --quiet --wait --nodes=1 --ntasks=1 --ntasks-per-node=1 \
    --cpus-per-task=1 --gpus-per-node=0 --output="early-$file.log" \
    $([ $file != array ] || echo --array=0) "$examples/$file.sbatch" early.toml ||
    fail "$file.sbatch: a restart without a checkpoint fails"
  [ -e results/early.h5 ] || fail "$file.sbatch: no result after a restart without a checkpoint"
  rm -r results
  echo "$file.sbatch: restarted without a checkpoint, starts from the beginning"
done

for signal in USR1 B:USR1; do
  # Slurm checks twice a minute and signals up to a minute early: between 5 and 35 s after the start.
  sbatch --quiet --nodes=1 --ntasks-per-node=2 --cpus-per-task=1 --time=1 "--signal=$signal@25" \
    --output="${signal%:*}.log" "$examples/cpu.sbatch" sampler.toml --log plain --output "${signal%:*}.h5"
done
"$program" run sampler.toml --quiet --threads 64 --output undisturbed.h5
for ((i = 0; i < 240; ++i)); do
  [ -n "$(squeue --noheader)" ] || break
  sleep 0.5
done
for name in USR1 B; do
  [ -e $name.h5 ] || fail "$name: no result"
  grep -q 'DUE TO TIME LIMIT' $name.log && fail "$name: the time limit ended the job in spite of the warning signal"
  [ "$(grep -c '^stopped by' $name.log)" = 1 ] || fail "$name: not stopped once with a checkpoint"
  grep -q '^resume  from' $name.log || fail "$name: not resumed"
  h5diff --exclude-path /provenance undisturbed.h5 $name.h5 >diff.log 2>&1 ||
    fail "$name: other results than those of an undisturbed run"
  echo "$name: warned, stopped with a checkpoint, queued again, resumed: same bits"
done

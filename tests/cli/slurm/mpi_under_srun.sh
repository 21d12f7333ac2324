#!/usr/bin/env bash
# Runs the MPI test program under Slurm's launchers, also in ways that must be refused. usage: TEST_MPI
# (inside one_node_cluster.sh with CLUSTER_NODES=2 CLUSTER_CPUS=4)
. "$(dirname "$0")/../../../scripts/strict.sh"
test_mpi=$1
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "FAILED: $*"; cat out err 2>/dev/null || true; exit 1; }
run() { # EXPECTED_STATUS COMMAND…
  local expected=$1 status=0; shift
  timeout 60 "$@" >out 2>err || status=$?
  [ $status = "$expected" ] || fail "$* ended with $status, not $expected"
}

wait_for() { # FILE: waits until it exists or no job is left
  local left
  for ((i = 0; i < 600; ++i)); do
    left=$(squeue --noheader | wc -l) # queried before the file is tested: a job that has ended has written its file
    [ ! -e "$1" ] || return 0
    [ "$left" -gt 0 ] || return 1
    sleep 0.1
  done
  return 1
}

for ranks in 1 2 4; do
  GSIM_TEST_NODES=1 run 0 srun -N 1 -n $ranks "$test_mpi"
  echo "srun -n $ranks: ok"
done
GSIM_TEST_NODES=2 run 0 srun -N 2 -n 4 "$test_mpi" --test-case='binding*'
echo "srun -N 2 -n 4: the ranks find two nodes"

run 2 srun -N 1 -n 2 --mpi=none "$test_mpi"
grep -q -- '--mpi=pmi2' err || fail "the refusal does not name --mpi=pmi2"
grep -q -- '--mpi=pmix' err || fail "the refusal does not name --mpi=pmix"
[ "$(grep -c 'MPI world of its own' err)" = 1 ] || fail "the refusal is not printed once"
echo "srun --mpi=none -n 2: refused with one message that names the option"
run 0 srun -N 1 -n 1 --mpi=none "$test_mpi"
GSIM_SINGLE_RANK=1 run 0 srun -N 1 -n 2 --mpi=none "$test_mpi" --test-case='every collective*'
echo "srun --mpi=none: accepted with one task, or with GSIM_SINGLE_RANK=1"

# A batch script without srun is one rank, whatever the job's size.
cat >job <<EOF
#!/bin/sh
"$test_mpi" && echo one rank >done
EOF
sbatch --quiet -N 1 -n 4 --output=out --error=err job
wait_for "done" || fail "a batch step without srun"
echo "batch step without srun: one rank"

if command -v mpiexec.mpich >/dev/null; then # Hydra starts its proxies by srun
  cat >job <<EOF
#!/bin/sh
mpiexec.mpich -n 4 "$test_mpi" --test-case='*launcher*,binding*' && echo four ranks >hydra
EOF
  sbatch --quiet -N 2 -n 4 --output=out --error=err job
  wait_for hydra || fail "mpiexec inside an allocation"
  echo "mpiexec inside an allocation: four ranks"
fi

#!/usr/bin/env bash
# One configuration under srun on 1, 2 and 4 ranks: the same results, byte for byte, and the same
# digest printed; separate worlds are refused with exit code 2. usage: GSIM CONFIG
# (inside one_node_cluster.sh with CLUSTER_CPUS=4)
. "$(dirname "$0")/../../../scripts/strict.sh"
gsim=$1 config=$2
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
fail() { echo "FAILED: $*"; cat "$scratch"/out "$scratch"/err 2>/dev/null || true; exit 1; }
run() { # EXPECTED_STATUS COMMAND…
  local expected=$1 status=0; shift
  timeout 200 "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
  [ $status = "$expected" ] || fail "$* ended with $status, not $expected"
}

for ranks in 1 2 4; do
  run 0 srun -n $ranks "$gsim" run "$config" --threads 1 --output "$scratch/$ranks.h5"
  grep -hoE 'digest [0-9a-f]{12,16}' "$scratch/out" "$scratch/err" | cut -d ' ' -f 2 |
    sort -u >"$scratch/digest.$ranks" || fail "srun -n $ranks prints no digest"
  cmp -s "$scratch/digest.1" "$scratch/digest.$ranks" || fail "srun -n $ranks: another digest"
  h5diff --exclude-path /provenance "$scratch/1.h5" "$scratch/$ranks.h5" >"$scratch/out" 2>&1 ||
    fail "srun -n $ranks: other results than srun -n 1"
  echo "srun -n $ranks: digest $(cat "$scratch/digest.$ranks")"
done

run 2 srun --mpi=none -n 2 "$gsim" run "$config" --output "$scratch/none.h5"
grep -q -- '--mpi=pmi2' "$scratch/err" || fail "the refusal does not name --mpi=pmi2"
[ "$(grep -c 'MPI world of its own' "$scratch/err")" = 1 ] || fail "the refusal is not printed once"
[ ! -e "$scratch/none.h5" ] || fail "a refused run left a result"
echo "srun --mpi=none -n 2: refused with exit code 2"

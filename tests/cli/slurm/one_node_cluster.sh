#!/usr/bin/env bash
# Runs a command beside a private Slurm cluster on this host, as the user who calls it:
#
#   one_node_cluster.sh COMMAND [ARGUMENTS]
#
# The command finds the cluster by SLURM_CONF; the exit status is that of the command, or 77 if Slurm's daemons
# are not installed. All files are in a new folder under /tmp and are removed at the end. Packages of Debian and
# Ubuntu: slurmctld slurmd slurm-client munge.
#
#   CLUSTER_NODES  nodes, all on this host, each with a daemon of its own   (default 1)
#   CLUSTER_CPUS   processors that each node claims to have                 (default 4)
#   CLUSTER_GPUS   GPUs that each node claims to have; no driver is needed  (default 0)
. "$(dirname "$0")/../../../scripts/strict.sh"
PATH=$PATH:/usr/sbin:/sbin

nodes=${CLUSTER_NODES:-1} cpus=${CLUSTER_CPUS:-4} gpus=${CLUSTER_GPUS:-0}
[ $# -ge 1 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 2; }
for program in slurmctld slurmd srun munged; do
  command -v $program >/dev/null || { echo "SKIP: $program is not installed"; exit 77; }
done

# Slurm puts Unix sockets below this folder, whose names must stay short.
cluster_folder=$(mktemp -d /tmp/gsim-slurm.XXXXXX)
chmod 755 "$cluster_folder"
mkdir "$cluster_folder/log" "$cluster_folder/state"
export SLURM_CONF=$cluster_folder/slurm.conf

retry_for() { # SECONDS COMMAND…: repeats the command until it succeeds
  local end=$((SECONDS + $1)); shift
  until "$@" >/dev/null 2>&1; do [ $SECONDS -lt $end ] || return 1; sleep 0.05; done
}

free_ports() { # N: prints the first of N consecutive free ports
  local first port
  for first in $(seq $((21000 + RANDOM % 8000)) 41 31000); do
    for ((port = first; port < first + $1; ++port)); do
      if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then continue 2; fi
    done
    echo "$first"
    return
  done
  return 1
}

has_ended() { # PID: true when the process has ended, also as a zombie
  local state
  state=$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) || return 0
  [ -z "$state" ] || [ "$state" = Z ]
}

stop_daemons() { # PIDFILE…
  local file pid
  for file in "$@"; do
    [ -s "$file" ] || continue
    pid=$(cat "$file")
    kill "$pid" 2>/dev/null || continue
    retry_for 5 has_ended "$pid" || kill -9 "$pid" 2>/dev/null || true
  done
}

finish() {
  local status=$?
  trap - EXIT
  timeout 5 scancel --user "$(id -un)" 2>/dev/null || true
  retry_for 10 no_jobs || true
  stop_daemons "$cluster_folder"/slurmd.*.pid "$cluster_folder/slurmctld.pid"
  stop_daemons "$cluster_folder/munge.pid"
  if [ $status -ne 0 ] && [ $status -ne 77 ]; then tail -n 15 "$cluster_folder"/log/*.log >&2 || true; fi
  rm -rf "$cluster_folder"
  exit $status
}
no_jobs() { [ -z "$(timeout 3 squeue --noheader)" ]; }
trap finish EXIT
trap 'exit 129' HUP; trap 'exit 130' INT; trap 'exit 143' TERM

# ---- configuration: no cgroups (which need a delegated tree), no accounting, short scheduling intervals
host=$(hostname -s) user=$(id -un) port=$(free_ports $((nodes + 1)))
memory=$(($(awk '/^MemTotal/ { print $2 }' /proc/meminfo) / 1024 * 8 / 10 / nodes))
cat >"$SLURM_CONF" <<EOF
ClusterName=gsim
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$cluster_folder/munge.sock,cred_expire=5
CredType=cred/munge
SlurmctldPort=$port
SlurmctldPidFile=$cluster_folder/slurmctld.pid
SlurmctldLogFile=$cluster_folder/log/slurmctld.log
SlurmdPidFile=$cluster_folder/slurmd.%n.pid
SlurmdLogFile=$cluster_folder/log/slurmd.%n.log
SlurmdSpoolDir=$cluster_folder/spool.%n
SlurmdParameters=config_overrides
StateSaveLocation=$cluster_folder/state
MpiDefault=pmi2
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0
ReturnToService=2
KillWait=5
JobRequeue=1
EOF
: >"$cluster_folder/gres.conf"
printf 'CgroupPlugin=autodetect\nCgroupAutomount=no\n' >"$cluster_folder/cgroup.conf"
gres=
if [ "$gpus" -gt 0 ]; then
  # Slurm requires numbered character devices and never opens them.
  devices=$cluster_folder/gpu
  for ((i = 0; i < gpus; ++i)); do
    mknod "$devices$i" c 1 3 2>/dev/null || { devices=/dev/tty; break; } # only root may make them
  done
  echo "GresTypes=gpu" >>"$SLURM_CONF"
  printf 'AutoDetect=off\nName=gpu Type=pretend File=%s[0-%d]\n' "$devices" $((gpus - 1)) \
    >"$cluster_folder/gres.conf"
  gres="Gres=gpu:pretend:$gpus"
fi
for ((i = 1; i <= nodes; ++i)); do
  echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i))" \
    "CPUs=$cpus RealMemory=$memory $gres" >>"$SLURM_CONF"
done
echo "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=FORCE:1" >>"$SLURM_CONF"

# ---- start
(umask 077; head -c 1024 /dev/urandom >"$cluster_folder/munge.key")
munged --force --key-file="$cluster_folder/munge.key" --socket="$cluster_folder/munge.sock" \
  --pid-file="$cluster_folder/munge.pid" --seed-file="$cluster_folder/munge.seed" --log-file="$cluster_folder/log/munged.log" \
  2>>"$cluster_folder/log/start.log"
slurmctld -c -f "$SLURM_CONF" 2>>"$cluster_folder/log/start.log"
retry_for 20 scontrol ping || { echo "slurmctld does not answer" >&2; exit 1; }
for ((i = 1; i <= nodes; ++i)); do slurmd -N "n$i" -f "$SLURM_CONF" 2>>"$cluster_folder/log/start.log"; done
idle() { [ "$(sinfo --noheader --Node --format=%T | grep -cx idle)" = "$nodes" ]; }
retry_for 20 idle || { sinfo --Node --long >&2; echo "the nodes do not come up" >&2; exit 1; }

# Variables of a surrounding Slurm job would apply to this cluster, too.
for name in $(compgen -e | grep -E '^(SLURM|SRUN|SBATCH|PMI)' | grep -vx SLURM_CONF || true); do
  unset "$name"
done
status=0
"$@" || status=$?
exit $status

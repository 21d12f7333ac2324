# Functions that scripts/gsim, scripts/test and scripts/lint share: installation of required packages, and
# the build. To be sourced, not run. Needs bash; prompts for nothing; prints each step.

. "$(dirname "${BASH_SOURCE[0]}")/strict.sh"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# ccache shortens later builds; the build also works without it.
optional_package=ccache
run_packages="g++ cmake ninja-build mpich libmpich-dev libhdf5-mpich-dev libcli11-dev
  libtomlplusplus-dev nlohmann-json3-dev libboost-dev libfmt-dev libxxhash-dev zlib1g-dev
  libpng-dev libquantlib0-dev libpugixml-dev ccache"
test_packages="doctest-dev libmpfr-dev librandom123-dev hdf5-tools python3 python3-jsonschema python3-yaml slurmctld
  slurmd slurm-client munge clang clang-format clang-tidy patchelf zstd git"
# Python packages with which tests read gsim's output files and run examples/python. Not every distribution has them; without them
# these tests are skipped.
reader_packages="python3-h5py python3-mdanalysis python3-pandas python3-xarray mypy"

say() { printf 'gsim set-up: %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit "${2:-1}"; }

# Whether an MPI launcher or Slurm started this process. scripts/gsim then builds nothing, because every rank would.
under_launcher() {
  [ -n "${PMI_RANK:-}${PMIX_RANK:-}${OMPI_COMM_WORLD_RANK:-}${SLURM_STEP_ID:-}" ]
}

missing_packages() { # names -> those that are not installed
  local p
  for p in "$@"; do
    case $(dpkg-query -W -f='${Status}' "$p" 2>/dev/null) in
      *"ok installed"*) ;;
      *) echo "$p" ;;
    esac
  done
}

tools_present() { # for systems without dpkg: whether cmake, ninja and c++ are on PATH; CMake reports missing libraries
  command -v cmake >/dev/null && command -v ninja >/dev/null && command -v c++ >/dev/null
}

may_install() { # whether the user is root, or may use sudo without a password
  [ "$(id -u)" -eq 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

# install_packages INSTALL(yes|no) NAME...: installs what is missing, or lists it and ends.
install_packages() {
  local install=$1 sudo= missing; shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    tools_present && return
    die "this system is neither Debian nor Ubuntu: install cmake (3.22+), ninja, a C++20 compiler, MPICH, parallel HDF5, CLI11, toml++, nlohmann's JSON, Boost's mathematics, fmt, xxhash, zlib, libpng and, for dates, QuantLib, for XML, pugixml, then run this command again"
  fi
  # shellcheck disable=SC2046
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  if [ "${missing% }" = $optional_package ] && { [ "$install" = no ] || ! may_install; }; then
    say "$optional_package is not installed: later builds take longer"
    return 0
  fi
  if [ "$install" = no ]; then
    say "missing packages: $missing"
    say "install them with: apt-get install --no-install-recommends $missing"
    exit 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "missing packages: $missing; there is no sudo here, so install them as root"
    sudo="sudo -n"
    $sudo true 2>/dev/null || die "missing packages: $missing; installing them needs root: sudo apt-get install --no-install-recommends $missing"
  fi
  # shellcheck disable=SC1091
  case "$(. /etc/os-release && echo "$ID $VERSION_ID")" in
    "debian 12") ;;
    "ubuntu 22.04" | "ubuntu 24.04") say "this is Ubuntu: supported, but not tested yet" ;;
    *) say "this system is neither Debian 12 nor Ubuntu 22.04/24.04: trying to install anyway" ;;
  esac
  say "installing $missing"
  mkdir -p "$root/build"
  if ! { $sudo apt-get -o DPkg::Lock::Timeout=300 update &&
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y \
      --no-install-recommends $missing; } >"$root/build/install.log" 2>&1 </dev/null; then
    tail -n 5 "$root/build/install.log" >&2
    die "the packages could not be installed; the log is build/install.log"
  fi
}

# The GPU's architecture if one is visible, else Hopper (with PTX for later architectures).
cuda_architecture() {
  local cap
  cap=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n '1s/[. ]//gp' || true)
  case $cap in [0-9][0-9] | [0-9][0-9][0-9]) echo "$cap" ;; *) echo 90 ;; esac
}

# configure PRESET [cmake options]: configures build/PRESET; later builds reconfigure by themselves where needed.
configure() {
  local preset=$1 python=() architectures=(); shift
  # The Python that apt installs packages for, not one of pyenv or conda.
  [ ! -x /usr/bin/python3 ] || python=(-DPython3_EXECUTABLE=/usr/bin/python3)
  mkdir -p "$root/build"
  say "configuring (preset $preset)"
  [ "$preset" = portable ] || architectures=("-DGSIM_CUDA_ARCHITECTURES=$(cuda_architecture)")
  (cd "$root" && cmake --preset "$preset" "${architectures[@]}" "${python[@]}" "$@") \
    >"$root/build/configure-$preset.log" 2>&1 || {
    grep -A 8 'CMake Error' "$root/build/configure-$preset.log" >&2 || tail "$root/build/configure-$preset.log" >&2
    die "configuring failed; the log is build/configure-$preset.log"
  }
}

# build PRESET [targets]
build() {
  local preset=$1 targets=(); shift
  [ $# -eq 0 ] || targets=(--target "$@")
  say "building (log: build/build-$preset.log)"
  cmake --build "$root/build/$preset" "${targets[@]}" -j "$(nproc)" >"$root/build/build-$preset.log" 2>&1 || {
    grep -E -A 6 'FAILED|error:' "$root/build/build-$preset.log" | sed -n 1,60p >&2
    die "building failed; the log is build/build-$preset.log"
  }
  local warnings
  warnings=$(grep -c 'warning:' "$root/build/build-$preset.log" || true)
  [ "$warnings" = 0 ] || say "$warnings warnings: see build/build-$preset.log"
}

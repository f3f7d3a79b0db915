# shellcheck shell=bash
# Sourced by apps/run and tests/run: the Debian packages that Linkwork is built from, and how to get and use them.

packages=(
  g++ cmake ninja-build
  libeigen3-dev libboost-dev libsuitesparse-dev libcolpack-dev  # the library
  libcli11-dev nlohmann-json3-dev                               # the linkwork command
  libgtest-dev libbenchmark-dev libsundials-dev                 # tests, benchmarks and a solver to compare with
)

install_packages() {
  local missing=() package as_root=()
  command -v dpkg-query >/dev/null || return 0  # not a Debian: CMake names what it does not find
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0

  if [[ $EUID -ne 0 ]]; then
    as_root=(sudo -n)
    [[ -t 0 ]] && as_root=(sudo)  # somebody is there to type a password
  fi
  echo "Installing ${missing[*]}" >&2
  if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y -q --no-install-recommends "${missing[@]}"; } </dev/null >&2; then
    echo "These Debian packages are missing and could not be installed from here. Run, as root:" >&2
    echo "  apt-get update && apt-get install -y ${missing[*]}" >&2
    return 1
  fi
}

# build PRESET [TARGET...]: configures, the first time and when the presets have changed, and builds. Writes to standard
# error.
build() {
  local preset=$1
  shift
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  if [[ ! build/$preset/build.ninja -nt CMakePresets.json ]]; then
    cmake --preset "$preset" >&2 || return
  fi
  cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"} >&2
}

# shellcheck shell=bash
# Sourced by apps/run and tests/run: the Debian packages that Linkwork is built from, and how to get and use them.

run_packages=(
  g++ cmake ninja-build
  libeigen3-dev libboost-dev libsuitesparse-dev libcolpack-dev  # the library
  libcli11-dev nlohmann-json3-dev                               # the linkwork command
  libjs-three libjs-dygraphs                                    # pages of runs
)
test_packages=(
  libgtest-dev libbenchmark-dev libsundials-dev doxygen  # tests, benchmarks, a solver to compare with, pages of headers
  libassimp-dev libtinygltf-dev                          # shapes from files, animations read back
  gnuplot-nox graphviz                                   # figures
  chromium chromium-driver python3-selenium              # a browser for pages of runs
)

# install_packages PACKAGE...: those that are missing.
install_packages() {
  local packages=("$@") missing=() package as_root=()
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

# configure PRESET TESTING: the first time, when the presets have changed, and when TESTING is ON and was not. With OFF,
# tests that a folder has are kept: only a new one is without them and their packages.
configure() {
  local preset=$1 testing=$2 folder=build/$1 has_tests=OFF
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  if grep -qs '^BUILD_TESTING:BOOL=ON$' "$folder/CMakeCache.txt"; then
    has_tests=ON testing=ON
  fi
  if [[ $has_tests != "$testing" || ! $folder/build.ninja -nt CMakePresets.json ]]; then
    cmake --preset "$preset" -D BUILD_TESTING="$testing"
  fi
}

# build PRESET TESTING [TARGET...]: configures and builds. Writes to standard error.
build() {
  local preset=$1 testing=$2
  shift 2
  configure "$preset" "$testing" >&2 &&
    cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"} >&2
}

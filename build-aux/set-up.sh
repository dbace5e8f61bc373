# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For run-demo and run-tests, which source this in the top folder: installs the Debian packages that are missing,
# then configures and builds out of tree. Nothing is installed but packages; everything else stays in $build.
packages="autoconf automake make gcc g++ gfortran pkg-config
    libmpich-dev mpich libelf-dev libdw-dev libzstd-dev libxxhash-dev uthash-dev check jq python3 zstd gnuplot-nox graphviz libopen-trace-format2-dev
    libblas-dev liblapack-dev liblapacke-dev
    ${extra_packages:-}"

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() { say "$*" >&2; exit 2; }

missing_packages() {
    for p in $packages; do
        case $(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null) in
            installed) ;;
            *) printf '%s ' "$p" ;;
        esac
    done
}

# On a system without dpkg, configure names what is missing.
install_packages() {
    command -v dpkg-query >/dev/null || return 0
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    say "installing missing packages: $missing"
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "not root: run  apt-get install $missing"
        as_root=sudo
    fi
    $as_root apt-get update -q </dev/null || die "apt-get update failed"
    # shellcheck disable=SC2086  # words on purpose
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing </dev/null ||
        die "apt-get install failed"
}

# configure is made when it is missing or older than what it is made from.
make_configure() {
    if [ ! -f configure ] || [ -n "$(find configure.ac m4 -newer configure -print -quit)" ]; then
        say "autoreconf"
        autoreconf -fi || die "autoreconf failed"
    fi
}

configure_and_build() {
    mkdir -p "$build" || die "cannot make $build"
    build=$(cd "$build" && pwd)
    # shellcheck disable=SC3013  # dash and bash both know -nt
    if [ ! -f "$build/Makefile" ] || [ configure -nt "$build/config.status" ]; then
        say "configure in $build"
        top=$PWD
        (cd "$build" && "$top/configure" -q) || die "configure failed"
    fi
    say "make in $build"
    make -C "$build" -s --no-print-directory -j "$jobs" all || die "the build failed"
}

# Make cannot build in folders with such names; configure says so late, and not what to do.
check_folder() {
    case $1 in
        *[[:space:]\"\#\$\&\'\`\\]*) die "$1: spaces and quotes in the name of a folder break make: $2" ;;
    esac
}

set_up() {
    build=${BUILD_DIR:-build}
    jobs=${JOBS:-$(nproc)}
    check_folder "$PWD" "move the sources to another folder"
    check_folder "$build" "set BUILD_DIR to another folder"
    install_packages
    packages=gcc-$(gcc -dumpversion | cut -d. -f1)-plugin-dev
    install_packages
    make_configure
    configure_and_build
}

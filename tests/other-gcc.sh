#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The test programs with other versions of GCC and MPICH, each in a Debian of its own. Not part of ./run-tests, as it
# needs root, debootstrap and the network; to be run before a release.
set -u

usage() {
    cat <<'END'
usage: tests/other-gcc.sh [-w FOLDER] [-k PATTERN] [-O LEVEL] RELEASE:GCC...
Builds commslice with each GCC in a chroot of the Debian release, and runs the test programs there under engine emulate, original and slice.
For example: tests/other-gcc.sh trixie:12 trixie:13 trixie:14 sid:15

  -w FOLDER    chroots are made here and stay, for the next time (/var/tmp/commslice-gcc)
  -k PATTERN   only programs whose name matches this shell pattern
  -O LEVEL     of the programs (2)

A row a GCC: results that passed and failed; of the programs, those of which the slice keeps a share of the statements that is
more than two points off the first GCC's, and those whose slice has another trace than with the first one. Their names follow.
Exit status 1: something failed.
END
}

folder=/var/tmp/commslice-gcc pattern='*' level=2
while getopts w:k:O:h o; do
    case $o in
        w) folder=$OPTARG ;; k) pattern=$OPTARG ;; O) level=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || { usage >&2; exit 2; }
me=${0##*/}
die() { printf '%s: %s\n' "$me" "$*" >&2; exit 2; }
say() { printf '%s: %s\n' "$me" "$*" >&2; }
top=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" -eq 0 ] || die "only root can make a chroot"
command -v debootstrap >/dev/null || die "debootstrap is missing (Debian: debootstrap)"
mkdir -p "$folder" && folder=$(cd "$folder" && pwd) || exit 2

packages="autoconf automake make gcc g++ gfortran pkg-config libmpich-dev mpich libelf-dev libdw-dev libzstd-dev libxxhash-dev uthash-dev \
    check jq zstd libopen-trace-format2-dev libblas-dev liblapack-dev liblapacke-dev"

# Packages come from where this machine has its own.
# shellcheck disable=SC2016  # for apt-get to expand
mirror() { apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1; }

inside() { # RELEASE COMMAND
    chroot "$folder/$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive /bin/sh -ec "$2"
}

mounted=
unmount() {
    for at in $mounted; do umount "$at"; done
    mounted=
}
trap unmount EXIT
trap 'exit 130' INT TERM

mount_in() { # RELEASE
    for at in proc dev dev/shm; do
        mkdir -p "$folder/$1/$at"
        case $at in
            proc) mount -t proc proc "$folder/$1/proc" ;;
            *) mount --bind "/$at" "$folder/$1/$at" ;;
        esac || die "cannot mount /$at in $folder/$1"
        mounted="$folder/$1/$at $mounted"
    done
}

make_release() { # RELEASE
    [ -e "$folder/$1/made" ] && return
    say "making a chroot of $1"
    rm -rf "${folder:?}/$1"
    debootstrap --variant=minbase "$1" "$folder/$1" "$(mirror)" >"$folder/$1.log" 2>&1 || die "debootstrap failed: $folder/$1.log"
    touch "$folder/$1/made"
}

build_in() { # RELEASE GCC: in /src-GCC/build of the chroot
    say "building with GCC $2 in $1"
    src=$folder/$1/src-$2
    rm -rf "$src" && mkdir "$src" || exit 2
    (cd "$top" && git ls-files -z | tar c --null -T - | tar x -C "$src") || die "cannot copy the sources"
    # A mirror may lag behind.
    inside "$1" "apt-get update -q -o Acquire::Check-Valid-Until=false
        apt-get install -y -q --no-install-recommends $packages gcc-$2 g++-$2 gfortran-$2 gcc-$2-plugin-dev
        cd /src-$2 && autoreconf -fi && mkdir build && cd build && ../configure -q CC=gcc-$2 CXX=g++-$2 && make -s -j$(nproc) all tests/peak" \
        >"$folder/$1-$2.log" 2>&1 || die "GCC $2 in $1: the build failed: $folder/$1-$2.log"
}

# PROGRAM SHARE, in per cent, of each program.
shares() { # RELEASE GCC
    for info in "$folder/$1/src-$2"/build/tests/programs.out/*/info-O"$level".json; do
        [ -s "$info" ] || continue
        program=${info%/*}
        jq -r --arg p "${program##*/}" '"\($p) \(100 * .kept / .statements)"' "$info"
    done
}

run_in() { # RELEASE GCC: leaves $folder/RELEASE-GCC.{results,shares}
    say "running the programs with GCC $2 in $1"
    inside "$1" "cd /src-$2/build && export MPICH_CC=gcc-$2 MPICH_CXX=g++-$2 MPICH_FC=gfortran-$2
        ../tests/run-programs.sh -B . -O $level -k '$pattern' --keep" >"$folder/$1-$2.results" 2>&1
    shares "$1" "$2" >"$folder/$1-$2.shares"
}

# Programs whose share is further than two points from the first GCC's.
off() { awk 'NR == FNR { first[$1] = $2; next } $1 in first && ($2 - first[$1] > 2 || first[$1] - $2 > 2) { print $1 }' "$folder/$first.shares" "$folder/$1.shares"; }

# Programs whose slices have other traces than with the first GCC.
other_traces() { # RELEASE GCC
    for trace in "$folder/${first%-*}/src-${first##*-}"/build/tests/programs.out/*/emulate-slice-O"$level".n*.trace; do
        program=${trace%/*} program=${program##*/}
        mine=/src-$2/build/tests/programs.out/$program/${trace##*/}
        if [ ! -s "$trace" ] || [ ! -s "$folder/$1$mine" ]; then continue; fi
        cp "$trace" "$folder/$1/first.trace"
        inside "$1" "/src-$2/build/cli/commslice diff /first.trace $mine >/dev/null 2>&1" || echo "$program"
    done | sort -u
}

count() { grep -c . "$1"; }
row() { # RELEASE GCC
    result=$(tail -n 1 "$folder/$1-$2.results")
    off "$1-$2" >"$folder/off"
    other_traces "$1" "$2" >"$folder/other"
    printf '%-8s %4s %7d %7d %10d %8d %8d\n' "$1" "$2" "${result%% *}" "$(echo "$result" | awk '{ print $3 }')" "$(count "$folder/$1-$2.shares")" "$(count "$folder/off")" "$(count "$folder/other")"
    sed 's/^/    /' "$folder/off" "$folder/other"
    grep '^FAIL' "$folder/$1-$2.results" | sed 's/^/    /'
    case $result in *', 0 failed') ;; *) status=1 ;; esac
}

status=0 first=
printf '%-8s %4s %7s %7s %10s %8s %8s\n' release GCC passed failed programs 'share +' traces
for pair in "$@"; do
    release=${pair%:*} gcc=${pair##*:}
    [ "$release" != "$pair" ] || die "$pair: RELEASE:GCC is expected, as in trixie:14"
    make_release "$release"
    mount_in "$release"
    build_in "$release" "$gcc"
    run_in "$release" "$gcc"
    first=${first:-$release-$gcc}
    row "$release" "$gcc"
    unmount
done
exit $status

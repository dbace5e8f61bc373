#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# same-slices.sh: shows that two builds of commslice decide and record the same, program by program.
# For changes that must change nothing: OLD is a build from before the change, NEW one with it.
set -u

usage() {
    cat <<'END'
usage: bench/same-slices.sh [OPTIONS] OLD NEW
OLD and NEW are build trees. Each program is sliced by both, and each slice runs under engine emulate. What must be the same:
  build   the slice builds, or does not
  info    `commslice info --all --json` of the slice: statements kept of each function, marks, assumptions, what is unknown, warnings
  code    the machine code of the slice (its .text section)
  run     exit status of `commslice run`; its number of events, the calls and bytes, the state of each rank
  trace   `commslice diff` of the two traces, by the tool of NEW
  print   every event as `commslice print --json` of each build shows it, with its call site and mark
Only paths and versions are left out.

  -k PATTERN   only programs whose name matches this shell pattern, or contains it
  -O LEVELS    optimisation levels of tests/programs (default "2")
  -n FOLDER    also the eight programs of NPB (a copy of NPB 3.3 or 3.4, MPI), classes S and W, 4 ranks
  -s FOLDER    also Sweep3D, 50x50x50 on 2x2 ranks
  -p FOLDER    the test programs (default tests/programs beside this script)
  -c CACHE     keep what OLD gives in this folder, and take it from there. Many comparisons may use it at the same time
  -f FLAG      one more flag for NEW's compiler only: a fault, to see that it is noticed
  -j JOBS      programs at a time (default 2)
  -w FOLDER    work here, and leave everything there
A line for each difference; the last line counts. Exit status 0: all the same, 1: something differs, 2: it could not be compared.
END
}

die() { printf 'same-slices: %s\n' "$*" >&2; exit 2; }
top=$(cd "$(dirname "$0")/.." && pwd)
self=$top/bench/same-slices.sh
programs=$top/tests/programs pattern='*' levels=2 npb='' sweep='' cache='' flag='' jobs=2 work=''
[ "${1:-}" = --help ] && { usage; exit 0; }

# ---- one case, in a process of its own; see the end for what SAME_* hold ----

hash_of() { sha256sum | cut -d' ' -f1; }
header() { sed -n -e 's|[[:space:]]*\*/$||' -e '1,20s/^[ *!cC/]*'"$2"':[[:space:]]*//p' "$1"; }  # FILE KEY
limited() { timeout -k 5 "$@"; }
tool() { cat "$SAME_WORK/$1.$2"; }  # SIDE commslice|plugin|libraries|id

wrapper() {  # FILE
    case $1 in
        *.c) echo "${MPICC:-mpicc}" ;;
        *.cc | *.cpp | *.cxx) echo "${MPICXX:-mpicxx}" ;;
        *) echo "${MPIFORT:-mpifort}" ;;
    esac
}

# Compilers with the plugin, of the same name and path length on both sides: NPB writes them into its programs.
make_wrappers() {  # SIDE
    mkdir -p "$SAME_WORK/$1.bin"
    for c in mpicc mpifort; do
        printf '#!/bin/sh\nexec %s -fplugin="%s" %s "$@"\n' "$(command -v $c)" "$(tool "$1" plugin)" "$(side_flag "$1")" >"$SAME_WORK/$1.bin/slice-$c"
        chmod +x "$SAME_WORK/$1.bin/slice-$c"
    done
}
side_flag() { if [ "$1" = new ]; then printf '%s' "$SAME_FLAG"; fi; }

# Sources are compiled under their base name in an empty folder, so that a program may move.
sources_of() {  # FILE: what goes into the folder
    folder=$(dirname "$1")
    opaque=$(header "$1" opaque)
    echo "$1"
    [ -z "$opaque" ] || find "$SAME_PROGRAMS" -name "$opaque"
    find "$SAME_PROGRAMS" "$folder" -maxdepth 1 -type f \( -name '*.h' -o -name '*.inc' -o -name '*.fi' \)
}

build_program() {  # SIDE FILE LEVEL
    sources_of "$2" | sort -u | while IFS= read -r f; do cp "$f" . || exit 1; done
    file=$(basename "$2") opaque=$(header "$2" opaque) assume=$(header "$2" assume) options=$(header "$2" flags)
    more=''
    if [ -n "$opaque" ]; then
        more=opaque.o
        "$(wrapper x.c)" -g -O"$3" -c -o opaque.o "$opaque" || return 1
    fi
    # shellcheck disable=SC2046,SC2086  # words on purpose
    limited 300 "$(wrapper "$file")" -g -O"$3" -w ${options:+"$options"} -fplugin="$(tool "$1" plugin)" $(side_flag "$1") \
        ${assume:+"-fplugin-arg-commslice-assume=$assume"} -o slice "$file" $more -lm
}

build_npb() {  # SIDE PROGRAM CLASS
    folder=$(printf '%s' "$2" | tr '[:lower:]' '[:upper:]')
    cp -r "$SAME_NPB"/. npb && mkdir -p npb/bin && rm -f npb/*/*.o npb/*/npbparams.h npb/*/*.mod npb/sys/setparams || return 1
    cat >npb/config/make.def <<'END'
MPIFC = slice-mpifort
MPIF77 = slice-mpifort
FLINK = slice-mpifort
FFLAGS = -O2 -g
FLINKFLAGS = -O2 -g $(ASSUME)
MPICC = slice-mpicc
CLINK = slice-mpicc
CFLAGS = -O2 -g
CLINKFLAGS = -O2 -g
CC = gcc
BINDIR = ../bin
RAND = randi8
END
    assume=
    [ "$2" != lu ] || assume="-fplugin-arg-commslice-assume=ssor.f:$(sed -n '/rsdnm(4).*tolrsd(4)/{=;q}' npb/LU/ssor.f)=never"
    PATH=$SAME_WORK/$1.bin:$PATH limited 600 make -C "npb/$folder" CLASS="$3" NPROCS=4 ASSUME="$assume" &&
        mv npb/bin/"$2"."$3".* slice
}

build_sweep3d() {  # SIDE
    cp -r "$SAME_SWEEP"/. src && cp src/input.50 input || return 1
    PATH=$SAME_WORK/$1.bin:$PATH limited 300 make -C src -B mpi SHELL=/bin/sh FC=slice-mpifort CC=slice-mpicc CPP='cpp -traditional-cpp' OPTIMIZE='-O2 -g -std=legacy' \
        MPI_FFLAGS='-O2 -g -std=legacy' MPI_LDFLAGS='-fplugin-arg-commslice-assume=inner.f:128.1=never' && mv src/sweep3d.mpi slice
}

# Builds and runs a case with the build SIDE; leaves what is compared in the current folder.
one_side() {  # SIDE KIND ARGUMENTS...: program FILE LEVEL, npb NAME CLASS, sweep3d
    side=$1 kind=$2
    "build_$kind" "$side" "${3:-}" "${4:-}" >build.log 2>&1 </dev/null
    status=$?
    { [ $status != 0 ] && echo fails || echo works; } >build
    [ $status = 0 ] || return 0
    rm -rf npb src ./*.o ./*.mod
    ranks=4 args='' stdin=/dev/null
    if [ "$kind" = program ]; then
        set -- "$@"
        ranks=$(header "$3" ranks | awk '{ print $1 }')
        ranks=${ranks:-2} args=$(header "$3" args)
        if [ -n "$(header "$3" stdin)" ]; then printf '%b' "$(header "$3" stdin)" >stdin; stdin=$PWD/stdin; fi
    fi
    commslice=$(tool "$side" commslice)
    COMMSLICE_LIBDIR=$(tool "$side" libraries)
    export COMMSLICE_LIBDIR
    # shellcheck disable=SC2094  # the words after the tool are its own
    "$commslice" info --all --json slice 2>info.log | plain_json >info
    objcopy -O binary --only-section=.text slice text.bin && hash_of <text.bin >code
    mkdir run && cd run || return 1
    [ "$kind" != sweep3d ] || cp ../input .
    [ "$kind" != program ] || header "$3" files | while IFS= read -r entry; do printf '%b' "${entry#*=}" >"${entry%%=*}"; done
    # shellcheck disable=SC2086  # words on purpose
    limited 120 "$commslice" run -q -n "$ranks" -o ../trace.bin ../slice $args >../run.log 2>&1 <"$stdin"
    status=$?
    cd .. || return 1
    { echo "exit $status"; "$commslice" info --all --json trace.bin 2>&1 | plain_json; } >run.txt
    printed "$side" . | hash_of >print
    rm -rf slice text.bin run
}

# Every event of SIDE's trace in FOLDER, as its own tool shows it. A call from outside of the program has the program's path for its file.
printed() {  # SIDE FOLDER
    COMMSLICE_LIBDIR=$(tool "$1" libraries) "$(tool "$1" commslice)" print --json "$2/trace.bin" 2>&1 | sed 's|"file":"/[^"]*/|"file":"|'
}

# Without what names a path or a version, in one order.
plain_json() {
    jq -S 'del(.file, .program, .arguments, .versions) | walk(if type == "string" and startswith("/") then sub(".*/"; "") else . end)' 2>&1
}

# OLD's results come from the cache, when it has them for the same sources.
old_side() {  # KEY KIND ARGUMENTS...
    key=$1
    shift
    if [ -n "$SAME_CACHE" ] && [ -f "$SAME_CACHE/$key/print" ]; then
        cp -r "$SAME_CACHE/$key" old
        return
    fi
    mkdir old && (cd old && one_side old "$@") || return 1
    [ -f old/print ] || touch old/print
    [ -n "$SAME_CACHE" ] || return 0
    cp -r old "$SAME_CACHE/$key.$$"
    mv -T "$SAME_CACHE/$key.$$" "$SAME_CACHE/$key" 2>/dev/null || rm -rf "$SAME_CACHE/$key.$$"      # another one was first
}

case_key() {  # KIND ARGUMENTS...
    case $1 in
        program) sources_of "$2" | sort -u | tr '\n' '\0' | xargs -0 cat ;;
        npb) find "$SAME_NPB" -type f \( -name '*.f' -o -name '*.f90' -o -name '*.c' -o -name '*.h' -o -iname 'makefile' \) ! -name npbparams.h -print0 | sort -z | xargs -0 cat ;;
        sweep3d) cat "$SAME_SWEEP"/*.f "$SAME_SWEEP"/*.cpp "$SAME_SWEEP"/*.c "$SAME_SWEEP"/input.50 ;;
    esac | hash_of | cut -c1-16
}

first_difference() { diff "$1" "$2" | sed -n 's/^[<>] *//p' | head -n 2 | tr -s ' \n' ' ' | cut -c1-150; }

# Prints both traces anew with each build's tool and takes the first line that differs.
printed_difference() {
    for s in old new; do printed $s $s >$s/printed; done
    first_difference old/printed new/printed
    rm -f old/printed new/printed
}

compare() {  # NAME: one line for each thing that differs
    for what in build info code run.txt print; do
        if [ -f old/$what ] && [ -f new/$what ] && ! cmp -s old/$what new/$what; then
            case $what in
                print) said=$(printed_difference) ;;
                code) said='(.text differs)' ;;
                *) said=$(first_difference old/$what new/$what) ;;
            esac
            printf '%-34s %-6s %s\n' "$1" "${what%.txt}" "$said"
        fi
    done
    if [ -f old/trace.bin ] && [ -f new/trace.bin ]; then
        said=$("$(tool new commslice)" diff old/trace.bin new/trace.bin 2>&1) ||
            printf '%-34s %-6s %s\n' "$1" trace "$(printf '%s' "$said" | head -n 1 | cut -c1-150)"
    elif [ -f old/trace.bin ] || [ -f new/trace.bin ]; then
        printf '%-34s %-6s %s\n' "$1" trace "only one of them has one"
    fi
}

one_case() {  # NAME KIND ARGUMENTS...
    name=$1
    shift
    mkdir -p "$SAME_WORK/cases/$name" && cd "$SAME_WORK/cases/$name" || exit 2
    old_side "$name-$(case_key "$@")" "$@"
    mkdir new && (cd new && one_side new "$@")
    if [ -s old/build ] && [ -s new/build ]; then
        compare "$name" >result
        # What builds on neither side shows nothing.
        [ "$(cat old/build new/build | sort -u)" = works ] || [ -s result ] || echo "$name builds on neither side" >result
    else
        echo "$name could not be compared" >result
    fi
    cat result
}

if [ "${1:-}" = --one ]; then
    shift
    # shellcheck disable=SC2086  # words on purpose: NAME KIND ARGUMENTS
    one_case $1
    exit
fi

# ---- all of them ----

while getopts k:O:n:s:p:c:f:j:w: o; do
    case $o in
        k) case $OPTARG in *[*?[]*) pattern=$OPTARG ;; *) pattern="*$OPTARG*" ;; esac ;;
        O) levels=$OPTARG ;; n) npb=$OPTARG ;; s) sweep=$OPTARG ;; p) programs=$OPTARG ;; c) cache=$OPTARG ;; f) flag=$OPTARG ;;
        j) jobs=$OPTARG ;; w) work=$OPTARG ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 2 ] || { usage >&2; exit 2; }
command -v jq >/dev/null || die "jq is missing (Debian: jq)"
[ -d "$programs" ] || die "$programs: no such folder (-p)"
[ -z "$npb" ] || [ -f "$npb/sys/setparams.c" ] || die "$npb: not a copy of NPB (sys/setparams.c is missing)"
[ -z "$sweep" ] || [ -f "$sweep/inner.f" ] || die "$sweep: not a copy of Sweep3D (inner.f is missing)"
if [ -z "$work" ]; then
    work=$(mktemp -d) || exit 2
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
else
    mkdir -p "$work" && work=$(cd "$work" && pwd) && rm -rf "$work/cases" || exit 2
fi
absolute() { if [ -n "$1" ]; then (cd "$1" && pwd) || exit 2; fi; }
[ -z "$cache" ] || mkdir -p "$cache" || exit 2
SAME_WORK=$work SAME_PROGRAMS=$(absolute "$programs") SAME_NPB=$(absolute "$npb") SAME_SWEEP=$(absolute "$sweep")
SAME_CACHE=$(absolute "$cache") SAME_FLAG=$flag
export SAME_WORK SAME_PROGRAMS SAME_NPB SAME_SWEEP SAME_CACHE SAME_FLAG
unset COMMSLICE_TRACE COMMSLICE_PLUGIN COMMSLICE_RUNTIME COMMSLICE_LIBDIR LD_PRELOAD

# Tools are searched for, since builds of different ages have them in different folders.
find_build() {  # SIDE FOLDER
    [ -d "$2" ] || die "$2: no such folder"
    folder=$(cd "$2" && pwd)
    find "$folder" -name commslice -type f -perm -u+x ! -path '*/tests/*' | head -n 1 >"$work/$1.commslice"
    find "$folder" -name commslice.so ! -path '*/tests/*' | head -n 1 >"$work/$1.plugin"
    find "$folder" -name libcommslice-emulate.so ! -path '*/tests/*' -exec dirname {} \; | head -n 1 >"$work/$1.libraries"
    for t in commslice plugin libraries; do [ -s "$work/$1.$t" ] || die "$2: no build of commslice here ($t not found)"; done
    cat "$(tool "$1" commslice)" "$(tool "$1" plugin)" "$(tool "$1" libraries)/libcommslice-emulate.so" | hash_of >"$work/$1.id"
}
for side in old new; do
    find_build $side "$1"
    make_wrappers $side
    shift
done
if [ -n "$cache" ]; then
    [ -f "$SAME_CACHE/of" ] || cp "$work/old.id" "$SAME_CACHE/of"
    cmp -s "$work/old.id" "$SAME_CACHE/of" || die "$cache holds results of another build than OLD: take another folder"
fi

# shellcheck disable=SC2254  # a pattern on purpose
matching() { case $1 in $pattern) true ;; *) false ;; esac; }  # NAME
cases() {  # NAME KIND ARGUMENTS, a line each; the long ones first
    for class in W S; do
        for p in ${SAME_NPB:+sp bt lu ft mg cg is ep}; do matching "$p.$class" && echo "npb-$p.$class npb $p $class"; done
    done
    [ -z "$SAME_SWEEP" ] || ! matching sweep3d || echo "sweep3d sweep3d"
    find "$SAME_PROGRAMS" -type f ! -path '*/opaque/*' | LC_ALL=C sort | while IFS= read -r file; do
        name=$(basename "${file%.*}")
        if ! matching "$name" || [ -z "$(header "$file" commslice-test)" ]; then continue; fi
        for level in $levels; do echo "$name-O$level program $file $level"; done
    done
}
cases >"$work/list"
[ -s "$work/list" ] || die "no program matches $pattern"
tr '\n' '\0' <"$work/list" | xargs -0 -n 1 -P "$jobs" "$self" --one
differ=0 all=0
for result in "$work"/cases/*/result; do all=$((all + 1)); [ ! -s "$result" ] || differ=$((differ + 1)); done
[ "$all" = "$(wc -l <"$work/list")" ] || die "only $all of $(wc -l <"$work/list") programs were compared"
echo "$((all - differ)) same, $differ differ"
[ $differ = 0 ]

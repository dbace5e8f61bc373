# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For the benches that have SimGrid play, which source it behind counted.sh: the cluster, and originals that run under SMPI, compiled by smpicc and
# smpiff as PROGRAM.m or PROGRAM.CLASS.m.

# A platform for SimGrid, of so many hosts with links of 1 GB/s and 1 us.
platform() { # HOSTS
    [ -s "cluster.$1.xml" ] || cat >"cluster.$1.xml" <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<cluster id="c" prefix="n" suffix="" radical="0-$(($1 - 1))" speed="1Gf" bw="1GBps" lat="1us"/></zone></platform>
END
    echo "cluster.$1.xml"
}

# In MPI_Alltoallv, ranks take turns, as they do in MPI libraries: SimGrid takes hours for 256 that all exchange at once.
make_smpirun() {
    COMMSLICE_SMPIRUN=$work/smpirun
    printf '#!/bin/sh\nexec smpirun "$@" --cfg=smpi/alltoallv:ring\n' >"$COMMSLICE_SMPIRUN"
    chmod +x "$COMMSLICE_SMPIRUN"
    export COMMSLICE_SMPIRUN
}

# What originals are linked with, the clock that is preloaded, and the program that says what a piece costs.
make_smpi() {
    make_smpirun
    smpicc -O2 -c -o pauses.o "$top/bench/smpi-pauses.c" >smpi.log 2>&1 && $CC -O2 -fPIC -shared -o clock.so "$top/bench/smpi-clock.c" >>smpi.log 2>&1 &&
        smpicc -O2 -o ring.m "$top/bench/smpi-ring.c" >>smpi.log 2>&1 || die "smpicc does not compile: $(tail -n 1 smpi.log)"
    pauses="$work/pauses.o -Wl,--wrap=MPI_Cart_create,--wrap=mpi_comm_dup_"
}

# smpi RANKS COST SPEED LOG WORD...: under SMPI on hosts of 1 Gflop/s, where one second here is so many flops; all pieces count.
smpi() {
    on=$work/$(cd "$work" && platform "$1") ranks=$1 cost=$2 speed=$3 log=$4
    shift 4
    # shellcheck disable=SC2086  # words on purpose
    COST=$cost LD_PRELOAD=$work/clock.so $alone taskset -c "$cpu" "$COMMSLICE_SMPIRUN" -np "$ranks" -platform "$on" --cfg=smpi/host-speed:"$speed" \
        --cfg=smpi/display-timing:yes --cfg=smpi/cpu-threshold:0 "$@" >"$log" 2>&1 </dev/null
}
computation_of() { sed -n 's/^\([0-9.e-]*\) seconds were actual computation.*/\1/p' "$1"; }

# ns that a piece takes that has nothing in it.
cost_of() { # RANKS ROUND
    to=$work/cost.$1.$2
    [ -s "$to" ] || { smpi "$1" 0 1Gf "$to.log" "$work/ring.m" && calc %.0f "1e9 * $(computation_of "$to.log") / (301 * $1)" >"$to"; } || return 1
    cat "$to"
}

simulated_npb() { # PROGRAM CLASS
    [ -d npb.smpi ] || { cp -r "$npb" npb.smpi && chmod -R u+w npb.smpi && mkdir -p npb.smpi/bin &&
        sed 's/commslice-mpifort/smpiff -fallow-invalid-boz -fallow-argument-mismatch/; s/commslice-mpicc/smpicc/; s/ -mcmodel=medium//' \
            "$top/npb-patches/3.4/make.def" >npb.smpi/config/make.def; } || return 1
    find npb.smpi -name '*.o' -exec rm -f {} +
    make -C "npb.smpi/$(echo "$1" | tr '[:lower:]' '[:upper:]')" CLASS="$2" ASSUME="$pauses" && mv "npb.smpi/bin/$1.$2.x" "$1.$2.m"
}

simulated_sweep3d() {
    rm -rf sweep3d.smpi && cp -r "$sweep" sweep3d.smpi && sed -i "s/maxtasks=[0-9]*/maxtasks=512/" sweep3d.smpi/msg_stuff.h &&
        make -C sweep3d.smpi -f makefile -f "$top/npb-patches/sweep3d/make.def" mpi FC=smpiff CC=smpicc ASSUME="$pauses" && mv sweep3d.smpi/sweep3d.mpi sweep3d.m
}

build_simulated() { # PROGRAM CLASS
    place_of m "$1" "$2.1"
    [ ! -x "$name" ] || return 0
    # shellcheck disable=SC2086  # words on purpose
    case $1 in
        heat) smpicc -O2 -g -o heat.m "$top/demo/heat.c" $pauses -lm ;;
        sweep3d) simulated_sweep3d ;;
        bt | lu | sp) simulated_npb "$1" B ;;
        *) simulated_npb "$1" "$2" ;;
    esac >"$name.log" 2>&1 </dev/null
}

# What the original takes there: SECONDS and those of all ranks' computation.
simulate() { # PROGRAM CLASS.RANKS ROUND SPEED
    place_of m "$1" "$2"
    to=$PWD/$1.$2.$3.simulated
    [ -s "$to" ] || { c=$(cost_of "${2#*.}" "$3") && (cd "$at" && smpi "${2#*.}" "$c" "$4" "$to.log" "../$name" $input); } || return 1
    echo "$(sed -n 's/.*Simulated time: \([0-9.e-]*\) seconds.*/\1/p' "$to.log") $(calc %.9g "$(computation_of "$to.log") * $4 / 1e9")" >"$to"
}

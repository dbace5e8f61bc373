# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For the benches that take the clock, which source it behind common.sh: this machine, with most of its processors' time; the same with a quota of
# that, or with a link between the ranks. As root, for control groups (version 1) and network namespaces.

# Seconds from the end of MPI_Init to the beginning of MPI_Finalize, a line a rank, into the file $SPAN; nothing where it is not set. MPI_Init ends
# with a barrier, as a recorded one does: else the first rank's time has in it what the last one is still starting, 0.1 s with more ranks than processors.
# With STAY, MPI_Finalize is a barrier: MPICH 4.0 on UCX's TCP stays in it now and then, one rank waiting for the process manager, and another for
# its connection to that one to be flushed, which nobody serves any more. All is measured by then; mpiexec may complain.
make_clock() {
    cat >"$work/span.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double begin;
static int begins(int rc)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    return rc;
}
int MPI_Init(int *argc, char ***argv) { return begins(PMPI_Init(argc, argv)); }
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) { return begins(PMPI_Init_thread(argc, argv, required, provided)); }
int MPI_Finalize(void)
{
    double took = MPI_Wtime() - begin;
    FILE *f = getenv("SPAN") ? fopen(getenv("SPAN"), "a") : NULL;
    if (f) {
        fprintf(f, "%.6f\n", took);
        fclose(f);
    }
    return getenv("STAY") ? PMPI_Barrier(MPI_COMM_WORLD) : PMPI_Finalize();
}
END
    $MPICC -O2 -fPIC -shared -o "$work/span.so" "$work/span.c" || die "cannot compile the clock"
}

group='' net='' slice=/proc/sys/kernel/sched_cfs_bandwidth_slice_us was=''

# A control group to which other programs leave the processors; with PERCENT, it has so much of them. Periods of 40 ms: many for a short run, and long
# against the kernel's tick, at which processors are stopped. Meanwhile the kernel hands out quotas in slices of 1 ms: in those of 5 ms, its default,
# ranks are stopped in turn and not together.
make_group() { # RANKS [PERCENT]
    group=/sys/fs/cgroup/cpu/commslice.$$
    mkdir "$group" && echo 100000 >"$group/cpu.shares" || die "no control group $group"
    [ -n "${2:-}" ] || return 0
    processors=$(nproc)
    [ "$processors" -lt "$1" ] || processors=$1
    was=$(cat "$slice") && echo 1000 >"$slice" || die "cannot set $slice"
    echo 40000 >"$group/cpu.cfs_period_us" && echo $((40000 * processors * $2 / 100)) >"$group/cpu.cfs_quota_us" || die "no quota"
}

# Two network namespaces with a link of this rate, as tc has it.
make_link() { # RATE
    net=commslice.$$
    for i in 0 1; do ip netns add "$net.$i" && ip -n "$net.$i" link set lo up || die "no network namespace"; done
    ip link add cs0 netns "$net.0" type veth peer name cs0 netns "$net.1" || die "no link"
    for i in 0 1; do
        ip -n "$net.$i" addr add "10.77.0.$((i + 1))/24" dev cs0 && ip -n "$net.$i" link set cs0 up &&
            ip netns exec "$net.$i" tc qdisc add dev cs0 root tbf rate "$1" burst 256kb latency 50ms || die "no link of rate $1"
    done
    for i in 0 1; do
        until ip -n "$net.$i" link show cs0 | grep -q 'state UP'; do sleep 0.2; done
    done
    sleep 2                     # UCX does not see the link at once
}

undo_machine() {
    [ -z "$group" ] || rmdir "$group" 2>/dev/null
    [ -z "$was" ] || echo "$was" >"$slice"
    if [ -n "$net" ]; then ip netns del "$net.0" 2>/dev/null; ip netns del "$net.1" 2>/dev/null; fi
    group='' was='' net=''
}

# A command in the control group, if there is one.
in_group() {
    [ -n "$group" ] || { "$@"; return; }
    # shellcheck disable=SC2016  # of the inner shell
    sh -c 'echo $$ >"$0/tasks" && exec "$@"' "$group" "$@"
}

# What runs two ranks across the link: a word for mpiexec -n 2.
make_link_mpiexec() {
    cat >"$work/link-mpiexec" <<END
#!/bin/sh
# mpiexec -n 2 PROGRAM...
shift 2
set -- env STAY=1 UCX_TLS=tcp,self UCX_NET_DEVICES=cs0 MPIR_CVAR_NOLOCAL=1 "\$@"
exec $MPIEXEC -n 1 ip netns exec $net.0 "\$@" : -n 1 ip netns exec $net.1 "\$@"
END
    chmod +x "$work/link-mpiexec"
}

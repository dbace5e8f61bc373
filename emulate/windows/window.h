/* SPDX-License-Identifier: BSD-3-Clause
 * Windows of one-sided communication as the files of this folder share them: what a handle stands for, who may reach
 * whom by now, and moving data. The rank that makes a call moves the data itself, at once: memory of a window that its
 * ranks share is at the same address in all of them, and the kernel copies to and from any other. */
#ifndef CS_EMU_WINDOW_H
#define CS_EMU_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

struct cs_emu_comm;
struct cs_emu_group;
struct cs_emu_attr;
struct cs_emu_req;
struct cs_emu_lock_wait;

/* A rank's part of a window; the rank itself writes it, while the window is made. */
struct cs_emu_win_part {
    char *base;
    int64_t size;
    int64_t disp_unit;
    int32_t pid;
    int32_t holders; /* of its lock: how many share it; -1: one has it alone */
};

/* What all ranks of a window share. In shared memory. The fields of locks change under `lock`. */
struct cs_emu_win_shared {
    _Atomic int32_t users;
    _Atomic uint32_t lock;
    int32_t all_holders, exclusive;                  /* ranks that hold all locks; locks that one has alone */
    struct cs_emu_lock_wait *first_wait, *last_wait; /* who waits for a lock, in the order of asking */
    char *memory;                                    /* of MPI_Win_allocate_shared; otherwise NULL */
    int64_t bytes;                                   /* of `memory` */
    struct cs_emu_win_part part[];
};

/* Which epoch of access a rank is in. */
enum cs_emu_epoch { CS_EMU_NO_EPOCH, CS_EMU_FENCED, CS_EMU_STARTED, CS_EMU_LOCKED, CS_EMU_LOCKED_ALL };

/* A lock that the rank has, of one target; `held` is 0 where it was not to be checked. */
struct cs_emu_held_lock {
    int target, held;
};

/* A window as one of its ranks has it. */
struct cs_emu_win {
    MPI_Win handle;
    struct cs_emu_comm *comm; /* its own duplicate */
    struct cs_emu_win_shared *shared;
    char *own_memory; /* of MPI_Win_allocate; otherwise NULL */
    int flavor, model;
    MPI_Aint size; /* where attributes point to, as are the next three */
    int disp_unit; /* of a larger one its lower bits, as the attribute is an int */
    enum cs_emu_epoch epoch;
    struct cs_emu_group *started; /* of CS_EMU_STARTED */
    struct cs_emu_held_lock *locks;
    size_t nlocks, locks_cap;
    int holds_all;                /* of CS_EMU_LOCKED_ALL: the locks are really held */
    struct cs_emu_group *exposed; /* to whom, between MPI_Win_post and MPI_Win_wait; NULL: to nobody */
    struct cs_emu_req *ends;      /* what each of these will say in the end */
    MPI_Errhandler errhandler;    /* MPI_ERRHANDLER_NULL: none was set, so MPI_COMM_WORLD's, as with MPICH */
    MPI_Info info;
    char *name; /* NULL: unnamed */
    struct cs_emu_attr *attrs;
};

/* Elements in the memory of a target. */
struct cs_emu_there {
    struct cs_emu_win *win;
    int target;
    int64_t disp, count;
    MPI_Datatype type;
};

/* ---- window_object.c ---- */
/* NULL if the handle is no window. */
struct cs_emu_win *cs_emu_win_of(MPI_Win handle);
/* Hands the error class to the handler of the window, or of MPI_COMM_WORLD for NULL; returns the code. MPI_SUCCESS
 * stays what it is. */
int cs_emu_win_done(struct cs_emu_win *w, int class, const char *call);
/* All ranks of the window have come here. */
void cs_emu_win_meet(struct cs_emu_win *w, const char *call);

/* ---- window_info.c ---- */
/* Takes those hints that are known. Error class. */
int cs_emu_win_take_hints(struct cs_emu_win *w, MPI_Info info);

/* ---- window_epochs.c ---- */
/* May the rank reach this target by now? Error class. */
int cs_emu_win_may_reach(const struct cs_emu_win *w, int target);
/* No epoch is open on this rank. */
bool cs_emu_win_is_idle(const struct cs_emu_win *w);

/* ---- window_locks.c ---- */
/* Does the rank have a lock of this target, of its own? */
bool cs_emu_win_has_lock(const struct cs_emu_win *w, int target);

/* ---- window_memory.c ---- */
/* Packs the elements there to `packed`, or unpacks them from there. Error class. */
int cs_emu_win_read(const struct cs_emu_there *t, char *packed);
int cs_emu_win_write(const struct cs_emu_there *t, char *packed);

#endif

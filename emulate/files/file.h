/* SPDX-License-Identifier: BSD-3-Clause
 * Files of MPI-IO as the files of this folder share them: what a handle stands for, its view, and moving data.
 * A file is one of the operating system's; all ranks are on one machine, so what one has written the others see. */
#ifndef CS_EMU_FILE_H
#define CS_EMU_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

struct cs_emu_comm;

/* A run of bytes of the filetype: `at` in one tile, and how many bytes of data are before it. */
struct cs_emu_file_run {
    int64_t at, bytes, before;
};

/* What a rank sees of a file: from byte `disp` on one tile of the filetype after the other, `extent` bytes each, in
 * which the runs are its data, `size` bytes. A view without gaps has no runs. */
struct cs_emu_view {
    int64_t disp, size, extent, etype_size;
    MPI_Datatype etype, filetype;
    struct cs_emu_file_run *run;
    int64_t nruns;
};

/* What all who have opened a file together share. In shared memory. */
struct cs_emu_file_shared {
    _Atomic int64_t position; /* the shared file pointer, in etypes */
    _Atomic uint32_t lock;    /* of accesses in atomic mode */
    _Atomic int32_t users;
};

/* An open file of one rank; MPI_File points to one. */
struct cs_emu_file {
    struct cs_emu_file *next; /* of all that this rank has open */
    MPI_Fint number;          /* in Fortran; 0: not asked for yet */
    int fd, amode;
    char *name;
    struct cs_emu_comm *comm; /* its own duplicate */
    struct cs_emu_file_shared *shared;
    MPI_Errhandler errhandler;
    MPI_Info info;
    struct cs_emu_view view;
    int64_t position; /* the individual file pointer, in etypes */
    bool atomic;
    const char *split;   /* the split collective call that has begun; NULL: none */
    int64_t split_bytes; /* what it has moved */
};

/* Where a call reads or writes. */
enum cs_emu_where { CS_EMU_AT, CS_EMU_INDIVIDUAL, CS_EMU_SHARED, CS_EMU_ORDERED };

/* A call that moves data. */
struct cs_emu_access {
    const char *call;
    struct cs_emu_file *file;
    bool writes, collective;
    enum cs_emu_where where;
    int64_t offset; /* CS_EMU_AT: in etypes */
    void *buf;
    int64_t count;
    MPI_Datatype type;
    int64_t moved; /* the result: bytes */
};

/* ---- file_object.c ---- */
/* NULL if it is none that is open. */
struct cs_emu_file *cs_emu_file_of(MPI_File f);
/* Hands the error class to the handler of the file, or of MPI_FILE_NULL for NULL; returns the code. */
int cs_emu_file_error(struct cs_emu_file *f, int class, const char *call);
/* The error class of errno. */
int cs_emu_file_errno(void);
/* Of MPI_FILE_NULL: what files get that are opened from now on. */
extern MPI_Errhandler cs_emu_file_errhandler;

/* ---- file_view.c ---- */
/* Error class. Both datatypes are held on to. */
int cs_emu_view_set(struct cs_emu_view *v, int64_t disp, MPI_Datatype etype, MPI_Datatype filetype, bool writable);
void cs_emu_view_clear(struct cs_emu_view *v);
/* Byte `at` of the data that the view shows: where it is in the file. *run: how many bytes from there lie together. */
int64_t cs_emu_view_place(const struct cs_emu_view *v, int64_t at, int64_t *run);
/* How many bytes of data the view shows up to this byte of the file, a tile or a run begun counting as far as it goes.
 */
int64_t cs_emu_view_data_before(const struct cs_emu_view *v, int64_t end);

/* ---- file_move.c ---- */
/* Checks the arguments, and reads or writes. Sets a->moved. Error class. */
int cs_emu_file_access(struct cs_emu_access *a);
/* All ranks of the file have come here. */
void cs_emu_file_meet(struct cs_emu_file *f, const char *call);

#endif

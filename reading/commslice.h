/* SPDX-License-Identifier: BSD-3-Clause
 * libcommslice: reads traces of commslice, recorded, merged and folded ones alike, for programs that compute with them.
 * Manual page: libcommslice(3). All functions start with cs_reader_; a program links with -lcommslice. */
#ifndef COMMSLICE_H
#define COMMSLICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open trace. One thread at a time uses a reader and its streams; several readers of one file may be open. */
struct cs_reader;

/* What a file is: events of each rank; one nest for all, without loops; the same with loops. */
enum cs_reader_form { CS_READER_RECORDED, CS_READER_MERGED, CS_READER_FOLDED };

/* Opens the trace at `path`, which stays as it is: what killed ranks left beside it is added by commslice info first.
 * NULL on error, with a one-line reason in why[0 .. whylen). */
struct cs_reader *cs_reader_open(const char *path, char *why, size_t whylen);
void cs_reader_close(struct cs_reader *r);

enum cs_reader_form cs_reader_form(const struct cs_reader *r);
/* Ranks of MPI_COMM_WORLD. */
int cs_reader_ranks(const struct cs_reader *r);
/* 1: events have times. Those of merged and folded traces are sums over a nest's nodes, and not given here. */
int cs_reader_has_times(const struct cs_reader *r);
/* Events of a rank; -1: there is no such rank. */
int64_t cs_reader_events(const struct cs_reader *r, int rank);
/* 1: the rank ended in MPI_Finalize; 0: its events end earlier, or are missing. */
int cs_reader_complete(const struct cs_reader *r, int rank);

/* What is known of the run, as text; NULL: not known. */
enum cs_reader_about {
    CS_READER_PROGRAM,     /* path of the executable */
    CS_READER_ARGUMENTS,   /* the command line */
    CS_READER_KIND,        /* "original" or "slice" */
    CS_READER_ENGINE,      /* "mpich" or "emulate" */
    CS_READER_ASSUMPTIONS, /* of the slice, one a line */
    CS_READER_VERSIONS,    /* of commslice and of the MPI library */
    CS_READER_UNRECORDED   /* calls that move data and are no events, one a line */
};
const char *cs_reader_about(const struct cs_reader *r, enum cs_reader_about what);

/* What a peer can be instead of a rank. */
enum { CS_READER_NOBODY = -1, CS_READER_UNKNOWN = -2, CS_READER_ANY = -3 };

/* An MPI call of a rank. Texts live until the reader is closed. */
struct cs_reader_event {
    const char *call;     /* its name */
    const char *file;     /* where the program makes it, as far as that is known; else NULL */
    const char *function; /* the same */
    int32_t line;         /* -1: not known */
    int32_t dest, source; /* ranks of MPI_COMM_WORLD, or CS_READER_*; CS_READER_NOBODY where the call has none */
    int32_t comm_size;    /* members of its communicator; 0: it has none */
    int64_t tag;          /* INT64_MIN: it has none */
    int64_t sent;         /* bytes: of messages that it sends or starts, or what a rank hands in to a collective */
    int64_t received;     /* bytes that it has room for */
    int64_t times;        /* how often it happens at this place of the stream: 1 where loops are unrolled */
    int64_t enter, leave; /* ns since the rank's MPI_Init; 0: no times */
};

/* Streams the events of a rank in their order. `unroll` 0: what a loop repeats comes once, with how often in `times`
 * (recorded traces; merged and folded ones are always unrolled), but not of a loop that makes persistent requests.
 * NULL: no such rank, or no memory. The reader must stay open. */
struct cs_reader_stream;
struct cs_reader_stream *cs_reader_stream_open(const struct cs_reader *r, int rank, int unroll);
/* 1: *e is the next event; 0: there is none; -1: the trace is damaged, or memory is out (cs_reader_stream_error). */
int cs_reader_stream_next(struct cs_reader_stream *s, struct cs_reader_event *e);
/* The next events as columns, as many as there are up to n: for interpreters, which call C less often so. Of the fields
 * of *columns those that are NULL are left out. What is returned is the number of events; 0: the end; -1: as above. */
struct cs_reader_columns {
    int32_t *call; /* numbers for cs_reader_call_name */
    int32_t *line, *dest, *source, *comm_size;
    int64_t *tag, *sent, *received, *times, *enter, *leave;
    const char **file; /* one pointer for each different name */
};
int64_t cs_reader_stream_columns(struct cs_reader_stream *s, const struct cs_reader_columns *columns, int64_t n);
const char *cs_reader_stream_error(const struct cs_reader_stream *s);
void cs_reader_stream_close(struct cs_reader_stream *s);
/* The name of an MPI call by its number in struct cs_reader_columns; NULL: there is none. */
const char *cs_reader_call_name(int call);

/* Who sends how much to whom, over the whole run: pairs with messages, by source, then destination. Loops are not
 * unrolled. */
struct cs_reader_pair {
    int32_t source, dest;
    uint64_t messages, bytes;
};
/* *pairs gets an array of *n pairs, to be freed by cs_reader_free; *unknown, if not NULL, how many messages go to
 * destinations that the trace does not tell. 0, or -1 and a reason. */
int cs_reader_matrix(const struct cs_reader *r, struct cs_reader_pair **pairs, size_t *n, uint64_t *unknown, char *why,
                     size_t whylen);

/* Calls by the place in the program that makes them, over all ranks: most calls first. */
struct cs_reader_site {
    const char *call, *file, *function;
    int32_t line;         /* -1: not known */
    int32_t ranks;        /* that make it */
    uint64_t calls, sent; /* bytes that it sends, or hands in to a collective */
    int64_t ns;           /* in the call, over all ranks; 0: no times */
};
/* *sites gets an array of *n sites, to be freed by cs_reader_free. 0, or -1 and a reason. */
int cs_reader_sites(const struct cs_reader *r, struct cs_reader_site **sites, size_t *n, char *why, size_t whylen);

/* The run as one loop nest for all ranks, in preorder: a loop stands in front of its body. */
struct cs_reader_node {
    int64_t count;                      /* iterations of a loop, at least 2; 0: a call */
    int32_t body;                       /* nodes of a loop's body, at all depths; 0: a call */
    int32_t ranks;                      /* of a call: that make it there */
    const char *call, *file, *function; /* of a call; of several places or classes: one of them */
    int32_t line;
};
/* *nodes gets the nest. A recorded trace is merged and folded for that, at the
 * first time, for which all ranks must be complete. 0, or -1 and a reason. */
int cs_reader_nest(struct cs_reader *r, struct cs_reader_node **nodes, size_t *n, char *why, size_t whylen);
/* of_rank[0 .. cs_reader_ranks) gets the class of each rank, from 0: ranks of one class make the same calls but for
 * peers, and other values that follow a rule. The number of classes, or -1 and a reason. Merges as above. */
int cs_reader_classes(struct cs_reader *r, int32_t *of_rank, char *why, size_t whylen);

/* Frees an array that one of the functions above has made. */
void cs_reader_free(void *array);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Names for the numbers of a Paraver trace; prv_labels.h. */
#include "cli/export/prv_labels.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "api/mpi_calls.h"
#include "base/grow.h"
#include "cli/show/readable.h"

/* A place in the source, by "LINE (FILE, FUNCTION)", and its value. */
struct place {
    char *text;
    int value;
    UT_hash_handle hh;
};

/* The places of a rank's sites, -1: not asked for yet. */
struct sites {
    int *place, n, cap;
};

/* What was seen of calls and places, and by rank which place a site is. */
struct cs_prv_labels {
    bool *called; /* by index in the MPI table */
    struct place *places;
    struct sites *rank;
    int nranks;
};

/* Extrae's states, of which only these occur. */
static const struct {
    int number;
    const char *name, *color;
} states[] = {{0, "Idle", "{117,195,255}"},
              {1, "Running", "{0,0,255}"},
              {3, "Waiting a message", "{255,0,0}"},
              {4, "Blocking Send", "{255,0,174}"},
              {5, "Synchronization", "{179,0,0}"},
              {6, "Test/Probe", "{0,255,0}"},
              {8, "Wait/WaitAll", "{235,0,0}"},
              {10, "Immediate Send", "{255,0,96}"},
              {11, "Immediate Receive", "{169,43,41}"},
              {12, "I/O", "{194,165,110}"},
              {13, "Group Communication", "{255,144,26}"},
              {15, "Others", "{50,200,50}"},
              {16, "Send Receive", "{189,168,100}"}};

int cs_prv_state(int call)
{
    switch (cs_mpi_call(call)->kind) {
    case CS_MPI_SEND: return 4;
    case CS_MPI_RECV: return 3;
    case CS_MPI_ISEND: return 10;
    case CS_MPI_IRECV: return 11;
    case CS_MPI_SENDRECV: return 16;
    case CS_MPI_WAIT:
    case CS_MPI_WAIT_SOME: return 8;
    case CS_MPI_TEST:
    case CS_MPI_PROBE:
    case CS_MPI_IPROBE: return 6;
    case CS_MPI_COLL: return 13;
    case CS_MPI_BARRIER: return 5;
    case CS_MPI_IO: return 12;
    default: return 15;
    }
}

int cs_prv_type(int call)
{
    switch (cs_mpi_call(call)->kind) {
    case CS_MPI_SEND:
    case CS_MPI_RECV:
    case CS_MPI_ISEND:
    case CS_MPI_IRECV:
    case CS_MPI_SEND_INIT:
    case CS_MPI_RECV_INIT:
    case CS_MPI_START:
    case CS_MPI_SENDRECV:
    case CS_MPI_WAIT:
    case CS_MPI_WAIT_SOME:
    case CS_MPI_TEST:
    case CS_MPI_PROBE:
    case CS_MPI_IPROBE: return CS_PRV_POINT;
    case CS_MPI_COLL:
    case CS_MPI_BARRIER: return CS_PRV_COLLECTIVE;
    default: return CS_PRV_OTHER;
    }
}

struct cs_prv_labels *cs_prv_labels_new(const struct cs_export *x)
{
    struct cs_prv_labels *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->nranks = cs_trace_info(x->view.t)->nranks;
    l->called = calloc((size_t)cs_mpi_ncalls(), sizeof *l->called);
    l->rank = calloc((size_t)l->nranks, sizeof *l->rank);
    if (l->called && l->rank)
        return l;
    cs_prv_labels_free(l);
    return NULL;
}

int cs_prv_call(struct cs_prv_labels *l, int call)
{
    l->called[call] = true;
    return call + 1;
}

/* The value of the place with that text; -1: no memory. */
static int value_of(struct cs_prv_labels *l, const char *text)
{
    struct place *p;
    HASH_FIND_STR(l->places, text, p);
    if (p)
        return p->value;
    if (!(p = calloc(1, sizeof *p)) || !(p->text = strdup(text))) {
        free(p);
        return -1;
    }
    p->value = (int)HASH_COUNT(l->places) + 1;
    HASH_ADD_KEYPTR(hh, l->places, p->text, strlen(p->text), p);
    return p->value;
}

int cs_prv_place(struct cs_prv_labels *l, const struct cs_export *x, int site)
{
    struct sites *s = &l->rank[x->view.rank];
    if (site < 0)
        return 0;
    if (!CS_MAKE_ROOM_FOR(s->place, site + 1, s->cap))
        return -1;
    while (s->n <= site)
        s->place[s->n++] = -1;
    if (s->place[site] >= 0)
        return s->place[site];
    struct cs_source_location p = cs_locations_find(x->view.places, cs_trace_site(x->view.t, x->view.rank, site));
    const char *base = p.file ? strrchr(p.file, '/') : NULL;
    char text[400];
    if (!p.file)
        return s->place[site] = 0;
    if (p.line >= 0)
        snprintf(text, sizeof text, "%d (%s, %s)", p.line, base ? base + 1 : p.file, p.func ? p.func : "?");
    else
        snprintf(text, sizeof text, "%s (%s)", p.func ? p.func : "?", base ? base + 1 : p.file);
    text[strcspn(text, "\r\n")] = 0;
    return s->place[site] = value_of(l, text);
}

/* ---- files ---- */

static void put_calls(const struct cs_prv_labels *l, FILE *out, int type, const char *name)
{
    fprintf(out, "EVENT_TYPE\n9 %d %s\nVALUES\n0 End\n", type, name);
    for (int c = 0; c < cs_mpi_ncalls(); c++)
        if (l->called[c] && cs_prv_type(c) == type)
            fprintf(out, "%d %s\n", c + 1, cs_mpi_call(c)->name);
    fputs("\n\n", out);
}

void cs_prv_put_pcf(const struct cs_prv_labels *l, FILE *out, const struct cs_export *x)
{
    fputs(CS_PCF_BEGINS, out);
    if (!cs_trace_info(x->view.t)->with_times)
        fputs("# The run has no times: a nanosecond stands for a call.\n", out);
    fputs("DEFAULT_OPTIONS\n\nLEVEL THREAD\nUNITS NANOSEC\nLOOK_BACK 100\nSPEED 1\nFLAG_ICONS ENABLED\n"
          "NUM_OF_STATE_COLORS 1000\nYMAX_SCALE 37\n\n\nDEFAULT_SEMANTIC\n\nTHREAD_FUNC State As Is\n\n\nSTATES\n",
          out);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        fprintf(out, "%d %s\n", states[i].number, states[i].name);
    fputs("\n\nSTATES_COLOR\n", out);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        fprintf(out, "%d %s\n", states[i].number, states[i].color);
    fputs("\n\n", out);
    put_calls(l, out, CS_PRV_POINT, "MPI Point-to-point");
    put_calls(l, out, CS_PRV_COLLECTIVE, "MPI Collective Comm");
    put_calls(l, out, CS_PRV_OTHER, "MPI Other");
    fprintf(out,
            "EVENT_TYPE\n1 %d Send Size in MPI Global OP\n1 %d Recv Size in MPI Global OP\n1 %d Root in MPI Global "
            "OP\n1 %d Communicator in MPI Global OP\n\n\nEVENT_TYPE\n0 %d Caller line at level 1\nVALUES\n0 End\n",
            CS_PRV_SENT, CS_PRV_RECEIVED, CS_PRV_ROOT, CS_PRV_COMM, CS_PRV_LINE);
    for (const struct place *p = l->places; p; p = p->hh.next)
        fprintf(out, "%d %s\n", p->value, p->text);
    fputs("\n\n", out);
}

void cs_prv_put_row(FILE *out, int nranks)
{
    static const char *const levels[] = {"TASK", "THREAD", "CPU"};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        fprintf(out, "LEVEL %s SIZE %d\n", levels[k], nranks);
        for (int r = 0; r < nranks; r++)
            fprintf(out, "rank %d\n", r);
        putc('\n', out);
    }
}

void cs_prv_labels_free(struct cs_prv_labels *l)
{
    struct place *p, *next;
    if (!l)
        return;
    HASH_ITER (hh, l->places, p, next) {
        HASH_DEL(l->places, p);
        free(p->text);
        free(p);
    }
    for (int i = 0; l->rank && i < l->nranks; i++)
        free(l->rank[i].place);
    free(l->rank);
    free(l->called);
    free(l);
}

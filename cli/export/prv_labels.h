/* SPDX-License-Identifier: BSD-3-Clause
 * What the numbers in a Paraver trace mean: the files OUT.pcf, of states, events and their values, and OUT.row, of
 * rows. Numbers of states and types of events are those of Extrae, so that Paraver's configurations fit; values that
 * stand for MPI calls are not, their names are in OUT.pcf. */
#ifndef CS_PRV_LABELS_H
#define CS_PRV_LABELS_H

#include "cli/export/export.h"

/* Types of events. The first three have the MPI call as value, 0 at its end. */
enum {
    CS_PRV_POINT = 50000001,
    CS_PRV_COLLECTIVE = 50000002,
    CS_PRV_OTHER = 50000003,
    CS_PRV_SENT = 50100001,     /* bytes that the rank hands in to a collective */
    CS_PRV_RECEIVED = 50100002, /* and has room for */
    CS_PRV_ROOT = 50100003,     /* is the rank the root? */
    CS_PRV_COMM = 50100004,
    CS_PRV_LINE = 80000001
};

/* The calls and places that a trace has, by the values that they get. */
struct cs_prv_labels;

/* NULL: no memory. */
struct cs_prv_labels *cs_prv_labels_new(const struct cs_export *x);
/* The state of a rank in that call. */
int cs_prv_state(int call);
/* The type of its event. */
int cs_prv_type(int call);
/* The value that stands for the call; from then on it has a label. */
int cs_prv_call(struct cs_prv_labels *l, int call);
/* The value that stands for the call's place in the source: 0: it is not known; -1: no memory. */
int cs_prv_place(struct cs_prv_labels *l, const struct cs_export *x, int site);
/* Write OUT.pcf, and OUT.row. */
void cs_prv_put_pcf(const struct cs_prv_labels *l, FILE *out, const struct cs_export *x);
void cs_prv_put_row(FILE *out, int nranks);
void cs_prv_labels_free(struct cs_prv_labels *l);

/* What both begin with. */
#define CS_PCF_BEGINS "# commslice export\n"
#define CS_ROW_BEGINS "LEVEL TASK SIZE "

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * What the slicer advises. It is in a program of its own, commslice-advise, which gets the stored program and prints
 * facts, one a line (advise/commslice-advise.c). */
#ifndef CS_ADVICE_H
#define CS_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

/* One line `assume`; the texts are its own. */
struct cs_advised {
    char *text, *file, *func, *way, *call, *call_file;
    int line, call_line;
};

/* One suggestion: what is kept under its assumptions, n of them in an array of their own. */
struct cs_suggestion {
    int kept, sites, contents, n;
    bool untried; /* `kept` is an estimate */
    struct cs_advised *a;
    size_t cap;
};

/* The answer of the helper: what the slice keeps now, and its n suggestions, in an array of their own. */
struct cs_advice {
    int kept, total, sites, contents;
    bool kept_all; /* pointers could not be followed within the budget */
    int cut_after; /* so many slices, at which the search ended for its time; 0: it came to its end */
    char *error;   /* why there is no answer; NULL: there is one, or it is not known */
    struct cs_suggestion *s;
    size_t n, cap;
};

/* Asks of a slice. `argv` is what the program is told behind its first two arguments, which this fills in: ended by
 * NULL, freed here with its strings; NULL: there was no memory for it. `seconds`: processor time that it may spend. 0,
 * or an exit code after a message. */
int cs_advice_ask(const char *slice, char **argv, char *seconds, struct cs_advice *a);
void cs_advice_free(struct cs_advice *a);

#endif

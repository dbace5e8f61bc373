/* SPDX-License-Identifier: BSD-3-Clause
 * The steps of the chains of reasons that a slice holds (docs/reference/slice-info.md). */
#ifndef CS_WHY_CHAIN_H
#define CS_WHY_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/show/slice_graph.h"
#include "cli/show/slice_info.h"

/* What a slice says of a step: what is written is what is read; elements of arrays are not told apart; it seems never
 * to be so; others write it too, and may have overwritten it. */
enum { CS_WHY_MAY_NOT, CS_WHY_MAY, CS_WHY_MAY_NEVER, CS_WHY_MAY_BE_OVERWRITTEN, CS_WHY_MAY_WRITE };

/* One step: a statement, or that the message of a call is transmitted. st NULL: behind the end. */
struct cs_why_step {
    const struct cs_slice_stmt *st;
    int id; /* of the statement, or of a step of its own */
    enum cs_reason_kind kind;
    const char *kind_name;
    int parent;
    bool message;
    const struct cs_slice_by *by; /* NULL: nothing is said */
    const char *file;             /* where the user finds it: of what is put in line from a library, the call */
    int line;
    bool library; /* it is a library's, and nobody knows where it is called */
};

/* The first step of a statement's chain (NULL: behind the end), and the next one. A chain has no more than
 * cs_why_most() steps, or it goes in a circle. */
struct cs_why_step cs_why_first(const struct cs_slice_info *s, const struct cs_slice_stmt *st);
struct cs_why_step cs_why_next(const struct cs_slice_info *s, const struct cs_why_step *at);
size_t cs_why_most(const struct cs_slice_info *s);
/* Prints where the step is, its function and its source line; with `statements` what the compiler sees. */
void cs_why_put_step(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_step *at,
                     bool statements);
/* Does the step only say which value a variable has where ways meet? For people it belongs to the step before it. */
bool cs_why_is_merge(const struct cs_why_step *at);
/* What is shown as one: steps in one place, and the merges behind them. */
struct cs_why_group {
    struct cs_why_step shown, last; /* the first and the last one */
    struct cs_why_step merge;       /* the first of the merges, st NULL: there is none */
    struct cs_why_step before;      /* the one before the merges */
    bool doubtful;                  /* one before the last need not lead to the next one */
};
/* Does the group hand a value without a name to another line, as an index that GCC computes once for both? */
bool cs_why_is_reuse(const struct cs_why_group *group, const struct cs_why_step *to);
/* Does the line assign something, and the group hand on another value, as the next index that GCC computes there? */
enum cs_why_aside { CS_WHY_OWN, CS_WHY_PERHAPS_ASIDE, CS_WHY_IS_ASIDE };
enum cs_why_aside cs_why_aside(struct cs_sources *lines, const struct cs_why_group *group);
/* Does it hand on the value that a variable has where ways meet, in a line that does not name it? */
bool cs_why_is_unseen(struct cs_sources *lines, const struct cs_why_group *group);
/* The step that uses the variable that the group writes or makes: behind `to`, its next one, if that only reads it for
 * a line that names it, too, as GCC reads once for both, or computes something of it in a line that does not name it;
 * else `to`. */
struct cs_why_step cs_why_reader(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_group *g,
                                 const struct cs_why_step *to);
/* The steps from `at` on that are shown as one; with `statements` each by itself. */
struct cs_why_group cs_why_group(const struct cs_slice_info *s, struct cs_sources *lines, struct cs_why_step at,
                                 bool statements);
/* Writes to buf, of n bytes, " at FILE:LINE" of the call that passes it; "": there is none. */
void cs_why_place_of_call(const struct cs_slice_info *s, const struct cs_why_step *at, char *buf, size_t n);
/* The name of the statement's function, or NULL. */
const char *cs_why_function(const struct cs_slice_info *s, const struct cs_slice_stmt *st);

#endif

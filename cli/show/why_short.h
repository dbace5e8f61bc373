/* SPDX-License-Identifier: BSD-3-Clause
 * What a chain of reasons says in short, and which of its steps need not be so (why_chain.h). */
#ifndef CS_WHY_SHORT_H
#define CS_WHY_SHORT_H

#include "cli/show/why_chain.h"

/* What makes a step one that need not be so in a run. */
enum cs_why_doubt {
    CS_WHY_SURE,
    CS_WHY_PART,  /* elements of memory are not told apart, nor whether it is overwritten before */
    CS_WHY_MIXED, /* it is one of several pieces of memory, messages or operations that are not told apart */
    CS_WHY_FILES, /* so are files and streams, and when they are written and read */
    CS_WHY_IDLE   /* it seems never to be so */
};
enum cs_why_doubt cs_why_doubt(const struct cs_slice_info *s, const struct cs_why_step *at,
                               const struct cs_why_step *to);
/* Does the step write a variable that the compiler has made? */
bool cs_why_is_temporary(const struct cs_why_step *at);
/* Does the step change what a library holds? */
bool cs_why_is_state(const struct cs_why_step *at);
/* Do both write the same variable, and surely, or both what a library holds? Then what is between them says little. */
bool cs_why_goes_on(const struct cs_slice_info *s, const struct cs_why_step *at, const struct cs_why_step *next);
/* Writes to buf, of n bytes, in one sentence what a chain of some steps is about. False: it has few, or no end. */
bool cs_why_in_short(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_slice_stmt *st, char *buf,
                     size_t n);

#endif

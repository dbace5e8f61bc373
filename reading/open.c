/* SPDX-License-Identifier: BSD-3-Clause
 * libcommslice: opening a trace of any form, and what is known of the run; see commslice.h. */
#include <stdio.h>
#include <stdlib.h>

#include "reading/reader.h"
#include "trace/merge/merge.h"

struct cs_reader *cs_reader_open(const char *path, char *why, size_t whylen)
{
    struct cs_reader *r = calloc(1, sizeof *r);
    if (r)
        r->places = cs_locations_new();
    if (!r || !r->places) {
        snprintf(why, whylen, "not enough memory");
        cs_reader_close(r);
        return NULL;
    }
    if (cs_merged_is(path))
        r->m = cs_merged_open(path, why, whylen);
    else
        r->t = cs_trace_open(path, why, whylen);
    if (!r->t && !r->m) {
        cs_reader_close(r);
        return NULL;
    }
    return r;
}

void cs_reader_close(struct cs_reader *r)
{
    if (!r)
        return;
    cs_trace_free(r->t);
    cs_merged_free(r->m);
    cs_merged_free(r->made);
    cs_locations_free(r->places);
    free(r);
}

enum cs_reader_form cs_reader_form(const struct cs_reader *r)
{
    return r->t ? CS_READER_RECORDED : r->m->folded ? CS_READER_FOLDED : CS_READER_MERGED;
}

const struct cs_run_info *cs_reader_info(const struct cs_reader *r)
{
    return r->t ? cs_trace_info(r->t) : &r->m->info;
}

int cs_reader_ranks(const struct cs_reader *r)
{
    return cs_reader_info(r)->nranks;
}

int cs_reader_has_times(const struct cs_reader *r)
{
    return r->t && cs_trace_info(r->t)->with_times;
}

static bool is_rank(const struct cs_reader *r, int rank)
{
    return rank >= 0 && rank < cs_reader_ranks(r);
}

int64_t cs_reader_events(const struct cs_reader *r, int rank)
{
    if (!is_rank(r, rank))
        return -1;
    return r->t ? cs_trace_nevents(r->t, rank) : r->m->cls[r->m->class_of[rank]].nevents;
}

int cs_reader_complete(const struct cs_reader *r, int rank)
{
    return is_rank(r, rank) && (!r->t || cs_trace_rank_state(r->t, rank) == CS_RANK_COMPLETE);
}

const char *cs_reader_about(const struct cs_reader *r, enum cs_reader_about what)
{
    const struct cs_run_info *i = cs_reader_info(r);
    switch (what) {
    case CS_READER_PROGRAM: return i->program;
    case CS_READER_ARGUMENTS: return i->args;
    case CS_READER_KIND: return i->kind;
    case CS_READER_ENGINE: return i->engine;
    case CS_READER_ASSUMPTIONS: return i->assumptions;
    case CS_READER_VERSIONS: return i->versions;
    case CS_READER_UNRECORDED: return i->unrecorded;
    }
    return NULL;
}

const struct cs_merged *cs_reader_merged(struct cs_reader *r, char *why, size_t whylen)
{
    if (r->m || r->made)
        return r->m ? r->m : r->made;
    r->made = cs_merge_trace(r->t, &(struct cs_merge_options){0}, NULL, why, whylen);
    if (r->made && cs_merged_fold(r->made, CS_MERGED_FOLD_BEST, why, whylen)) {
        cs_merged_free(r->made);
        r->made = NULL;
    }
    return r->made;
}

void cs_reader_free(void *array)
{
    free(array);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 * Parts of buffers on a way: who packs one field of many into a buffer is not who is asked for another one. Private to
 * the search for best ways (ways.c). */
#ifndef CS_WAY_PARTS_H
#define CS_WAY_PARTS_H

#include "slicer/advise/index_ranges.h"
#include "slicer/advise/ways_internal.h"

/* What tells them apart. buffer: by node, is it the content of one? NULL: none is known. */
struct cs_way_parts {
    const struct cs_ways *w;
    struct cs_index_ranges *ranges;
    const bool *buffer;
};

/* The place of which the way asks, behind the edge, what a statement writes there, or what it calls; -1. */
int cs_way_written_place(const struct cs_ways *w, const struct cs_way_mark *before, const struct cs_way_edge *e);
/* The part of which the way asks behind the edge, -1. */
int cs_way_part_behind(const struct cs_way_parts *s, const struct cs_way_mark *before, const struct cs_way_edge *e);
/* Does the edge lead from a buffer to who writes another part of it than the one that is asked for? *perhaps: it is not
 * known for which call; own: for this one, -1. */
bool cs_way_is_other_part(const struct cs_way_parts *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                          int own, bool *perhaps);

#endif

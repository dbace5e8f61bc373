/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops that assumptions leave without a way out: a slice that enters one does not end. */
#ifndef CS_ENDLESS_H
#define CS_ENDLESS_H

#include "slicer/control/assume.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first branch that the assumption has decided of which this is so: control comes back to it for ever, as the edge
 * that is not taken was a way out, and no other one is left; -1: there is none. Ways by exceptions do not count, nor
 * do, once the slice is decided, errors. */
int cs_endless_by(const struct cs_graph *g, const struct cs_assumed *a);

#ifdef __cplusplus
}
#endif
#endif

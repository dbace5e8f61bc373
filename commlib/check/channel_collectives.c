/* SPDX-License-Identifier: BSD-3-Clause
 * The sequence of collective calls of one communicator, as struct collectives keeps it. */
#include "base/mix.h"
#include "base/modular.h"
#include "commlib/check/channel_internal.h"

void cs_collectives_thin(struct collectives *c)
{
    for (int i = 0; i < NPOINTS / 2; i++)
        c->point[i] = c->point[2 * i];
    c->stride *= 2;
}

void cs_collectives_add(struct collectives *c, int call, int mark, int site)
{
    uint64_t what = cs_mix((uint64_t)call * 4 + (uint64_t)mark + 1) % CS_MODULUS;
    c->hash = cs_modular_plus(cs_modular_times(CS_COLLECTIVES_FACTOR, c->hash), what);
    if (c->n / c->stride == NPOINTS)
        cs_collectives_thin(c);
    struct point p = {c->hash, site, mark};
    if (c->n % c->stride == 0)
        c->point[c->n / c->stride] = p;
    c->tail[c->n++ % NPOINTS] = p;
}

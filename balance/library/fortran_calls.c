/* SPDX-License-Identifier: BSD-3-Clause
 * The calls as the Fortran module declares them: communicators are integers, items count from 1, and strings come with
 * their length (Fortran 2018, 18.4). See commslice_balance.f90. */
#include "balance/library/commslice-balance.h"

#include <ISO_Fortran_binding.h>
#include <stddef.h>
#include <string.h>

int cs_balance_setup_fortran(int comm, const CFI_cdesc_t *technique, const CFI_cdesc_t *way, const int64_t *chunk,
                             const double *speed, struct cs_balancer **balancer);
int cs_balance_start_chunk_fortran(struct cs_balancer *balancer, int64_t *first, int64_t *count);
void cs_balance_end_loop_fortran(struct cs_balancer *balancer, int64_t *items, double *seconds);
int cs_balance_for_fortran(int64_t items, void (*body)(int64_t first, int64_t count, void *state), void *state,
                           int comm, const CFI_cdesc_t *technique);

enum { LONGEST = 256 }; /* bytes of a name */

/* A string of Fortran without the blanks at its end; NULL if it was left out. */
static const char *text(const CFI_cdesc_t *s, char buf[LONGEST])
{
    size_t n = s && s->base_addr ? s->elem_len : 0;
    n = n < LONGEST ? n : LONGEST - 1;
    if (n)
        memcpy(buf, s->base_addr, n);
    while (n && buf[n - 1] == ' ')
        n--;
    buf[n] = '\0';
    return n ? buf : NULL;
}

int cs_balance_setup_fortran(int comm, const CFI_cdesc_t *technique, const CFI_cdesc_t *way, const int64_t *chunk,
                             const double *speed, struct cs_balancer **balancer)
{
    char t[LONGEST], w[LONGEST];
    struct cs_balance_options o = {text(technique, t), text(way, w), chunk ? *chunk : 0, speed ? *speed : 0};
    return cs_balance_setup(MPI_Comm_f2c(comm), &o, balancer);
}

int cs_balance_start_chunk_fortran(struct cs_balancer *balancer, int64_t *first, int64_t *count)
{
    int there = cs_balance_start_chunk(balancer, first, count);
    ++*first;
    return there;
}

void cs_balance_end_loop_fortran(struct cs_balancer *balancer, int64_t *items, double *seconds)
{
    struct cs_balance_report r;
    cs_balance_end_loop(balancer, &r);
    if (items)
        *items = r.items;
    if (seconds)
        *seconds = r.busy;
}

/* What cs_balance_for hands through to the body of Fortran. */
struct fortran_body {
    void (*body)(int64_t first, int64_t count, void *state);
    void *state;
};

static void call_body(int64_t first, int64_t count, void *state)
{
    const struct fortran_body *b = state;
    b->body(first + 1, count, b->state);
}

int cs_balance_for_fortran(int64_t items, void (*body)(int64_t first, int64_t count, void *state), void *state,
                           int comm, const CFI_cdesc_t *technique)
{
    char t[LONGEST];
    struct fortran_body b = {body, state};
    return cs_balance_for(items, call_body, &b, MPI_Comm_f2c(comm), text(technique, t));
}

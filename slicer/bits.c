/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sparse sets of numbers; see bits.h.
 * Words are sorted by where they are. */
#include "bits.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

/* The first word, from `lo` on, that is not before `at`. */
static int find_word(const struct cs_bits *b, int lo, int at)
{
    int hi = b->n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (b->w[mid].at < at) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

bool cs_bits_add(struct cs_bits *b, int x)
{
    int at = x / 64, i = find_word(b, 0, at);
    uint64_t bit = UINT64_C(1) << x % 64;
    if (i == b->n || b->w[i].at != at) {
        CS_GROW(b->w, b->n, b->cap);
        memmove(b->w + i + 1, b->w + i, (b->n - i) * sizeof *b->w);
        b->w[i] = (struct cs_bitword){ at, 0 };
        b->n++;
    }
    if (b->w[i].bits & bit) return false;
    b->w[i].bits |= bit;
    return true;
}

bool cs_bits_has(const struct cs_bits *b, int x)
{
    int i = find_word(b, 0, x / 64);
    return i < b->n && b->w[i].at == x / 64 && (b->w[i].bits >> x % 64 & 1);
}

void cs_bits_without(const struct cs_bits *a, const struct cs_bits *b, struct cs_intlist *out)
{
    for (int i = 0, k = 0; i < a->n; i++) {
        k = find_word(b, k, a->w[i].at);
        uint64_t left = a->w[i].bits;
        if (k < b->n && b->w[k].at == a->w[i].at) left &= ~b->w[k].bits;
        for (; left; left &= left - 1) cs_intlist_add(out, a->w[i].at * 64 + __builtin_ctzll(left));
    }
}

void cs_bits_free(struct cs_bits *b)
{
    free(b->w);
    *b = (struct cs_bits){ 0 };
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Sorting beyond memory; sorted_messages.h. */
#include "cli/export/sorted_messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"

/* Messages in memory while they are added, and of each piece while they are read. */
enum { ADDED = 1 << 18, READ = 1 << 10 };

/* A sorted piece of the temporary file, of which place `at` of `head` is the first that is left. */
struct piece {
    long offset, left; /* left: messages that are still in the file */
    struct cs_sent_message *head;
    int at, n;
};

/*  added[0 .. n) are the newest ones, not sorted; older ones are in the pieces, each sorted. While they are read,
 * `first` is the piece with the first message  */
struct cs_sorted_messages {
    struct cs_sent_message *added;
    size_t n, cap;
    FILE *file;
    struct piece *piece;
    int npieces, piece_cap, first;
};

struct cs_sorted_messages *cs_sorted_messages_new(void)
{
    struct cs_sorted_messages *s = calloc(1, sizeof *s);
    if (s)
        s->first = -1;
    return s;
}

static int earlier(const void *a, const void *b)
{
    const struct cs_sent_message *x = a, *y = b;
    if (x->sent != y->sent)
        return x->sent < y->sent ? -1 : 1;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

/* Sorts what is in memory. With a file, or if there is to be one, it becomes a piece there. */
static int put_piece(struct cs_sorted_messages *s)
{
    if (s->n)
        qsort(s->added, s->n, sizeof *s->added, earlier);
    if (!CS_MAKE_ROOM(s->piece, s->npieces, s->piece_cap) || (!s->file && !(s->file = tmpfile())))
        return -1;
    struct piece p = {.offset = ftell(s->file), .left = (long)s->n};
    if (p.offset < 0 || fwrite(s->added, sizeof *s->added, s->n, s->file) != s->n)
        return -1;
    s->piece[s->npieces++] = p;
    s->n = 0;
    return 0;
}

int cs_sorted_messages_add(struct cs_sorted_messages *s, const struct cs_sent_message *m)
{
    if (s->n == ADDED && put_piece(s))
        return -1;
    if (!CS_MAKE_ROOM(s->added, s->n, s->cap))
        return -1;
    s->added[s->n++] = *m;
    return 0;
}

/* Reads on in a piece whose head is used up. */
static int fill(struct cs_sorted_messages *s, struct piece *p)
{
    p->at = 0;
    p->n = p->left < READ ? (int)p->left : READ;
    if (!p->n)
        return 0;
    if (!p->head && !(p->head = malloc(READ * sizeof *p->head)))
        return -1;
    if (fseek(s->file, p->offset, SEEK_SET) || fread(p->head, sizeof *p->head, (size_t)p->n, s->file) != (size_t)p->n)
        return -1;
    p->offset += (long)((size_t)p->n * sizeof *p->head);
    p->left -= p->n;
    return 0;
}

static void find_first(struct cs_sorted_messages *s)
{
    s->first = -1;
    for (int i = 0; i < s->npieces; i++) {
        const struct piece *p = &s->piece[i];
        if (p->at < p->n &&
            (s->first < 0 || earlier(&p->head[p->at], &s->piece[s->first].head[s->piece[s->first].at]) < 0))
            s->first = i;
    }
}

int cs_sorted_messages_sort(struct cs_sorted_messages *s)
{
    if (!s->n && !s->npieces)
        return 0;
    if (s->npieces) {
        if (s->n && put_piece(s))
            return -1;
        if (fflush(s->file))
            return -1;
    } else { /* all of it is in memory: one piece that has been read */
        qsort(s->added, s->n, sizeof *s->added, earlier);
        if (!CS_MAKE_ROOM(s->piece, s->npieces, s->piece_cap))
            return -1;
        s->piece[s->npieces++] = (struct piece){.head = s->added, .n = (int)s->n};
        s->added = NULL;
        s->n = s->cap = 0;
    }
    for (int i = 0; i < s->npieces; i++)
        if (s->piece[i].left && fill(s, &s->piece[i]))
            return -1;
    find_first(s);
    return 0;
}

const struct cs_sent_message *cs_sorted_messages_first(const struct cs_sorted_messages *s)
{
    return s->first < 0 ? NULL : &s->piece[s->first].head[s->piece[s->first].at];
}

int cs_sorted_messages_take(struct cs_sorted_messages *s)
{
    struct piece *p = &s->piece[s->first];
    if (++p->at == p->n && p->left && fill(s, p))
        return -1;
    find_first(s);
    return 0;
}

void cs_sorted_messages_free(struct cs_sorted_messages *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->npieces; i++)
        free(s->piece[i].head);
    if (s->file)
        fclose(s->file);
    free(s->piece);
    free(s->added);
    free(s);
}

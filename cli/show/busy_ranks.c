/* SPDX-License-Identifier: BSD-3-Clause
 * Sums of what each rank sends; busy_ranks.h.
 * Where several ranks send the same, the first of them is named and the others are counted. */
#include "cli/show/busy_ranks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/frame/cli.h"

/* What a rank sends, and to how many ranks. */
struct sent {
    uint64_t messages, bytes;
    int partners;
};

static struct sent *sums_of(const struct cs_traffic *s, int nranks)
{
    struct sent *sent = calloc((size_t)nranks, sizeof *sent);
    for (size_t i = 0; sent && i < s->npairs; i++) {
        struct sent *from = &sent[s->pair[i].source];
        from->messages += s->pair[i].messages;
        from->bytes += s->pair[i].bytes;
        from->partners++;
    }
    return sent;
}

/* The amount that was asked for. */
static uint64_t pick(uint64_t messages, uint64_t bytes, bool by_messages)
{
    return by_messages ? messages : bytes;
}

static const char *amount(char buf[40], uint64_t v, bool messages)
{
    if (!messages)
        return cs_human_bytes(buf, v);
    snprintf(buf, 40, "%" PRIu64 " messages", v);
    return buf;
}

static void print_rank(const struct sent *sent, int nranks, bool messages)
{
    uint64_t most = 0, sum = 0;
    int first = 0, same = 0;
    char buf[40];
    for (int r = 0; r < nranks; r++) {
        uint64_t v = pick(sent[r].messages, sent[r].bytes, messages);
        sum += v;
        same = v > most ? 0 : same + (v == most);
        first = v > most ? r : first;
        most = v > most ? v : most;
    }
    if (same == nranks - 1)
        printf("each rank sends the same: %s\n", amount(buf, most, messages));
    else if (same)
        printf("rank %d and %d more send most: %s each, %.3g times the mean\n", first, same,
               amount(buf, most, messages), (double)most * nranks / (double)sum);
    else
        printf("rank %d sends most: %s, %.3g times the mean\n", first, amount(buf, most, messages),
               (double)most * nranks / (double)sum);
}

static void print_pair(const struct cs_traffic *s, bool messages)
{
    uint64_t most = 0;
    size_t first = 0, same = 0;
    char buf[40], more[40] = "";
    for (size_t i = 0; i < s->npairs; i++) {
        uint64_t v = pick(s->pair[i].messages, s->pair[i].bytes, messages);
        same = v > most ? 0 : same + (v == most);
        first = v > most ? i : first;
        most = v > most ? v : most;
    }
    if (same == s->npairs - 1) {
        puts("each of these pairs has the same");
        return;
    }
    if (same)
        snprintf(more, sizeof more, " and %zu more pair%s", same, same == 1 ? "" : "s");
    printf("most between two ranks: %s, from %d to %d%s\n", amount(buf, most, messages), s->pair[first].source,
           s->pair[first].dest, more);
}

int cs_busy_ranks_print(const struct cs_traffic *s, int nranks, bool messages)
{
    uint64_t all = 0;
    for (size_t i = 0; i < s->npairs; i++)
        all += pick(s->pair[i].messages, s->pair[i].bytes, messages);
    if (!all)
        return CS_EXIT_OK;
    struct sent *sent = sums_of(s, nranks);
    if (!sent)
        return cs_error("not enough memory");
    print_rank(sent, nranks, messages);
    print_pair(s, messages);
    free(sent);
    return CS_EXIT_OK;
}

int cs_busy_ranks_json(struct cs_json *j, const struct cs_traffic *s, int nranks)
{
    struct sent *sent = sums_of(s, nranks);
    if (!sent)
        return cs_error("not enough memory");
    cs_json_open(j, "ranks_that_send", '[');
    for (int r = 0; r < nranks; r++) {
        if (!sent[r].messages)
            continue;
        cs_json_open(j, NULL, '{');
        cs_json_int(j, "rank", r);
        cs_json_int(j, "messages", (int64_t)sent[r].messages);
        cs_json_int(j, "bytes", (int64_t)sent[r].bytes);
        cs_json_int(j, "destinations", sent[r].partners);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
    free(sent);
    return CS_EXIT_OK;
}

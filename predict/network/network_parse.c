/* SPDX-License-Identifier: BSD-3-Clause
 * Reads a network as people write it: names with values and units. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_text.h"
#include "predict/network/network.h"

const struct cs_network cs_network_usual = {
    .latency = 1000, .overhead = 300, .gap = 100, .per_byte = 0.1, .eager = 65536};

/* What a unit stands for: ns, bytes, or bytes per second. */
struct unit {
    const char *name;
    double value;
};

static const struct unit times[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}},
                         sizes[] = {{"", 1},     {"B", 1},      {"KB", 1e3},      {"kB", 1e3}, {"MB", 1e6},
                                    {"GB", 1e9}, {"KiB", 1024}, {"MiB", 1048576}, {NULL, 0}},
                         rates[] = {{"B/s", 1},        {"KB/s", 1e3},    {"kB/s", 1e3},   {"MB/s", 1e6},
                                    {"GB/s", 1e9},     {"bit/s", 0.125}, {"kbit/s", 125}, {"Mbit/s", 125e3},
                                    {"Gbit/s", 125e6}, {NULL, 0}};

/* The numbers of a network, in the order of set(). */
static const struct {
    const char *name;
    const struct unit *units;
} names[] = {{"latency", times}, {"overhead", times}, {"gap", times}, {"bandwidth", rates}, {"eager", sizes}};

/* A number of 0 or more and its unit; -1: it is none. */
static double read_value(const char *text, size_t len, const struct unit *units)
{
    char *end;
    double v = strtod(text, &end);
    if (end == text || !isfinite(v) || v < 0)
        return -1;
    size_t left = len - (size_t)(end - text);
    for (const struct unit *u = units; u->name; u++)
        if (strlen(u->name) == left && !strncmp(end, u->name, left))
            return v * u->value;
    return -1;
}

static void set(struct cs_network *n, int which, double v)
{
    switch (which) {
    case 0: n->latency = v; break;
    case 1: n->overhead = v; break;
    case 2: n->gap = v; break;
    case 3: n->per_byte = 1e9 / v; break;
    default: n->eager = v < 0x1p63 ? (uint64_t)v : UINT64_MAX; break;
    }
}

static int read_one(const char *text, size_t len, struct cs_network *n, char *why, size_t whylen)
{
    const char *is = memchr(text, '=', len);
    for (size_t i = 0; is && i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) != (size_t)(is - text) || strncmp(names[i].name, text, (size_t)(is - text)) != 0)
            continue;
        double v = read_value(is + 1, len - (size_t)(is + 1 - text), names[i].units);
        if (v < 0 || (v == 0 && names[i].units == rates))
            return cs_error_text(why, whylen, "%.*s is no %s: write a number and a unit, %s%s", (int)len, text,
                                 names[i].name, names[i].name,
                                 names[i].units == times   ? "=1.5us"
                                 : names[i].units == rates ? "=10GB/s"
                                                           : "=64KB");
        set(n, (int)i, v);
        return 0;
    }
    return cs_error_text(why, whylen, "%.*s: give latency=, overhead=, gap=, bandwidth= or eager=", (int)len, text);
}

int cs_network_parse(const char *text, struct cs_network *n, char *why, size_t whylen)
{
    for (size_t len; *text; text += len + (text[len] == ',')) {
        len = strcspn(text, ",");
        if (read_one(text, len, n, why, whylen))
            return -1;
    }
    return 0;
}

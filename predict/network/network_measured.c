/* SPDX-License-Identifier: BSD-3-Clause
 * From measurements to a network; see network_measured.h. A short message takes 2 o + L + G * bytes. */
#include "predict/network/network_measured.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/error_text.h"
#include "predict/regression/least_squares.h"

/* Bytes up to which the latency is looked at, and from which on the bandwidth is. */
static const double SHORT = 64, LONG = 65536;

/* ---- lines ---- */

static bool good(double v)
{
    return isfinite(v) && v >= 0 && v < 1e15;
}

static int add_message(struct cs_network_measured *m, double bytes, double ns)
{
    if (m->nmessages == CS_MEASURED_MOST)
        return -1;
    m->message[m->nmessages++] = (struct cs_measured_time){bytes, ns};
    return 0;
}

int cs_measured_line(struct cs_network_measured *m, const char *line)
{
    static const char begins[] = "calibrate: ";
    char what[32], rest[2];
    double a, b;
    if (strncmp(line, begins, sizeof begins - 1) != 0)
        return 0;
    if (sscanf(line + sizeof begins - 1, "%31s %lf %lf %1s", what, &a, &b, rest) != 3 || !good(a) || !good(b))
        return -1;
    if (!strcmp(what, "message"))
        return b > 0 ? add_message(m, a, b) : -1;
    if (!strcmp(what, "out"))
        m->send = b;
    else if (!strcmp(what, "in"))
        m->receive = b;
    else if (!strcmp(what, "burst"))
        m->burst = b;
    else if (!strcmp(what, "eager"))
        m->eager = a;
    else if (!strcmp(what, "meeting"))
        m->barrier = b;
    else if (!strcmp(what, "sum"))
        m->reduction = b;
    else
        return -1;
    if (!strcmp(what, "meeting"))
        m->ranks = a < 1 << 24 ? (int)a : 0;
    return 0;
}

/* ---- fitting ---- */

/* ns of each byte; below 0: there are too few long messages. */
static double per_byte(const struct cs_network_measured *m)
{
    double at[2 * CS_MEASURED_MOST], y[CS_MEASURED_MOST], b[2];
    struct cs_matrix x = {.cols = 2, .at = at};
    for (int i = 0; i < m->nmessages; i++)
        x.rows += m->message[i].bytes >= LONG;
    if (x.rows < 2)
        return -1;
    for (int i = 0, row = 0; i < m->nmessages; i++) {
        const struct cs_measured_time *t = &m->message[i];
        if (t->bytes < LONG)
            continue;
        cs_column(&x, 0)[row] = 1 / t->ns;
        cs_column(&x, 1)[row] = t->bytes / t->ns;
        y[row++] = 1;
    }
    return cs_least_squares(&x, y, b) ? -1 : b[1];
}

/* The fastest of the short messages, or NULL: there are none. */
static const struct cs_measured_time *fastest(const struct cs_network_measured *m)
{
    const struct cs_measured_time *s = NULL;
    for (int i = 0; i < m->nmessages; i++)
        if (m->message[i].bytes <= SHORT && (!s || m->message[i].ns < s->ns))
            s = &m->message[i];
    return s;
}

int cs_network_fit(const struct cs_network_measured *m, struct cs_network *n, char *why, size_t whylen)
{
    const struct cs_measured_time *s = fastest(m);
    if (!s)
        return cs_error_text(why, whylen, "no time of a short message was measured");
    n->per_byte = per_byte(m);
    if (!(n->per_byte > 0))
        return cs_error_text(why, whylen, "the times of long messages do not grow with their bytes");
    /* A call may take as long as half of the message: then nothing is left for the way. */
    n->overhead = fmin((m->send + m->receive) / 2, s->ns / 2);
    n->latency = fmax(s->ns - 2 * n->overhead - s->bytes * n->per_byte, 0);
    n->gap = m->burst;
    n->eager = m->eager > 0 ? (uint64_t)m->eager : 65536;
    return 0;
}

double cs_network_rounds(const struct cs_network *n, int ranks, double bytes)
{
    double rounds = 0;
    for (int reached = 1; reached < ranks; reached *= 2)
        rounds++;
    return rounds * (2 * n->overhead + n->latency + bytes * n->per_byte);
}

/* ---- the file ---- */

void cs_network_write(const struct cs_network *n, const struct cs_network_measured *m, FILE *f)
{
    fprintf(f, CS_NETWORK_BEGINS "latency=%.6gns,overhead=%.6gns,gap=%.6gns,bandwidth=%.6gB/s,eager=%lluB\n",
            n->latency, n->overhead, n->gap, 1e9 / n->per_byte, (unsigned long long)n->eager);
    fputs("# measured: bytes and ns of a message\n", f);
    for (int i = 0; i < m->nmessages; i++)
        fprintf(f, "# %.0f %.6g\n", m->message[i].bytes, m->message[i].ns);
    if (m->ranks > 1)
        fprintf(f, "# on %d ranks: barrier %.6g ns (%.6g by these numbers), reduction of 8 bytes %.6g ns (%.6g)\n",
                m->ranks, m->barrier, cs_network_rounds(n, m->ranks, 0), m->reduction,
                cs_network_rounds(n, m->ranks, 8));
}

/* The line with the numbers, which is the second one. 0, or -1 with a one-line reason. */
static int read_line(FILE *f, const char *path, char *line, int room, char *why, size_t whylen)
{
    if (!fgets(line, room, f) || strcmp(line, CS_NETWORK_BEGINS) != 0 || !fgets(line, room, f) || !strchr(line, '\n'))
        return cs_error_text(why, whylen, "%s: is no file of commslice calibrate", path);
    line[strcspn(line, "\n")] = 0;
    return 0;
}

int cs_network_read(const char *text, struct cs_network *n, char *why, size_t whylen)
{
    char line[512], reason[256];
    if (strchr(text, '='))
        return cs_network_parse(text, n, why, whylen);
    FILE *f = fopen(text, "r");
    if (!f)
        return cs_error_text(why, whylen, "%s: no numbers such as latency=1us, and no file: %s", text, strerror(errno));
    int rc = read_line(f, text, line, sizeof line, why, whylen);
    fclose(f);
    if (rc || cs_network_parse(line, n, reason, sizeof reason) == 0)
        return rc;
    return cs_error_text(why, whylen, "%s: %s", text, reason);
}

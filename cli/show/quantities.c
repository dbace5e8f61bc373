/* SPDX-License-Identifier: BSD-3-Clause
 * Shares, times and places as text; quantities.h. */
#include "cli/show/quantities.h"

#include <stdio.h>
#include <string.h>

const char *cs_percent(char buf[16], double share)
{
    double p = 100 * share;
    if (p > 0 && p < 0.1)
        return strcpy(buf, "<0.1 %");
    snprintf(buf, 16, p >= 99.95 || p == 0 ? "%.0f %%" : "%.1f %%", p);
    return buf;
}

const char *cs_human_ns(char buf[32], double ns)
{
    static const char *const unit[] = {"ns", "us", "ms", "s"};
    int u = 0;
    if (ns <= 0)
        return strcpy(buf, "0 s");
    while (ns >= 1000 && u < 3) {
        ns /= 1000;
        u++;
    }
    snprintf(buf, 32, ns >= 100 || u == 0 ? "%.0f %s" : ns >= 10 ? "%.1f %s" : "%.2f %s", ns, unit[u]);
    return buf;
}

const char *cs_location_text(const struct cs_source_location *p, char *buf, size_t len)
{
    const char *base = p->file ? strrchr(p->file, '/') : NULL;
    if (!p->file)
        snprintf(buf, len, "?");
    else if (p->line >= 0)
        snprintf(buf, len, "%s:%d", base ? base + 1 : p->file, p->line);
    else if (p->func && p->func[0] != '+')
        snprintf(buf, len, "%s in %s", p->func, base ? base + 1 : p->file);
    else
        snprintf(buf, len, "%s%s", base ? base + 1 : p->file, p->func ? p->func : "");
    return buf;
}

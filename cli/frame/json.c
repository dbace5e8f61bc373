/* SPDX-License-Identifier: BSD-3-Clause
 * The JSON writer of json.h.
 * In a string that is not UTF-8, as a file name may be, each bad byte is written as U+FFFD. */
#include "cli/frame/json.h"

#include <inttypes.h>
#include <math.h>

#include "cli/frame/text.h"

static void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int n = cs_utf8_length(s);
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < 0x20)
            fprintf(out, "\\u%04x", *s);
        else if (n)
            fwrite(s, 1, (size_t)n, out);
        else
            fputs("\\ufffd", out);
        s += n ? n : 1;
    }
    putc('"', out);
}

static void start(struct cs_json *j, const char *key)
{
    if (j->need_comma)
        putc(',', j->out);
    j->need_comma = true;
    if (key) {
        put_string(j->out, key);
        putc(':', j->out);
    }
}

void cs_json_open(struct cs_json *j, const char *key, char bracket)
{
    start(j, key);
    putc(bracket, j->out);
    j->need_comma = false;
}

void cs_json_close(struct cs_json *j, char bracket)
{
    putc(bracket, j->out);
    j->need_comma = true;
}

void cs_json_string(struct cs_json *j, const char *key, const char *s)
{
    start(j, key);
    if (s)
        put_string(j->out, s);
    else
        fputs("null", j->out);
}

void cs_json_int(struct cs_json *j, const char *key, int64_t v)
{
    start(j, key);
    fprintf(j->out, "%" PRId64, v);
}

void cs_json_bool(struct cs_json *j, const char *key, bool v)
{
    start(j, key);
    fputs(v ? "true" : "false", j->out);
}

void cs_json_real(struct cs_json *j, const char *key, double v)
{
    if (!isfinite(v)) {
        cs_json_null(j, key);
        return;
    }
    start(j, key);
    fprintf(j->out, "%.12g", v);
}

void cs_json_raw(struct cs_json *j, const char *key, const char *number)
{
    start(j, key);
    fputs(number, j->out);
}

void cs_json_null(struct cs_json *j, const char *key)
{
    cs_json_string(j, key, NULL);
}

void cs_json_end(struct cs_json *j)
{
    putc('\n', j->out);
    j->need_comma = false;
}

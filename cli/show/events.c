/* SPDX-License-Identifier: BSD-3-Clause
 * Shows events as text and as JSON; see events.h.
 * Text shortens long arrays ("5*1024" is 1024 fives), JSON never does. */
#include "cli/show/events.h"

#include <inttypes.h>
#include <string.h>

#include "cli/show/slice_info.h"
#include "cli/frame/text.h"

#define RUN 4        /* from here on equal neighbours are shown as "value*count" */
#define MAX_SHOWN 32 /* items of an array in a line of text */

const char *cs_arg_label(const struct cs_mpi_call *call, int arg)
{
    enum cs_role role = call->args[arg].role;
    if (role == CS_ROLE_VAL || role == CS_ROLE_VALS)
        return call->args[arg].name;
    if (cs_ctype_is_window(call->args[arg].ctype))
        return "win";
    if (role == CS_ROLE_COMM_UPD)
        return "comm";
    if (role == CS_ROLE_FILE_UPD)
        return "file";
    if (role == CS_ROLE_REQ_INOUT)
        return "req";
    for (int i = 0; i < call->nargs; i++)
        if (i != arg && call->args[i].role == role)
            return call->args[arg].name;
    return cs_role_name(role);
}

/* The word for a value that stands for more than a number, or NULL; buf has room for one. */
static const char *word_for(const struct cs_view *v, enum cs_role role, int64_t value, char buf[32])
{
    int index = value >= 0 && value <= INT32_MAX ? (int)value : -1;
    if (value == CS_UNUSED)
        return "-";
    switch (role) {
    case CS_ROLE_TYPE:
    case CS_ROLE_TYPES: {
        const struct cs_type_def *d = cs_trace_type(v->t, v->rank, index);
        return d && d->signature ? d->signature : value == CS_NO_HANDLE ? "null" : "?";
    }
    case CS_ROLE_COMM:
    case CS_ROLE_COMM_UPD:
    case CS_ROLE_NEWCOMM: {
        const struct cs_comm_def *d = cs_trace_comm(v->t, v->rank, index);
        return d && d->path ? d->path : value == CS_NO_HANDLE ? "null" : "?";
    }
    case CS_ROLE_OP: {
        const char *op = cs_trace_op(v->t, v->rank, index);
        return op ? op : value == CS_NO_HANDLE ? "null" : "?";
    }
    case CS_ROLE_DEST:
    case CS_ROLE_SOURCE:
    case CS_ROLE_ROOT:
    case CS_ROLE_TAG:
        if (value == CS_ANY)
            return "any";
        if (role != CS_ROLE_TAG && value == CS_PROC_NULL)
            return "null";
        if (role == CS_ROLE_ROOT && value == CS_ROOT)
            return "root";
        break;
    case CS_ROLE_REQ_INOUT:
    case CS_ROLE_REQS:
        if (value >= 0)
            break;
        snprintf(buf, 32, "p%" PRId64, -1 - value); /* persistent */
        return buf;
    default: break;
    }
    return NULL;
}

static void print_value(FILE *out, const struct cs_view *v, enum cs_role role, int64_t value)
{
    char buf[32];
    const char *word = word_for(v, role, value, buf);
    if (word)
        fputs(word, out);
    else
        fprintf(out, "%" PRId64, value);
}

static void print_array(FILE *out, const struct cs_view *v, const struct cs_field *f)
{
    int shown = 0;
    putc('[', out);
    for (int64_t i = 0; i < f->n; shown++) {
        int64_t run = 1;
        while (i + run < f->n && f->values[i + run] == f->values[i])
            run++;
        if (run < RUN)
            run = 1;
        if (i)
            putc(',', out);
        if (shown == MAX_SHOWN) {
            fprintf(out, "... %" PRId64 " in all", f->n);
            break;
        }
        print_value(out, v, f->arg->role, f->values[i]);
        if (run > 1)
            fprintf(out, "*%" PRId64, run);
        i += run;
    }
    putc(']', out);
}

static void print_place(FILE *out, const struct cs_view *v, int site)
{
    struct cs_source_location p = cs_locations_find(v->places, cs_trace_site(v->t, v->rank, site));
    if (!p.file)
        return;
    fputs(" at ", out);
    cs_put_plain(out, p.file);
    if (p.line >= 0)
        fprintf(out, ":%d", p.line);
    else if (p.func)
        fputs(p.func, out);
}

void cs_event_print(FILE *out, const struct cs_view *v, const struct cs_event *e)
{
    const struct cs_mpi_call *call = cs_mpi_call(e->call);
    struct cs_field f;
    int arg = 0, at = 0, rc;
    fputs(call->name, out);
    while ((rc = cs_field_next(e, &arg, &at, &f)) == 1) {
        fprintf(out, " %s=", cs_arg_label(call, (int)(f.arg - call->args)));
        if (f.shape == CS_FIELD_ARRAY)
            print_array(out, v, &f);
        else if (f.shape == CS_FIELD_LENGTH)
            fprintf(out, "%" PRId64 " of them", *f.values);
        else
            print_value(out, v, f.arg->role, *f.values);
    }
    if (rc < 0)
        fputs(" (fields do not fit the call)", out);
    if (e->mark != CS_MARK_CONTENT)
        fprintf(out, " (%s sent)", e->mark == CS_MARK_NONE ? "nothing" : "envelope");
    print_place(out, v, e->site);
}

static void json_value(struct cs_json *j, const char *key, const struct cs_view *v, enum cs_role role, int64_t value)
{
    char buf[32];
    const char *word = word_for(v, role, value, buf);
    if (value == CS_UNUSED)
        cs_json_null(j, key);
    else if (word)
        cs_json_string(j, key, word);
    else
        cs_json_int(j, key, value);
}

void cs_event_json(struct cs_json *j, const struct cs_view *v, const struct cs_event *e)
{
    const struct cs_mpi_call *call = cs_mpi_call(e->call);
    struct cs_source_location p = cs_locations_find(v->places, cs_trace_site(v->t, v->rank, e->site));
    struct cs_field f;
    int arg = 0, at = 0;
    cs_json_string(j, "call", call->name);
    cs_json_open(j, "args", '{');
    while (cs_field_next(e, &arg, &at, &f) == 1) {
        const char *label = cs_arg_label(call, (int)(f.arg - call->args));
        if (f.shape == CS_FIELD_ARRAY) {
            cs_json_open(j, label, '[');
            for (int64_t i = 0; i < f.n; i++)
                json_value(j, NULL, v, f.arg->role, f.values[i]);
            cs_json_close(j, ']');
        } else {
            json_value(j, label, v, f.shape == CS_FIELD_LENGTH ? CS_ROLE_COUNT : f.arg->role, *f.values);
        }
    }
    cs_json_close(j, '}');
    cs_json_string(j, "mark", cs_mark_name(e->mark));
    cs_json_string(j, "file", p.file);
    cs_json_int(j, "line", p.line);
    cs_json_string(j, "func", p.func);
    if (cs_trace_info(v->t)->with_times) {
        cs_json_int(j, "enter_ns", e->t_enter);
        cs_json_int(j, "exit_ns", e->t_exit);
        cs_json_int(j, "lost_ns", e->t_delay);
    }
}

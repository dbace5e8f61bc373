/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random programs for the oracles of slicer_interp.h: structs with pointers and arrays, heap, calls, tables of
 * functions, loops, messages to itself. They keep to one struct, { int a, b; N *next; N *arr[2]; int v[4]; }, 48 bytes,
 * so that most runs are defined. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer_interp.h"

#define MAX_NAMES 60

struct names {
    int n, a[MAX_NAMES];
};

struct gen {
    struct kit_rng r;
    FILE *out;
    int next, block, level; /* value and block numbers; nesting */
    int budget;             /* statements left in this function */
    int func;               /* 0.. helpers, 9 main: who may call whom */
    int loop_exit;          /* block that a break leads to, -1 */
    int mail[4];            /* messages under way, by tag, as far as the straight way goes */
    struct names ints, ptrs, iptrs;
};

static int rnd(struct gen *g, int below)
{
    return (int)kit_random(&g->r, below);
}

static void say(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct gen *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("  ", g->out);
    vfprintf(g->out, fmt, ap);
    fputc('\n', g->out);
    va_end(ap);
}

static int add(struct gen *g, struct names *l)
{
    int id = g->next++;
    if (l->n == MAX_NAMES)
        l->a[rnd(g, MAX_NAMES)] = id;
    else
        l->a[l->n++] = id;
    return id;
}

/* Operands as text; several are alive at once. */
static const char *text(const char *fmt, int id)
{
    static char buf[16][24];
    static int at;
    at = (at + 1) % 16;
    snprintf(buf[at], sizeof buf[at], fmt, id);
    return buf[at];
}

static int pick(struct gen *g, const struct names *l)
{
    int recent = l->n > 6 && rnd(g, 2) ? l->n - 6 : 0;
    return l->a[recent + rnd(g, l->n - recent)];
}

static const char *any_int(struct gen *g)
{
    return g->ints.n && rnd(g, 4) ? text("v%d", pick(g, &g->ints)) : text("%d", rnd(g, 7));
}

static const char *any_ptr(struct gen *g)
{
    if (g->ptrs.n && rnd(g, 3))
        return text("v%d", pick(g, &g->ptrs));
    return rnd(g, 4) ? text("@g%d", rnd(g, 3)) : g->func == 9 ? "@l0" : "@l";
}

static const char *any_iptr(struct gen *g)
{
    return g->iptrs.n && rnd(g, 3) ? text("v%d", pick(g, &g->iptrs)) : text("@i%d", rnd(g, 4));
}

/* ---- statements ---- */

static void int_load(struct gen *g)
{
    const char *p = any_ptr(g), *q = any_iptr(g), *i = any_int(g);
    int v = g->next, k;
    switch (rnd(g, 4)) {
    case 0:
        k = 4 * rnd(g, 2);
        say(g, "v%d = load %s+%d 4 like n%d bits -32", v, p, k, k);
        break;
    case 1: say(g, "v%d = load %s+0%%4[32:48] 4 with %s like nv bits -32", v, p, i); break;
    case 2: say(g, "v%d = load @i%d 4 like n0 anywhere bits -32", v, rnd(g, 4)); break;
    default: say(g, "v%d = load %s 4 like n0 bits -32", v, q);
    }
    add(g, &g->ints);
}

static void int_store(struct gen *g)
{
    const char *p = any_ptr(g), *q = any_iptr(g), *i = any_int(g), *x = any_int(g);
    int k;
    switch (rnd(g, 4)) {
    case 0:
        k = 4 * rnd(g, 2);
        say(g, "store %s+%d 4 = %s like n%d", p, k, x, k);
        break;
    case 1: say(g, "store %s+0%%4[32:48] 4 = %s with %s like nv", p, x, i); break;
    case 2: say(g, "store @i%d 4 = %s like n0", rnd(g, 4), x); break;
    default: say(g, "store %s 4 = %s like n0", q, x);
    }
}

static void ptr_load(struct gen *g)
{
    const char *p = any_ptr(g), *i = any_int(g);
    int v = g->next;
    switch (rnd(g, 4)) {
    case 0: say(g, "v%d = load %s+8 8 like p8", v, p); break;
    case 1: say(g, "v%d = load %s+0%%8[16:32] 8 with %s like pv", v, p, i); break;
    case 2: say(g, "v%d = load %s+%d 8", v, p, 16 + 8 * rnd(g, 2)); break;
    default: say(g, "v%d = load @p%d 8 like p0 anywhere", v, rnd(g, 2));
    }
    add(g, &g->ptrs);
}

static void ptr_store(struct gen *g)
{
    const char *p = any_ptr(g), *i = any_int(g), *x = any_ptr(g);
    switch (rnd(g, 4)) {
    case 0: say(g, "store %s+8 8 = %s like p8", p, x); break;
    case 1: say(g, "store %s+0%%8[16:32] 8 = %s with %s like pv", p, x, i); break;
    case 2: say(g, "store %s+%d 8 = %s", p, 16 + 8 * rnd(g, 2), x); break;
    default: say(g, "store @p%d 8 = %s like p0", rnd(g, 2), x);
    }
}

static void arithmetic(struct gen *g)
{
    static const char *const ops[] = {"add", "sub", "mul", "other", "lt", "eq", "ge", "mix", "and", "or"};
    const char *x = any_int(g), *y = any_int(g);
    const char *op = ops[rnd(g, 10)];
    say(g, "v%d = %s %s, %s like %s anywhere bits -32", g->next, op, x, y, op);
    add(g, &g->ints);
}

static void address(struct gen *g)
{
    const char *p = any_ptr(g), *i = any_int(g), *q = any_iptr(g);
    int v = g->next, w;
    switch (rnd(g, 7)) {
    case 0:
        say(g, "v%d = field %s+4 like f4", v, p);
        add(g, &g->iptrs);
        break;
    case 1:
        say(g, "v%d = field %s+0%%4[32:48], %s like fv", v, p, i);
        add(g, &g->iptrs);
        break;
    case 2:
        say(g, "v%d = field @ga+0%%48[0:144], %s like fa", v, i);
        add(g, &g->ptrs);
        break;
    case 3: /* container_of */
        w = g->next++;
        say(g, "v%d = field %s+4", w, p);
        say(g, "v%d = ptradd v%d, -4", g->next, w);
        add(g, &g->ptrs);
        break;
    case 4:
        w = g->next++;
        say(g, "v%d = field %s+0%%4[32:48], 0", w, p);
        say(g, *i == 'v' ? "v%d = ptradd v%d, %s * 4" : "v%d = ptradd v%d, 4", g->next, w, i);
        add(g, &g->iptrs);
        break;
    case 5:
        say(g, "v%d = mix %s, 15", v, p);
        add(g, &g->ptrs);
        break;
    default: say(g, "v%d = %s", v, q); add(g, &g->iptrs);
    }
}

static void choose(struct gen *g)
{
    const char *c = any_int(g), *p = any_ptr(g), *q = any_ptr(g);
    say(g, "v%d = select %s, %s, %s", g->next, c, p, q);
    add(g, &g->ptrs);
}

static void plain_statement(struct gen *g);

/* The same place again, after something that may have changed it. */
static void load_again(struct gen *g)
{
    int place = rnd(g, 4);
    if (rnd(g, 3))
        say(g, "v%d = load @i%d 4 like n0 anywhere bits -32", g->next, place);
    else
        say(g, "v%d = copy 0", g->next), say(g, "store @i%d 4 = %s like n0", place, any_int(g));
    add(g, &g->ints);
    for (int n = rnd(g, 3); n > 0; n--)
        plain_statement(g);
    say(g, "v%d = load @i%d 4 like n0 anywhere bits -32", g->next, place);
    add(g, &g->ints);
    if (rnd(g, 2))
        say(g, "call MPI_Send(@i0, v%d, 0x4c000405, 1, 8, 0x44000000)", g->next - 1);
}

static void block_copy(struct gen *g)
{
    const char *p = any_ptr(g), *q = any_ptr(g), *i = any_int(g);
    switch (rnd(g, 5)) {
    case 0: say(g, "copy %s 48 = %s 48", p, q); break;
    case 1: say(g, "copy %s+16 16 = %s+16 16", p, q); break;
    case 2: say(g, "call memcpy(%s, %s, %d)", p, q, rnd(g, 2) ? 48 : 16); break;
    case 3: say(g, "copy @ga+0%%48[0:144] 48 = %s 48 with %s", p, i); break;
    default: say(g, "copy %s 48 = @ga+0%%48[0:144] 48 with %s", p, i);
    }
}

static void allocate(struct gen *g)
{
    const char *q = any_ptr(g);
    int v = g->next++;
    switch (rnd(g, 3)) {
    case 0:
        say(g, "v%d = call malloc(48)", v);
        say(g, "copy v%d 48 = %s 48", v, q);
        break;
    case 1:
        say(g, "v%d = call calloc(1, 48)", v);
        say(g, "store v%d+8 8 = %s", v, q);
        say(g, "store v%d+16 8 = %s", v, q);
        say(g, "store v%d+24 8 = v%d", v, v);
        break;
    default:
        say(g, "v%d = call malloc(48)", v);
        say(g, "copy v%d 48 = %s 48", v, q);
        say(g, "v%d = call realloc(v%d, 96)", g->next, v);
        v = g->next++;
    }
    if (g->ptrs.n < MAX_NAMES)
        g->ptrs.a[g->ptrs.n++] = v;
}

static void function_call(struct gen *g)
{
    const char *p = any_ptr(g), *q = any_ptr(g), *x = any_int(g);
    int callee = rnd(g, g->func == 9 ? 6 : g->func + 1), v = g->next, t;
    switch (callee) {
    case 0: return;
    case 1:
        say(g, "v%d = call f1(%s, %s)", v, p, x);
        add(g, &g->ints);
        break;
    case 2:
        say(g, "v%d = call f2(%s, %s)", v, p, q);
        add(g, &g->ptrs);
        break;
    case 3: say(g, "store %s 48 = call f3({%s 48}, %s)", p, q, x); break;
    case 4:
        t = g->next++;
        say(g, "v%d = load @tab+0%%8[0:16] 8 with %s", t, x);
        say(g, "v%d = call *v%d(%s, %s)", g->next, t, p, x);
        add(g, &g->ints);
        break;
    default: say(g, "v%d = call rec(%s, %d)", v, p, rnd(g, 4)); add(g, &g->ints);
    }
}

static void message(struct gen *g)
{
    const char *b = any_iptr(g), *x = any_int(g), *y = any_int(g), *q = any_iptr(g);
    int tag = 1 + rnd(g, 3);
    switch (rnd(g, 6)) {
    case 0:
    case 1:
        if (rnd(g, 2))
            x = "1";
        say(g, "call MPI_Send(%s, %s, 0x4c000405, %s, %d, 0x44000000)", b, x, y, tag);
        g->mail[tag]++;
        break;
    case 2:
    case 3: {
        bool any = rnd(g, 6) == 0;
        if (!g->mail[tag])
            return;
        say(g, "call MPI_Recv(%s, 1, 0x4c000405, %s, %d, 0x44000000, %s)", b, y, any ? -1 : tag,
            rnd(g, 3) ? "1" : "@st");
        if (!any)
            g->mail[tag]--;
        else
            memset(g->mail, 0, sizeof g->mail);
        if (!rnd(g, 3))
            say(g, "v%d = load @st+%d 4", g->next, 8 + 4 * rnd(g, 2));
        else
            say(g, "v%d = load %s 4", g->next, b);
        add(g, &g->ints);
        break;
    }
    case 4: say(g, "call MPI_Allreduce(%s, %s, 1, 0x4c000405, 0x58000003, 0x44000000)", rnd(g, 3) ? b : "-1", q); break;
    default: say(g, "call MPI_Barrier(0x44000000)");
    }
}

static void hidden(struct gen *g)
{
    if (!rnd(g, 4)) {
        say(g, "call srand(%s)", any_int(g));
        return;
    }
    say(g, "v%d = call rand()", g->next);
    add(g, &g->ints);
}

/* ---- control ---- */

static void statements(struct gen *g, int n);

static int label(struct gen *g, int b)
{
    fprintf(g->out, "  b%d:\n", b);
    g->block = b;
    return b;
}

struct saved {
    struct names ints, ptrs, iptrs;
    int mail[4];
};

static void save(const struct gen *g, struct saved *s)
{
    s->ints = g->ints;
    s->ptrs = g->ptrs;
    s->iptrs = g->iptrs;
    memcpy(s->mail, g->mail, sizeof s->mail);
}

/* Names of an inner block are gone after it; messages count only if they are sent on every way. */
static void restore(struct gen *g, const struct saved *s)
{
    g->ints = s->ints;
    g->ptrs = s->ptrs;
    g->iptrs = s->iptrs;
    for (int i = 0; i < 4; i++)
        if (s->mail[i] < g->mail[i])
            g->mail[i] = s->mail[i];
}

static void compare(struct gen *g, int yes, int no)
{
    static const char *const cmp[] = {"==", "!=", "<", "<=", ">", ">="};
    const char *x = any_int(g), *y = any_int(g);
    say(g, "if %s %s %s then b%d else b%d", x, cmp[rnd(g, 6)], y, yes, no);
}

/* Ways that come together, and what a merge gets from each: the same value from some. */
struct ways {
    int n, block[3];
    char value[3][24], outer[24];
};

/* The block at hand is the last one of a way. */
static void end_way(struct gen *g, struct ways *w)
{
    w->block[w->n] = g->block;
    snprintf(w->value[w->n], sizeof w->value[0], "%s", rnd(g, 2) ? any_int(g) : w->outer);
    w->n++;
}

static void merge(struct gen *g, const struct ways *w)
{
    char third[48] = "";
    if (w->n > 2)
        snprintf(third, sizeof third, ", b%d: %s", w->block[2], w->value[2]);
    say(g, "v%d = phi b%d: %s, b%d: %s%s bits -32", g->next, w->block[0], w->value[0], w->block[1], w->value[1], third);
    add(g, &g->ints);
}

static void branch(struct gen *g)
{
    int yes = g->next++, no = g->next++, more = g->next++, join = g->next++;
    struct ways w = {0};
    struct saved s;
    snprintf(w.outer, sizeof w.outer, "%s", any_int(g));
    compare(g, yes, no);
    save(g, &s);
    label(g, yes);
    statements(g, 1 + rnd(g, 4));
    end_way(g, &w);
    say(g, "goto b%d", join);
    restore(g, &s);
    label(g, no);
    if (rnd(g, 2))
        statements(g, 1 + rnd(g, 4));
    end_way(g, &w);
    if (rnd(g, 2)) {
        compare(g, join, more);
        label(g, more);
        if (rnd(g, 2))
            statements(g, 1 + rnd(g, 3));
        end_way(g, &w);
    }
    say(g, "goto b%d", join);
    restore(g, &s);
    label(g, join);
    if (rnd(g, 4))
        merge(g, &w);
}

static void loop(struct gen *g)
{
    int head = g->next++, body = g->next++, done = g->next++, i = g->next++, j = g->next++, c = g->next++,
        before = g->block, outer = g->loop_exit;
    char n[24];
    struct saved s;
    snprintf(n, sizeof n, "%s", any_int(g));
    memset(g->mail, 0, sizeof g->mail);
    say(g, "goto b%d", head);
    label(g, head);
    fprintf(g->out, "  v%d = phi b%d: 0, b%d: v%d\n", i, before, head + 100000,
            j); /* the latch, whose number is fixed */
    say(g, "v%d = lt v%d, %s", c, i, n);
    say(g, "v%d = lt v%d, 3", g->next, i);
    say(g, "v%d = mul v%d, v%d", g->next + 1, c, g->next);
    say(g, "if v%d == 1 then b%d else b%d", g->next + 1, body, done);
    g->next += 2;
    save(g, &s);
    if (g->ints.n < MAX_NAMES)
        g->ints.a[g->ints.n++] = i;
    g->loop_exit = done;
    label(g, body);
    statements(g, 2 + rnd(g, 4));
    say(g, "goto b%d", head + 100000);
    label(g, head + 100000);
    say(g, "v%d = add v%d, 1", j, i);
    say(g, "goto b%d", head);
    g->loop_exit = outer;
    restore(g, &s);
    memset(g->mail, 0, sizeof g->mail);
    label(g, done);
}

/* Break, exit, abort: seldom taken. */
static void leave(struct gen *g)
{
    int out = g->next++, on = g->next++;
    const char *x = any_int(g);
    bool brk = g->loop_exit >= 0 && rnd(g, 2);
    say(g, "if %s == %d then b%d else b%d", x, 5 + rnd(g, 4), brk ? g->loop_exit : out, on);
    if (!brk) {
        label(g, out);
        if (rnd(g, 2)) {
            say(g, "call abort()");
            say(g, "stop");
        } else {
            say(g, "call exit(0)");
            say(g, "stop");
        }
    }
    label(g, on);
}

static void plain_statement(struct gen *g)
{
    static void (*const plain[])(struct gen *) = {
        int_load,  int_load,      int_store,     int_store, ptr_load, ptr_load, ptr_store,
        ptr_store, arithmetic,    arithmetic,    address,   address,  choose,   block_copy,
        allocate,  function_call, function_call, message,   message,  message,  hidden};
    plain[rnd(g, sizeof plain / sizeof *plain)](g);
}

static void statements(struct gen *g, int n)
{
    g->level++;
    while (n-- > 0 && g->budget-- > 0) {
        int k = rnd(g, 28);
        if (k < 21)
            plain_statement(g);
        else if (k > 25)
            load_again(g);
        else if (g->level > 3)
            int_store(g);
        else if (k < 23)
            branch(g);
        else if (k < 25)
            loop(g);
        else
            leave(g);
    }
    g->level--;
}

/* ---- functions ---- */

static void fill_struct(struct gen *g, const char *obj)
{
    static const int ptr_fields[] = {8, 16, 24};
    for (int i = 0; i < 3; i++)
        say(g, "store @%s+%d 8 = @g%d", obj, ptr_fields[i], rnd(g, 3));
    for (int i = 0; i < 6; i++)
        say(g, "store @%s+%d 4 = %d", obj, i < 2 ? 4 * i : 24 + 4 * i, rnd(g, 5));
}

static void begin(struct gen *g, int func, const char *head, int budget)
{
    fprintf(g->out, "func %s {\n", head);
    g->func = func;
    g->budget = budget;
    g->loop_exit = -1;
    g->ints.n = g->ptrs.n = g->iptrs.n = 0;
    memset(g->mail, 0, sizeof g->mail);
}

static void helper(struct gen *g, int func, const char *head, const char *locals, const char *values, int nints,
                   int nptrs)
{
    begin(g, func, head, 7);
    fprintf(g->out, "  local l 48\n%s", locals);
    label(g, g->next++);
    fill_struct(g, "l");
    for (int i = 0; i < nints + nptrs; i++) {
        say(g, "v%d = %c", g->next, values[i]);
        add(g, i < nints ? &g->ints : &g->ptrs);
    }
    statements(g, 7);
}

static void helpers(struct gen *g)
{
    helper(g, 0, "h1(p, x)", "", "xp", 1, 1);
    say(g, "return %s\n}", any_int(g));
    helper(g, 0, "h2(p, x)", "", "xp", 1, 1);
    say(g, "return %s\n}", any_int(g));
    helper(g, 0, "f1(p, x)", "", "xp", 1, 1);
    say(g, "return %s\n}", any_int(g));
    helper(g, 1, "f2(p, q)", "", "pq", 0, 2);
    say(g, "return %s\n}", g->ptrs.n ? text("v%d", pick(g, &g->ptrs)) : "p");
    helper(g, 2, "f3({@s}, x) result @r", "  local s 48\n  local r 48\n", "x", 1, 0);
    say(g, "copy @r 48 = @s 48");
    say(g, "store @r+8 8 = %s",
        any_ptr(g)[0] == '@' ? "@g1" : text("v%d", g->ptrs.n ? pick(g, &g->ptrs) : g->ints.a[0]));
    say(g, "store @r+4 4 = %s", any_int(g));
    say(g, "return load @r 48\n}");
    begin(g, 2, "rec(p, n)", 6);
    fprintf(g->out, "  local l 48\n");
    label(g, g->next++);
    fill_struct(g, "l");
    int stop = g->next++, on = g->next++, v = g->next++;
    say(g, "if n <= 0 then b%d else b%d", stop, on);
    label(g, stop);
    say(g, "return %d", rnd(g, 5));
    label(g, on);
    statements(g, 6);
    say(g, "q%d = load p+8 8", v);
    say(g, "m%d = sub n, 1", v);
    say(g, "r%d = call rec(q%d, m%d)", v, v, v);
    say(g, "return %s\n}", rnd(g, 2) ? text("r%d", v) : any_int(g));
}

char *random_program(uint64_t seed)
{
    char *out = NULL;
    size_t len = 0;
    struct gen g = {.r = {seed * 2654435761u + 12345}};
    g.out = open_memstream(&out, &len);
    for (int i = 0; i < 3; i++)
        fprintf(g.out, "global g%d 48\n", i);
    for (int i = 0; i < 4; i++)
        fprintf(g.out, "global i%d 4 zeroed\n", i);
    fputs("global p0 8 = @g0\nglobal p1 8 = @g1\nglobal ga 144 zeroed\nglobal st 20 zeroed\n"
          "global tab 16 readonly\n  init @tab 8 = @h1\n  init @tab+8 8 = @h2\n",
          g.out);
    for (int i = 0; i < 30; i++)
        rnd(&g, 2);
    helpers(&g);
    begin(&g, 9, "main(argc, argv) entry", 30);
    fprintf(g.out, "  local l0 48\n");
    label(&g, g.next++);
    fill_struct(&g, "g0");
    fill_struct(&g, "g1");
    fill_struct(&g, "g2");
    fill_struct(&g, "l0");
    say(&g, "copy @ga 48 = @g0 48");
    say(&g, "copy @ga+48 48 = @g1 48");
    say(&g, "copy @ga+96 48 = @g2 48");
    say(&g, "v%d = argc", g.next);
    add(&g, &g.ints);
    statements(&g, 30);
    for (int i = 0; i < 3; i++) {
        say(&g, "x%d = load %s 4", i, any_iptr(&g));
        say(&g, "p%d = load %s+8 8", i, any_ptr(&g));
        say(&g, "y%d = load p%d+0%%4[32:48] 4 with x%d", i, i, i);
        say(&g, "call MPI_Send(@i0, x%d, 0x4c000405, y%d, 9, 0x44000000)", i, i);
    }
    say(&g, "return 0\n}");
    fclose(g.out);
    return out;
}

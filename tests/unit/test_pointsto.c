/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of slicer/pointsto/pointsto.c: tables of small programs and the sets that their values must hold, and
 * random programs that are run, whose every value must be in its set. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/decide.h"
#include "slicer_interp.h"
#include "slicer_kit.h"
#include "suite.h"

/* expect: "text=set; text=set": what the value defined by the statement of that text may be. */
static const struct {
    const char *what, *text, *expect;
} table[] = {
    {"fields of a struct are apart",
     "global s 24; global a 4; global b 4\n"
     "func main() entry { store @s 8 = @a; store @s+8 8 = @b; x = load @s 8 'x'; y = load @s+8 8 'y'; z = load @s+16 8 "
     "'z' }",
     "x=a; y=b; z="},
    {"a load that straddles two fields gets both",
     "global s 24; global a 4; global b 4\n"
     "func main() entry { store @s 8 = @a; store @s+8 8 = @b; x = load @s+4 8 'x'; y = load @s * 'y' }",
     "x=a b; y=a b"},
    {"member of every element of an array of structs",
     "global g 240; global a 4; global b 4\n"
     "func main(i) entry { p = field @g+0%24[0:240], i; store p 8 = @a; store p+8 8 = @b; q = field @g+0%24[0:240], i;"
     " x = load q 8 'x'; y = load q+8 8 'y'; z = load @g+48 8 'z'; w = load @g+56 8 'w' }",
     "x=a; y=b; z=a; w=b"},
    {"an array in a struct does not reach its neighbours",
     "global s 32; global a 4; global b 4\n"
     "func main(i) entry { store @s 8 = @a; p = field @s+0%8[8:24], i; store p 8 = @b; x = load @s 8 'x'; y = load "
     "@s+16 8 'y'; z = load @s+24 8 'z' }",
     "x=a; y=b; z="},
    {"container_of leaves the member",
     "global s 24; global a 4\n"
     "func main() entry { store @s 8 = @a; m = field @s+8; p = ptradd m, -8 'p'; x = load p 8 'x' }",
     "p=s; x=a"},
    {"copy of a struct, field by field",
     "global s 16; global t 16; global a 4; global b 4\n"
     "func main() entry { store @s 8 = @a; store @s+8 8 = @b; copy @t 16 = @s 16; x = load @t 8 'x'; y = load @t+8 8 "
     "'y' }",
     "x=a; y=b"},
    {"copy of a part to another offset",
     "global s 16; global t 32; global a 4; global b 4\n"
     "func main() entry { store @s 8 = @a; store @s+8 8 = @b; copy @t+16 8 = @s+8 8; x = load @t+16 8 'x'; y = load "
     "@t+24 8 'y'; z = load @t 8 'z' }",
     "x=b; y=; z="},
    {"what is stored after the copy statement comes through too (no order)",
     "global s 16; global t 16; global a 4\n"
     "func main() entry { copy @t 16 = @s 16; store @s+8 8 = @a; x = load @t+8 8 'x' }",
     "x=a"},
    {"memcpy between heap objects",
     "global a 4; global b 4\n"
     "func main() entry { p = call malloc(16); q = call malloc(16); store p 8 = @a; store p+8 8 = @b; r = call "
     "memcpy(q, p, 16) 'r';"
     " x = load q+8 8 'x'; y = load r 8 'y' }",
     "x=b; y=a; r=heap"},
    {"pointers in heap objects: a list",
     "global a 4\n"
     "func main(n) entry { b0: goto b1; b1: l = phi b0: 0, b1: p 'l'; p = call malloc(16); store p 8 = l; store p+8 8 "
     "= @a; if n < 3 then b1 else b2;"
     " b2: q = load p 8 'q'; r = load q 8 'r'; x = load r+8 8 'x' }",
     "l=0 heap; q=0 heap; r=0 heap; x=a"},
    {"two allocations are two objects",
     "global a 4; global b 4\n"
     "func main() entry { p = call malloc(8); q = call malloc(8); store p 8 = @a; store q 8 = @b; x = load p 8 'x'; y "
     "= load q 8 'y' }",
     "x=a; y=b"},
    {"calloc is zero, malloc is nothing",
     "func main() entry { p = call calloc(1, 8); q = call malloc(8); x = load p 4 'x'; y = load q 4 'y' }", "x=0; y="},
    {"realloc keeps the content",
     "global a 4\n"
     "func main() entry { p = call malloc(8); store p 8 = @a; q = call realloc(p, 16); x = load q 8 'x'; y = load q+8 "
     "8 'y' }",
     "x=a; y="},
    {"posix_memalign stores a pointer",
     "global m 8\nfunc main() entry { call posix_memalign(@m, 16, 64); p = load @m 8 'p' }", "p=heap"},
    {"the end pointer of strtol",
     "global s 16; global e 8\nfunc main() entry { call strtol(@s, @e, 10); p = load @e 8 'p' }", "p=s+*"},
    {"strchr gives its argument, moved, or null", "global s 16\nfunc main() entry { p = call strchr(@s+4, 32) 'p' }",
     "p=0 s+*"},
    {"functions in a table",
     "global t 16 readonly\n init @t 8 = @f\n init @t+8 8 = @g\n func f() { return 1 }\n func g() { return 2 }\n"
     " func h() { return 3 }\n"
     "func main(i) entry { p = field @t+0%8[0:16], i; q = load p 8 'q'; x = call *q() 'x'; y = load @t+8 8 'y' }",
     "q=f g; x=1 2; y=g"},
    {"arguments and results of a call through a pointer",
     "global a 4; global b 4\n func f(p, q) { return q }\n"
     "func main(c) entry { r = copy @f; x = call *r(@a, @b) 'x' }",
     "x=b"},
    {"recursion",
     "global a 4; global b 4\n"
     "func f(p, n) { b0: if n < 1 then b1 else b2; b1: return p; b2: m = sub n, 1; x = call f(@b, m); return x }\n"
     "func main(n) entry { y = call f(@a, n) 'y' }",
     "y=a b"},
    {"a struct passed by value, another returned",
     "global s 16; global t 16; global a 4; global b 4\n"
     "func f({@p}) result @r { local p 16; local r 16; x = load @p+8 8 'x'; store @r 8 = x; return load @r 16 }\n"
     "func main() entry { store @s 8 = @a; store @s+8 8 = @b; store @t 16 = call f({@s 16}); y = load @t 8 'y'; z = "
     "load @t+8 8 'z' }",
     "x=b; y=b; z="},
    {"an addressable parameter",
     "global a 4\n func f(v) { local p 8; entry @p 8 = v; q = copy @p; x = load q 8 'x'; return }\n"
     " func main() entry { call f(@a) }",
     "x=a"},
    {"constants, and when they become any integer",
     "global g 4\n"
     "func main(n) entry { b0: if n < 3 then b1 else b2; b1: goto b2; b2: x = phi b0: 5, b1: 7 'x'; store @g 4 = x; y "
     "= load @g 4 'y'; z = add x, 1 'z';"
     " c = lt x, 6 'c'; w = load @g 2 'w' }",
     "x=5 7; y=5 7; z=int; c=0 1; w=int"},
    {"more than eight constants",
     "global g 4\n func main() entry { store @g 4 = 1; store @g 4 = 2; store @g 4 = 3; store @g 4 = 4; store @g 4 = 5; "
     "store @g 4 = 6; store @g 4 = 7;"
     " store @g 4 = 8; store @g 4 = 9; x = load @g 4 'x' }",
     "x=1 2 3 4 5 6 7 8 int"},
    {"a phi hears only of ways that can be taken",
     "func main(n) entry { b0: if n < 3 then b1 else never b2; b1: goto b2; b2: x = phi b0: 5, b1: 7 'x' }", "x=7"},
    {"select, and a cast to an integer and back",
     "global a 4; global b 4\nfunc main(n) entry { x = select n, @a, @b 'x'; i = copy x; j = mix i, -8; y = copy j 'y' "
     "}",
     "x=a b; y=a+* b+* int"},
    {"a loop over an array by pointer",
     "global a 80\nfunc main(n) entry { b0: goto b1; b1: p = phi b0: @a, b1: q 'p'; q = ptradd p, 8 'q'; if n < 9 then "
     "b1 else b2; b2: return }",
     "p=a a+0%8 a+16 a+24 a+32 a+40 a+48 a+56 a+64 a+72 a+8 a+80 a+88"},
    {"initial content",
     "global s 16\n init @s 8 = @a\n init @s+8 4 = 17\nglobal a 4\nglobal z 8 zeroed\n"
     "func main() entry { x = load @s 8 'x'; y = load @s+8 4 'y'; z = load @z 8 'z' }",
     "x=a; y=17; z=0"},
    {"a variable that is defined elsewhere may hold anything from outside, and what was given away",
     "global ext 8 external; global a 4\n"
     "func main() entry { x = load @ext 8 'x'; call frob(@a); y = load @ext 8 'y' }",
     "x=a+* ext+* external memory+* int; y=a+* ext+* external memory+* int"},
    {"what an unknown function was given it may give back or store anywhere it can reach",
     "global a 4; global b 8; global c 8\n"
     "func main() entry { x = call frob(@a, @b) 'x'; y = load @b 8 'y'; z = load @c 8 'z' }",
     "x=a a+* b b+* external memory+* int; y=a+* b+* external memory+* int; z="},
    {"qsort passes elements to its function",
     "global v 80; global w 8\n func cmp(a, b) { x = copy a 'x'; return 0 }\n"
     " func main() entry { call qsort(@v, 10, 8, @cmp) }",
     "x=v+*"},
    {"handles of MPI are objects, by the call that makes them",
     "global c 4; global d 4; global r 4\n"
     "func main() entry { call MPI_Comm_dup(0x44000000, @c); call MPI_Comm_split(0x44000000, 0, 0, @d); x = load @c 4 "
     "'x'; y = load @d 4 'y';"
     " call MPI_Isend(@c, 1, 0x4c000405, 0, 7, 0x44000000, @r); z = load @r 4 'z' }",
     "x=communicator; y=communicator; z=request"},
    {"argv", "func main(argc, argv) entry { p = load argv+8 8 'p'; q = load p 1 'q'; c = copy argc 'c' }",
     "p=h:argv text+* int; q=int; c=int"},
    {"stdout is a stream of its own", "global stdout 8 external\nfunc main() entry { x = load @stdout 8 'x' }",
     "x=h:stdout"},
    {"a variable of a library that is a hidden state",
     "global optarg 8 external\nfunc main(argc, argv) entry { call getopt(argc, argv, 0); x = load @optarg 8 'x'; y = "
     "copy @optarg 'y' }",
     "x=h:argv text+* h:argv+* int; y=h:getopt+*"},
    {"a callback gives away what it returns",
     "global a 4; global ext 8 external\n func make() { return @a }\n"
     "func main() entry { call frob(@make); x = load @ext 8 'x' }",
     "x=a+* ext+* external memory+* int make"},
    {"a function that is not called is not analysed",
     "global s 8; global a 4\n func f() { store @s 8 = @a; return }\n func main() entry { x = load @s 8 'x' }", "x="},
    {"inline assembly may return what it was given", "global a 8\nfunc main() entry { x = asm(@a) 'x' }",
     "x=a+* external memory+* int"},
};

static void expect(struct kit_solved *k, const char *what, const char *pairs)
{
    char *copy = strdup(pairs), *save = NULL;
    for (char *p = strtok_r(copy, ";", &save); p; p = strtok_r(NULL, ";", &save)) {
        p += strspn(p, " ");
        char *eq = strchr(p, '=');
        *eq = 0;
        const char *is = kit_at(k, p);
        ck_assert_msg(!strcmp(is, eq + 1), "%s: %s is { %s }, not { %s }", what, p, is, eq + 1);
    }
    free(copy);
}

START_TEST(sets)
{
    struct kit_solved k;
    kit_solve(&k, table[_i].text);
    expect(&k, table[_i].what, table[_i].expect);
    kit_solved_free(&k);
}
END_TEST

static int calls(struct kit_solved *k, const char *text, const char *func)
{
    return cs_intset_has(cs_pts_callees(k->pts, kit_stmt(k->g, text)), kit_func(k->g, func));
}

START_TEST(call_graph)
{
    struct kit_solved k;
    kit_solve(
        &k,
        "func a(f) { call *f() 'through' ; return }\n func b() { return }\n func c() { return }\n func d() { return }\n"
        " func e() exported { return }\n"
        "func main() entry { call a(@b); call a(@c); call atexit(@d) 'atexit' }");
    ck_assert(calls(&k, "through", "b") && calls(&k, "through", "c") && !calls(&k, "through", "d"));
    ck_assert(cs_pts_func_reached(k.pts, kit_func(k.g, "d")) && cs_pts_func_reached(k.pts, kit_func(k.g, "e")));
    ck_assert(cs_pts_escaped(k.pts, k.g->funcs[kit_func(k.g, "e")].obj));
    kit_solved_free(&k);
}
END_TEST

/* A virtual call reaches its family, whatever tables its object may have; where it finds none of it, what it finds. */
START_TEST(families)
{
    struct kit_solved k;
    kit_solve(&k, "global t 8 = @f; global u 8 = @g\n"
                  "func f(x) family 2 { a = add x, 1; return a }\n"
                  "func g(y) family 1 { a = add y, 2; return a }\n"
                  "func main(i) entry { if i == 0 then one else two; one: goto all; two: goto all;\n"
                  "all: p = phi one: @t, two: @u; v = load p 8; r = call *v(7) family 2 'own';\n"
                  "w = load @u 8; s = call *w(8) family 2 'foreign'; q = call *v(9) 'any' }");
    ck_assert(calls(&k, "own", "f") && !calls(&k, "own", "g"));
    ck_assert(calls(&k, "foreign", "g"));
    ck_assert(calls(&k, "any", "f") && calls(&k, "any", "g"));
    kit_solved_free(&k);
}
END_TEST

START_TEST(constants)
{
    int64_t v = 0;
    struct kit_solved k;
    kit_solve(&k,
              "global g 4 readonly = 17\nfunc main(n) entry { x = load @g 4 'x'; y = add x, n 'y'; z = copy 3 'z' }");
    ck_assert(cs_pts_constant(k.pts, kit_def(k.g, "x"), &v) && v == 17);
    ck_assert(!cs_pts_constant(k.pts, kit_def(k.g, "y"), &v));
    ck_assert(cs_pts_constant(k.pts, kit_def(k.g, "z"), &v) && v == 3);
    ck_assert(cs_pts_constant(k.pts, cs_opnd_const(-5), &v) && v == -5);
    ck_assert(!cs_pts_constant(k.pts, cs_opnd_none(), &v));
    kit_solved_free(&k);
}
END_TEST

/* One copy in a helper that many call, beyond the number of pairs that are linked one by one: fields stay apart. */
START_TEST(many_copies)
{
    enum { N = 20 };
    struct kit_solved k;
    char text[8192], *p = text;
    p += sprintf(p, "global b 4\n");
    for (int i = 0; i < N; i++)
        p += sprintf(p, "global a%d 4; global s%d 16; global t%d 24\n", i, i, i);
    p += sprintf(p, "func f(d, s) { copy d+8 16 = s 16; return }\nfunc main() entry {\n");
    for (int i = 0; i < N; i++)
        p += sprintf(p, "store @s%d 8 = @b; store @s%d+8 8 = @a%d; call f(@t%d, @s%d)\n", i, i, i, i, i);
    sprintf(p, "w = load @t3 8 'w'; x = load @t3+8 8 'x'; y = load @t3+16 8 'y' }");
    kit_solve(&k, text);
    ck_assert_str_eq(kit_at(&k, "w"), "");
    ck_assert_str_eq(kit_at(&k, "x"), "b");
    const struct cs_intset *y = cs_pts_operand(k.pts, kit_def(k.g, "y"));
    ck_assert_int_eq(y->n, N);
    for (int i = 0; i < N; i++) {
        char name[8];
        sprintf(name, "a%d", i);
        ck_assert(cs_pts_may_point_to(k.pts, kit_def(k.g, "y"), kit_obj(k.g, name)));
    }
    kit_solved_free(&k);
}
END_TEST

/* A row may say that the result is in many places: none is dropped. */
START_TEST(many_results)
{
    struct kit_solved k;
    kit_solve_with(&k, "global a 4\nfunc main() entry { p = call many(1, 2, 3, 4, 5, 6, @a) 'p' }",
                   "many realloc0 realloc1 realloc2 realloc3 realloc4 realloc5 ret=6\n");
    ck_assert(cs_pts_may_point_to(k.pts, kit_def(k.g, "p"), kit_obj(k.g, "a")));
    ck_assert_str_eq(kit_at(&k, "p"), "0 a+* heap heap heap heap heap heap");
    kit_solved_free(&k);
}
END_TEST

/* Huge constants must not overflow. */
START_TEST(extremes)
{
    struct kit_solved k;
    kit_solve(
        &k, "global g 4\nfunc main(n) entry { x = ptradd 9223372036854775807, 9223372036854775807 'x'; y = ptradd @g, "
            "9223372036854775807 'y';"
            " z = ptradd -9223372036854775808, -1 'z'; w = load y 4; store z 4 = x }");
    ck_assert_ptr_nonnull(strstr(kit_at(&k, "x"), "int"));
    ck_assert_ptr_nonnull(strstr(kit_at(&k, "z"), "int"));
    kit_solved_free(&k);
}
END_TEST

/* ---- the oracle ---- */

struct oracle {
    struct kit_solved *k;
    uint64_t seed;
};

static int context_of(const struct cs_graph *g, int obj, int call)
{
    for (int o = 0; o < g->nobjs; o++)
        if (g->objs[o].kind == CS_OBJ_HEAP && g->objs[o].parent == obj && g->objs[o].stmt == call)
            return o;
    return -1;
}

/* Wrappers of malloc: the object for just the calls that led to it, as far as there is one. */
static bool is_heap(const struct kit_solved *k, struct interp *it, int obj, int inst)
{
    const struct cs_obj *o = &k->g->objs[obj];
    int root = obj, is;
    while (o->kind == CS_OBJ_HEAP && k->g->objs[root].parent >= 0)
        root = k->g->objs[root].parent;
    if (o->kind != CS_OBJ_HEAP || k->g->objs[root].stmt != interp_maker(it, inst))
        return false;
    is = root;
    for (int up = 0, next; (next = context_of(k->g, is, interp_call(it, inst, up))) >= 0; up++)
        is = next;
    return obj == is;
}

static bool is_obj(const struct kit_solved *k, struct interp *it, int obj, int inst)
{
    if (interp_maker(it, inst) < 0)
        return obj == interp_obj(it, inst);
    return is_heap(k, it, obj, inst);
}

static bool holds(const struct kit_solved *k, struct interp *it, const struct cs_loc *l, struct interp_val v)
{
    if (v.kind == IV_INT)
        return l->obj == CS_LOC_INT || (l->obj == CS_LOC_CONST && l->pat.off == v.n);
    if (l->obj < 0)
        return false;
    if (v.kind == IV_FUNC)
        return k->g->objs[l->obj].kind == CS_OBJ_FUNC && k->g->objs[l->obj].func == v.n;
    if (!is_obj(k, it, l->obj, v.inst))
        return false;
    if (l->pat.stride == 0)
        return l->pat.off == v.off;
    return (v.off - l->pat.off) % l->pat.stride == 0 && v.off >= l->pat.lo && v.off <= l->pat.hi;
}

/* Is the object, or function, one of those that were taken as one, and the operand may be one of these? */
static bool holds_lost(const struct oracle *o, struct interp *it, struct cs_operand op, struct interp_val v)
{
    struct cs_graph *g = o->k->g;
    if (v.kind == IV_FUNC)
        return cs_pts_may_point_to(o->k->pts, op, g->funcs[v.n].obj);
    for (int i = 0; v.kind == IV_PTR && i < g->nobjs; i++)
        if (is_obj(o->k, it, i, v.inst) && cs_pts_lost(o->k->pts, i) && cs_pts_may_point_to(o->k->pts, op, i))
            return true;
    return false;
}

static void check_value(void *arg, struct interp *it, int stmt, struct interp_val v)
{
    struct oracle *o = arg;
    const struct cs_intset *s = cs_pts_operand(o->k->pts, cs_opnd_value(o->k->g->stmts[stmt].def));
    if (v.kind == IV_UNDEF)
        return;
    for (int i = 0; i < s->n; i++)
        if (holds(o->k, it, cs_pts_loc(o->k->pts, s->a[i]), v))
            return;
    if (holds_lost(o, it, cs_opnd_value(o->k->g->stmts[stmt].def), v))
        return;
    char *text = kit_text(o->k->g);
    fprintf(stderr, "%s", text);
    ck_abort_msg("seed %d: statement %d gets kind %d n %" PRId64 " object %s offset %" PRId64 ", not in { %s }",
                 (int)o->seed, stmt, v.kind, v.n, v.kind == IV_PTR ? cs_obj_name(o->k->g, interp_obj(it, v.inst)) : "",
                 v.off, kit_holds(o->k, cs_opnd_value(o->k->g->stmts[stmt].def)));
}

static void check_random(bool at_once, int round)
{
    const char *only = getenv("CS_SEED"), *n = getenv("CS_ROUNDS");
    int rounds = n ? atoi(n) : 60;
    for (int i = 0; i < (only ? 1 : rounds); i++) {
        struct kit_solved k;
        struct oracle o = {&k, only ? strtoull(only, NULL, 10) : (uint64_t)(round * rounds + i)};
        char *text = random_program(o.seed);
        if (at_once)
            kit_solve_at_once(&k, text);
        else
            kit_solve(&k, text);
        for (int argc = 0; argc < 4; argc++) {
            struct interp *it = interp_new(k.g, false, check_value, &o);
            interp_run(it, argc);
            interp_free(it);
        }
        kit_solved_free(&k);
        free(text);
    }
}

START_TEST(random_programs)
{
    check_random(false, _i);
}
END_TEST

START_TEST(random_programs_at_once)
{
    check_random(true, _i);
}
END_TEST

/* Each branch is known only after a solution that leaves out what the one before it leads to. */
static const char steps[] = "global a 4 = 1\nglobal b 4 = 1\nfunc main(argc) entry {\n"
                            "b0: if 1 == 0 then b1 else b2\nb1: store @a 4 = argc\ngoto b2\n"
                            "b2: x = load @a 4\nif x == 0 then b3 else b4\nb3: store @b 4 = argc\ngoto b4\n"
                            "b4: y = load @b 4\nif y == 0 then b5 else b6\n"
                            "b5: call MPI_Send(0, argc, 0x4c000405, 1, 7, 0x44000000)\ngoto b6\nb6: return 0\n}\n";

/* Decides the branches of `steps`; how many steps of points-to that takes. Of the last branch no way to `b5` is left.
 */
static int64_t decide_steps(struct cs_learnt *learnt)
{
    struct cs_graph *g = kit_graph(steps);
    struct cs_effects *fx = kit_effects(NULL);
    struct cs_models ms;
    struct cs_pts_budget budget = {.precise = INT64_MAX, .left = INT64_MAX};
    cs_models_init(&ms, g, fx);
    cs_error_exits_prune(g, fx, false);
    struct cs_pts *pts = cs_decide(g, &ms, &budget, learnt);
    const struct cs_func *f = &g->funcs[kit_func(g, "main")];
    ck_assert(f->blocks[4].reachable && !f->blocks[5].reachable);
    cs_pts_free(pts);
    cs_models_free(&ms);
    cs_effects_free(fx);
    cs_graph_free(g);
    return INT64_MAX - budget.left;
}

/* What one decision learnt spares the next one all but one solution. */
START_TEST(learnt)
{
    struct cs_learnt l = {0};
    int64_t first = decide_steps(&l), facts = l.n, second = decide_steps(&l);
    ck_assert_int_ge(facts, 3);
    ck_assert_int_eq(l.n, facts);
    ck_assert_msg(2 * second < first, "%lld steps, then %lld", (long long)first, (long long)second);
    ck_assert_int_eq(decide_steps(NULL), first);
    free(l.fact);
    free(l.lost);
}
END_TEST

/* Two kinds of memory from a wrapper, globals and a local, which one pointer may all mean; copied so often that
 * points-to takes them as one before its end, if that is asked at once. */
static struct cs_graph *one_pointer(void)
{
    static const char begin[] =
        "global a 8\nglobal b 8\nglobal other 8\nfunc malloc(n)\n"
        "func get(n) {\nb0: m = call malloc(n)\nreturn m\n}\n"
        "func main(argc) entry {\nlocal c 8\n"
        "b0: h = call get(8)\ni = call get(8)\nd = call malloc(8)\nif argc == 1 then b1 else b2\n"
        "b1: goto b3\nb2: goto b3\n"
        "b3: p = phi b1: @a, b2: @b\nq = phi b1: h, b2: i\nr = phi b1: p, b2: q\nt = phi b1: r, b2: d\n"
        "u = phi b1: t, b2: @c\nstore u 8 = u\nv = load u 8\nx0 = copy v\n";
    enum { COPIES = 20 };
    char text[sizeof begin + COPIES * 40];
    int n = snprintf(text, sizeof text, "%s", begin);
    for (int i = 0; i < COPIES; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "x%d = copy x%d\nstore x%d 8 = u\n", i + 1, i, i);
    snprintf(text + n, sizeof text - (size_t)n, "return 0\n}\n");
    return kit_graph(text);
}

/* Decides it of its text, as a slice stores it or before; how many objects are taken as one. */
static int decide_lost(struct cs_learnt *learnt, bool at_once)
{
    struct cs_graph *g = one_pointer();
    struct cs_effects *fx = kit_effects(NULL);
    struct cs_models ms;
    struct cs_pts_budget budget = {.precise = INT64_MAX, .left = INT64_MAX, .at_once = at_once};
    cs_models_init(&ms, g, fx);
    cs_error_exits_prune(g, fx, false);
    struct cs_pts *pts = cs_decide(g, &ms, &budget, learnt);
    int lost = cs_pts_widened(pts), other = kit_obj(g, "other");
    ck_assert(!cs_pts_lost(pts, other) && cs_pts_lost(pts, kit_obj(g, "a")) == (lost > 0));
    cs_pts_free(pts);
    cs_models_free(&ms);
    cs_effects_free(fx);
    cs_graph_free(g);
    return lost;
}

static bool has_lost(const struct cs_learnt *l, const struct cs_learnt_lost *o)
{
    bool has = false;
    for (int i = 0; i < l->nlost; i++)
        has |= !memcmp(&l->lost[i], o, sizeof *o);
    return has;
}

/* What one decision took as one, the next one does from the start, also what only the analyses make. */
START_TEST(learnt_lost)
{
    enum { OBJECTS = 6 }; /* a, b, c, what main allocates, and what the wrapper does for each of its calls */
    struct cs_learnt l = {0}, none = {0};
    int calls = 0;
    ck_assert_int_eq(decide_lost(&none, false), 0);
    ck_assert_int_eq(none.nlost, 0);
    ck_assert_int_ge(decide_lost(&l, true), OBJECTS);
    for (int i = 0; i < l.nlost; i++)
        calls += l.lost[i].ncalls;
    ck_assert_int_eq(calls, 2);
    int n = l.nlost;
    struct cs_learnt_lost *before = malloc((size_t)n * sizeof *before);
    memcpy(before, l.lost, (size_t)n * sizeof *before);
    ck_assert_int_eq(decide_lost(&l, false), n);
    ck_assert_int_eq(l.nlost, n);
    for (int i = 0; i < n; i++)
        ck_assert(has_lost(&l, &before[i]));
    free(before);
    free(l.fact);
    free(l.lost);
    free(none.fact);
    free(none.lost);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pointsto");
    TCase *c = tcase_create("all");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, sets, 0, sizeof table / sizeof *table);
    tcase_add_test(c, call_graph);
    tcase_add_test(c, families);
    tcase_add_test(c, constants);
    tcase_add_test(c, extremes);
    tcase_add_test(c, many_copies);
    tcase_add_test(c, many_results);
    tcase_add_test(c, learnt);
    tcase_add_test(c, learnt_lost);
    tcase_add_loop_test(c, random_programs, 0, 10);
    tcase_add_loop_test(c, random_programs_at_once, 0, 10);
    suite_add_tcase(s, c);
    return suite_main(s);
}

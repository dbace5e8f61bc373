/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of slicer/messages/variance.c: may ranks disagree on whether (how often) a call runs?
 * Too many yes only couple more collectives; a wrong no lets two sites meet that the slicer takes for apart. */
#include <stdlib.h>
#include <string.h>

#include "slicer/messages/variance.h"
#include "slicer_kit.h"
#include "suite.h"

#define W "0x44000000"
#define HEAD "global r 4; global n 4; global m 4; global buf 80; global s 24; global file 8 readonly\n"
#define RANK "call MPI_Comm_rank(" W ", @r); rank = load @r 4;"
/* The call that is asked about, under the condition x. */
#define UNDER(x) "if " x " then yes else no; yes: call MPI_Barrier(" W ") 'q'; goto no; no: return"
#define BCAST(where, count) "call MPI_Bcast(" where ", " count ", 0x4c000405, 0, " W ");"

static const struct {
    const char *what, *text;
    bool variant;
} table[] = {
    {"no condition", HEAD "func main(a) entry { " RANK " call MPI_Barrier(" W ") 'q'; return }", false},
    {"the rank", HEAD "func main(a) entry { " RANK UNDER("rank == 0") " }", true},
    {"the number of ranks",
     HEAD "func main(a) entry { call MPI_Comm_size(" W ", @n); x = load @n 4;" UNDER("x > 4") " }", false},
    {"arguments of the program", HEAD "func main(a) entry { " UNDER("a > 4") " }", false},
    {"arithmetic on the rank", HEAD "func main(a) entry { " RANK "x = other rank; y = add x, a;" UNDER("y > 4") " }",
     true},
    {"through memory", HEAD "func main(a) entry { " RANK "store @s+8 4 = rank; x = load @s+8 4;" UNDER("x > 4") " }",
     true},
    {"another field",
     HEAD "func main(a) entry { " RANK "store @s+8 4 = rank; store @s 4 = a; x = load @s 4;" UNDER("x > 4") " }",
     false},
    {"through the copy of a struct",
     HEAD "global t 24\nfunc main(a) entry { " RANK
          "store @s+8 4 = rank; copy @t 24 = @s 24; x = load @t+8 4;" UNDER("x > 4") " }",
     true},
    {"through memcpy",
     HEAD "global t 24\nfunc main(a) entry { " RANK
          "store @s+8 4 = rank; call memcpy(@t, @s, 24); x = load @t+8 4;" UNDER("x > 4") " }",
     true},
    {"through the heap",
     HEAD "func main(a) entry { " RANK "p = call malloc(8); store p 4 = rank; x = load p 4;" UNDER("x > 4") " }", true},
    {"a merge under a branch on the rank",
     HEAD "func main(a) entry { b0: " RANK
          "if rank == 0 then b1 else b2; b1: goto b2; b2: x = phi b0: 1, b1: 2;" UNDER("x > 1") " }",
     true},
    {"a store under a branch on the rank",
     HEAD "func main(a) entry { b0: " RANK
          "if rank == 0 then b1 else b2; b1: store @n 4 = 1; goto b2; b2: x = load @n 4;" UNDER("x > 1") " }",
     true},
    {"a trip count that depends on the rank",
     HEAD "func main(a) entry { b0: " RANK
          "goto b1; b1: i = phi b0: 0, b2: j; if i < rank then b2 else b3; b2: call MPI_Barrier(" W
          ") 'q'; j = add i, 1; goto b1; b3: return }",
     true},
    {"after such a loop its counter differs too",
     HEAD "func main(a) entry { b0: " RANK
          "goto b1; b1: i = phi b0: 0, b2: j; if i < rank then b2 else b3; b2: j = add i, 1; goto b1; b3: " UNDER(
              "i > 3") " }",
     true},
    {"a value broadcast over the world is the same everywhere",
     HEAD "func main(a) entry { " RANK "store @n 4 = rank; call MPI_Bcast(@m, 1, 0x4c000405, 0, " W
          "); x = load @m 4;" UNDER("x > 1") " }",
     false},
    {"an allreduce over the world",
     HEAD "func main(a) entry { " RANK "store @n 4 = rank; call MPI_Allreduce(@n, @m, 1, 0x4c000405, 0x58000003, " W
          "); x = load @m 4;" UNDER("x > 1") " }",
     false},
    {"an allreduce over a part of the world",
     HEAD "global c 4\nfunc main(a) entry { " RANK "call MPI_Comm_split(" W
          ", rank, 0, @c); h = load @c 4; call MPI_Allreduce(@n, @m, 1, 0x4c000405, 0x58000003, h);"
          " x = load @m 4;" UNDER("x > 1") " }",
     true},
    {"a reduce to one root",
     HEAD "func main(a) entry { call MPI_Reduce(@n, @m, 1, 0x4c000405, 0x58000003, 0, " W
          "); x = load @m 4;" UNDER("x > 1") " }",
     true},
    {"a scan",
     HEAD "func main(a) entry { call MPI_Scan(@n, @m, 1, 0x4c000405, 0x58000003, " W
          "); x = load @m 4;" UNDER("x > 1") " }",
     true},
    {"a received message",
     HEAD "func main(a) entry { call MPI_Recv(@n, 1, 0x4c000405, 0, 7, " W ", 1); x = load @n 4;" UNDER("x > 1") " }",
     true},
    {"a message received by a nonblocking call",
     HEAD "func main(a) entry { call MPI_Irecv(@n, 1, 0x4c000405, 0, 7, " W
          ", @m); call MPI_Wait(@m, 1); x = load @n 4;" UNDER("x > 1") " }",
     true},
    {"a status",
     HEAD "func main(a) entry { call MPI_Recv(@n, 1, 0x4c000405, -2, 7, " W
          ", @s); x = load @s+8 4;" UNDER("x > 1") " }",
     true},
    {"the error code of a call",
     HEAD "func main(a) entry { x = call MPI_Recv(@n, 1, 0x4c000405, 0, 7, " W ", 1);" UNDER("x != 0") " }", false},
    {"what a file holds",
     HEAD
     "func main(a) entry { f = call fopen(@file, @file); call fscanf(f, @file, @n); x = load @n 4;" UNDER("x > 1") " }",
     true},
    {"the clock", HEAD "func main(a) entry { x = call clock();" UNDER("x > 1") " }", true},
    {"MPI's clock", HEAD "func main(a) entry { x = call MPI_Wtime();" UNDER("x > 1") " }", true},
    {"the name of the host",
     HEAD "func main(a) entry { call gethostname(@buf, 80); x = load @buf 1;" UNDER("x > 1") " }", true},
    {"an unknown function", HEAD "func main(a) entry { x = call frob();" UNDER("x > 1") " }", true},
    {"random numbers of the same seed",
     HEAD "func main(a) entry { call srand(17); x = call rand();" UNDER("x > 1") " }", false},
    {"random numbers whose seed is the rank",
     HEAD "func main(a) entry { " RANK "call srand(rank); x = call rand();" UNDER("x > 1") " }", true},
    {"random numbers that some ranks draw more often",
     HEAD "func main(a) entry { b0: " RANK
          "if rank == 0 then b1 else b2; b1: call rand(); goto b2; b2: x = call rand();" UNDER("x > 1") " }",
     true},
    {"a pointer that depends on the rank",
     HEAD "global t 80 readonly\nfunc main(a) entry { " RANK
          "p = ptradd @t, rank * 4; x = load p 4;" UNDER("x > 1") " }",
     true},
    {"a function that gets the rank",
     HEAD "func f(v) { " UNDER("v > 1") " }\n func main(a) entry { " RANK "call f(rank); return }", true},
    {"a function called for some ranks only",
     HEAD "func f() { call MPI_Barrier(" W ") 'q'; return }\n func main(a) entry { b0: " RANK
          "if rank == 0 then b1 else b2; b1: call f(); goto b2; b2: return }",
     true},
    {"a function that gives the rank",
     HEAD "func f() { " RANK "return rank }\n func main(a) entry { x = call f();" UNDER("x > 1") " }", true},
    {"a function that gives one of two constants by the rank",
     HEAD "func f() { b0: " RANK
          "if rank == 0 then b1 else b2; b1: return 1; b2: return 2 }\n func main(a) entry { x = call f();" UNDER(
              "x > 1") " }",
     true},
    {"a table of functions by the rank",
     HEAD "func f() { call MPI_Barrier(" W
          ") 'q'; return }\n func g() { return }\n global t 16 readonly\n init @t 8 = @f\n init @t+8 8 = @g\n"
          "func main(a) entry { " RANK "p = ptradd @t, rank * 8; h = load p 8; call *h(); return }",
     true},
    {"a callback of the library",
     HEAD "func cmp(x, y) { call MPI_Barrier(" W ") 'q'; return 0 }\n func main(a) entry { " RANK
          "store @buf 4 = rank; call qsort(@buf, 10, 8, @cmp); return }",
     true},
    {"an early return for some ranks",
     HEAD "func main(a) entry { b0: " RANK "if rank == 0 then b1 else b2; b1: return; b2: call MPI_Barrier(" W
          ") 'q'; return }",
     true},
    {"a struct argument",
     HEAD "func f({p}) { local p 24; x = load @p+8 4;" UNDER("x > 1") " }\n func main(a) entry { " RANK
                                                                      "store @s+8 4 = rank; call f({@s 24}); return }",
     true},
    {"a struct result",
     HEAD "func f() result @o { local o 24; " RANK "store @o+8 4 = rank; return load @o 24 }\n"
          "func main(a) entry { store @s 24 = call f(); x = load @s+8 4;" UNDER("x > 1") " }",
     true},
    {"coordinates in a grid",
     HEAD "func main(a) entry { call MPI_Cart_coords(" W ", 0, 2, @buf); x = load @buf 4;" UNDER("x > 1") " }", true},
    {"a switch on the rank",
     HEAD "func main(a) entry { " RANK "switch rank goto yes, no; yes: call MPI_Barrier(" W
          ") 'q'; goto no; no: return }",
     true},
    {"a return in a loop that some ranks leave early",
     HEAD "func main(a) entry { b0: " RANK
          "goto b1; b1: i = phi b0: 0, b3: j; if i < 9 then b2 else b4; b2: if rank == i then b4 else b3;"
          " b3: call MPI_Barrier(" W ") 'q'; j = add i, 1; goto b1; b4: return }",
     true},
    {"exit for some ranks, then a barrier",
     HEAD "func main(a) entry { b0: " RANK
          "if rank == 0 then b1 else b2; b1: call exit(0); stop; b2: call MPI_Barrier(" W ") 'q'; return }",
     true},
    {"a callee that returns early decides nothing for its caller",
     HEAD "func f(v) { b0: if v == 0 then b1 else b2; b1: return; b2: store @n 4 = 1; return }\n"
          "func main(a) entry { " RANK "call f(rank); call MPI_Barrier(" W ") 'q'; return }",
     false},
    {"a struct result that is copied from another",
     HEAD "func f() result @o { local o 24; local t 24; " RANK "store @t+8 4 = rank; return load @t 24 }\n"
          "func main(a) entry { store @s 24 = call f(); x = load @s+8 4;" UNDER("x > 1") " }",
     true},
    {"a variable that differs until it is broadcast",
     HEAD "func main(a) entry { " RANK "store @n 4 = rank;" BCAST("@n", "1") "x = load @n 4;" UNDER("x > 1") " }",
     false},
    {"before it is broadcast",
     HEAD "func main(a) entry { " RANK "store @n 4 = rank; x = load @n 4;" BCAST("@n", "1") UNDER("x > 1") " }", true},
    {"half of it is broadcast",
     HEAD "func main(a) entry { " RANK
          "store @s 4 = rank; store @s+4 4 = rank;" BCAST("@s", "1") "x = load @s+4 4;" UNDER("x > 1") " }",
     true},
    {"it differs again",
     HEAD "func main(a) entry { " RANK BCAST("@n", "1") "store @n 4 = rank; x = load @n 4;" UNDER("x > 1") " }", true},
    {"it differs again, in the round before",
     HEAD "func main(a) entry { b0: " RANK "goto b1; b1: x = load @n 4; " BCAST(
         "@n", "1") "store @n 4 = rank; if x > 1 then b2 else b3; b2: call MPI_Barrier(" W ") 'q'; goto b3;"
                    " b3: if a > 1 then b1 else b4; b4: return }",
     true},
    {"it is broadcast on one of two ways",
     HEAD "func main(a) entry { b0: " RANK "store @n 4 = rank; if a > 1 then b1 else b2; b1: " BCAST(
         "@n", "1") "goto b2; b2: x = load @n 4;" UNDER("x > 1") " }",
     true},
    {"it is broadcast on both",
     HEAD "func main(a) entry { b0: " RANK "store @n 4 = rank; if a > 1 then b1 else b2; b1: " BCAST(
         "@n", "1") "goto b3; b2: " BCAST("@n", "1") "goto b3; b3: x = load @n 4;" UNDER("x > 1") " }",
     false},
    {"a function broadcasts it, another reads it, also before",
     HEAD "func f() { " RANK "store @n 4 = rank;" BCAST(
         "@n", "1") "return }\n func g() { x = load @n 4; return x }\n"
                    "func main(a) entry { " RANK
                    "store @n 4 = rank; x = call g(); call f(); y = call g();" UNDER("y > 1") " }",
     true}, /* g is one for both calls */
    {"a function broadcasts it, another, called then, reads it",
     HEAD "func f() { " RANK
          "store @n 4 = rank;" BCAST("@n", "1") "return }\n func g() { x = load @n 4; return x }\n"
                                                "func main(a) entry { call f(); y = call g();" UNDER("y > 1") " }",
     false},
    {"a function that calls itself broadcasts it, or not",
     HEAD "func f(v) { b0: if v > 1 then b1 else b2; b1: call f(v); return; b2: " BCAST(
         "@n", "1") "return }\n"
                    "func main(a) entry { " RANK "store @n 4 = rank; call f(a); x = load @n 4;" UNDER("x > 1") " }",
     true},
    {"one of many on the heap is broadcast",
     HEAD "func f() { p = call malloc(8); return p }\n"
          "func main(a) entry { " RANK "p = call f(); q1 = call f(); store p 4 = rank; store q1 4 = rank;" BCAST(
              "p", "1") "x = load q1 4;" UNDER("x > 1") " }",
     true},
    {"the only one on the heap is broadcast",
     HEAD "func main(a) entry { " RANK
          "p = call malloc(8); store p 4 = rank;" BCAST("p", "1") "x = load p 4;" UNDER("x > 1") " }",
     false},
    {"two broadcasts of the world, and one of them is another's for some ranks",
     HEAD "func main(a) entry { b0: " RANK "if rank == 0 then b1 else b2; b1: " BCAST("@m", "1") "goto b2; b2: " BCAST(
         "@n", "1") "if rank == 0 then b4 else b3; b3: " BCAST("@buf",
                                                               "1") "goto b4; b4: x = load @n 4;" UNDER("x > 1") " }",
     true},
};

START_TEST(variant)
{
    struct kit_solved k;
    kit_solve(&k, table[_i].text);
    bool *v = cs_variance_compute(k.g, &k.ms, k.pts, k.cdep);
    ck_assert_msg(v[kit_stmt(k.g, "q")] == table[_i].variant, "%s: taken as %s", table[_i].what,
                  table[_i].variant ? "the same on all ranks" : "different");
    free(v);
    kit_solved_free(&k);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("variance");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, variant, 0, sizeof table / sizeof *table);
    suite_add_tcase(s, c);
    return suite_main(s);
}

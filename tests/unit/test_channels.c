/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of slicer/messages/message_channels.c: which sends may reach which receives, which sites of a collective
 * may meet. A missing pair is a wrong slice, one too many only a larger one. */
#include <stdio.h>
#include <string.h>

#include "slicer/messages/message_channels.h"
#include "slicer_kit.h"
#include "suite.h"

#define INT "0x4c000405"
#define DOUBLE "0x4c00080b"
#define W "0x44000000"
#define SELF "0x44000001"
#define SEND(to, type, tag, comm, name) "call MPI_Send(@b, 1, " type ", " to ", " tag ", " comm ") '" name "';"
#define RECV(from, type, tag, comm, name) "call MPI_Recv(@b, 1, " type ", " from ", " tag ", " comm ", 1) '" name "';"
#define BCAST(root, type, comm, name) "call MPI_Bcast(@b, 1, " type ", " root ", " comm ") '" name "';"
#define HEAD "global b 80; global r 4; global c 4; global d 4\n"
#define RANK "call MPI_Comm_rank(" W ", @r); rank = load @r 4;"

/* pairs: "send>receive", "send'receive" if only without data, and "a~b" for collectives, in the order of the
 * statements. */
static const struct {
    const char *what, *text, *pairs;
} table[] = {
    {"tags",
     HEAD "func main(n) entry {" SEND("1", INT, "7", W, "s7") SEND("1", INT, "8", W, "s8") RECV("0", INT, "7", W, "r7")
         RECV("0", INT, "8", W, "r8") "}",
     "s7>r7 s8>r8"},
    {"any tag",
     HEAD "func main(n) entry {" SEND("1", INT, "7", W, "s7") SEND("1", INT, "8", W, "s8")
         RECV("0", INT, "-1", W, "r") "}",
     "s7>r s8>r"},
    {"a tag that is computed",
     HEAD "func main(n) entry { t = add n, 1;" SEND("1", INT, "t", W, "s") RECV("0", INT, "7", W, "r7")
         RECV("0", INT, "8", W, "r8") "}",
     "s>r7 s>r8"},
    {"a tag that is one of two",
     HEAD "func main(n) entry { b0: if n < 3 then b1 else b2; b1: goto b2; b2: t = phi b0: 7, b1: 9;" SEND("1", INT,
                                                                                                           "t", W, "s")
         RECV("0", INT, "7", W, "r7") RECV("0", INT, "8", W, "r8") RECV("0", INT, "9", W, "r9") "}",
     "s>r7 s>r9"},
    {"communicators",
     HEAD "func main(n) entry { call MPI_Comm_dup(" W ", @c); x = load @c 4;" SEND("1", INT, "7", W, "sw")
         SEND("1", INT, "7", "x", "sx") SEND("1", INT, "7", SELF, "ss") RECV("0", INT, "7", W, "rw")
             RECV("0", INT, "7", "x", "rx") RECV("0", INT, "7", SELF, "rs") "}",
     "sw>rw sx>rx ss>rs"},
    {"two constructors that all ranks run make two communicators",
     HEAD "func main(n) entry { call MPI_Comm_dup(" W ", @c); call MPI_Comm_dup(" W
          ", @d); x = load @c 4; y = load @d 4;" SEND("1", INT, "7", "x", "sx") RECV("0", INT, "7", "y", "ry") "}",
     ""},
    {"two constructors, one for even ranks and one for odd ones, make one communicator",
     HEAD "func main(n) entry { b0: " RANK "if rank < 3 then b1 else b2; b1: call MPI_Comm_dup(" W
          ", @c); x = load @c 4;" SEND("1", INT, "7", "x", "s") "goto b3;"
                                                                " b2: call MPI_Comm_dup(" W
                                                                ", @d); y = load @d 4;" RECV(
                                                                    "0", INT, "7", "y", "r") "goto b3; b3: return }",
     "s>r"},
    {"a communicator out of nowhere may be any",
     HEAD "func main(n) entry { x = call frob();" SEND("1", INT, "7", "x", "s") RECV("0", INT, "7", W, "r") "}", "s>r"},
    {"datatypes of different size never meet, of equal size they may",
     HEAD "func main(n) entry {" SEND("1", INT, "7", W, "si") SEND("1", DOUBLE, "7", W, "sd")
         RECV("0", INT, "7", W, "ri") RECV("0", "0x4c00041b", "7", W, "rf") "}",
     "si>ri si>rf"},
    {"whole numbers and real ones of equal size never meet, a C and a Fortran name of one of them may",
     HEAD "func main(n) entry {" SEND("1", "0x4c000807", "7", W, "long") SEND("1", DOUBLE, "7", W, "double")
         SEND("1", "0x4c000840", "7", W, "complex") RECV("0", "0x4c000831", "7", W, "integer8")
             RECV("0", "0x4c000829", "7", W, "real8") "}",
     "long>integer8 double>real8 complex>real8"},
    {"a derived datatype and MPI_PACKED may be anything",
     HEAD "func main(n) entry { call MPI_Type_contiguous(2, " INT ", @c); t = load @c 4;" SEND("1", "t", "7", W, "st")
         SEND("1", "0x4c00010f", "7", W, "sp") RECV("0", DOUBLE, "7", W, "r") "}",
     "st>r sp>r"},
    {"a message that may be empty meets every datatype, by its envelope",
     HEAD "func main(n) entry { call MPI_Send(@b, n, " DOUBLE ", 1, 7, " W ") 's'; call MPI_Send(@b, 0, " DOUBLE
          ", 1, 7, " W ") 'z';" SEND("1", DOUBLE, "7", W, "one") RECV("0", INT, "7", W, "r")
              RECV("0", INT, "8", W, "other tag") "}",
     "s'r z'r"},
    {"probes take part, whatever the datatype",
     HEAD "func main(n) entry {" SEND("1", INT, "7", W, "s") "call MPI_Probe(0, 7, " W
                                                             ", 1) 'p'; call MPI_Iprobe(0, -1, " W ", @b, 1) 'i' }",
     "s>p s>i"},
    {"nonblocking and persistent calls",
     HEAD "func main(n) entry { call MPI_Isend(@b, 1, " INT ", 1, 7, " W ", @c) 'i';"
          " call MPI_Recv_init(@b, 1, " INT ", 0, 7, " W ", @d) 'p'; call MPI_Irecv(@b, 1, " INT ", 0, 8, " W
          ", @d) 'n' }",
     "i>p"},
    {"Sendrecv is both, with a tag for each",
     HEAD "func main(n) entry { call MPI_Sendrecv(@b, 1, " INT ", 1, 7, @b+8, 1, " INT ", 0, 8, " W
          ", 1) 'x';" SEND("1", INT, "8", W, "s") RECV("0", INT, "7", W, "r") "}",
     "x>r s>x"},
    {"Sendrecv meets itself",
     HEAD "func main(n) entry { call MPI_Sendrecv(@b, 1, " INT ", 1, 7, @b+8, 1, " INT ", 0, 7, " W ", 1) 'x' }",
     "x>x"},
    {"what is never reached sends nothing",
     HEAD
     "func f() {" SEND("1", INT, "7", W, "f") "return }\n func main(n) entry { b0: if n < 3 then b1 else never b2; "
                                              "b1: " RECV("0", INT, "7", W, "r") "goto b3; b2:" SEND(
                                                  "1", INT, "7", W, "s") "goto b3; b3: return }",
     ""},
    {"tags by reference, from Fortran",
     "global one 4 readonly = 1; global t7 4 readonly = 7; global t8 4 readonly = 8; global w 4 readonly = " W
     "; global ty 4 readonly = " INT "; global b 8; global e 4\n"
     "func main() entry { call mpi_send_(@b, @one, @ty, @one, @t7, @w, @e) 's7'; call mpi_recv_(@b, @one, @ty, @one, "
     "@t7, @w, @b, @e) 'r7';"
     " call mpi_recv_(@b, @one, @ty, @one, @t8, @w, @b, @e) 'r8' }",
     "s7>r7"},

    {"collectives that all ranks run do not meet each other",
     HEAD "func main(n) entry {" BCAST("0", INT, W, "a") BCAST("0", INT, W, "b") "}", ""},
    {"a branch on the rank",
     HEAD "func main(n) entry { b0: " RANK "if rank == 0 then b1 else b2; b1:" BCAST(
         "0", INT, W, "a") "goto b3; b2:" BCAST("0", INT, W, "b") "goto b3; b3: return }",
     "a~b b~a"},
    {"a third site meets them too",
     HEAD "func main(n) entry { b0: " RANK "if rank == 0 then b1 else b2; b1:" BCAST(
         "0", INT, W, "a") "goto b3; b2:" BCAST("0", INT, W, "b") "goto b3; b3: " BCAST("0", INT, W, "c") "return }",
     "a~b a~c b~a b~c c~a c~b"},
    {"a branch that all ranks take alike",
     HEAD "func main(n) entry { b0: if n == 0 then b1 else b2; b1:" BCAST("0", INT, W, "a") "goto b3; b2:" BCAST(
         "0", INT, W, "b") "goto b3; b3: return }",
     ""},
    {"another communicator, another collective, another root, another type",
     HEAD "func main(n) entry { b0: " RANK "if rank == 0 then b1 else b2; b1:" BCAST("0", INT, W, "a")
         BCAST("1", INT, W, "r1") BCAST("0", DOUBLE, W, "d") BCAST("0", INT, SELF, "s") "goto b3; b2:" BCAST(
             "0", INT, W, "b") "call MPI_Allreduce(-1, @b, 1, " INT ", 0x58000003, " W ") 'x'; goto b3; b3: return }",
     "a~b b~a"},
    {"collectives that may be empty meet, whatever the datatype",
     HEAD "func main(n) entry { b0: " RANK "if rank == 0 then b1 else b2; b1: call MPI_Bcast(@b, n, " INT ", 0, " W
          ") 'a'; goto b3;"
          " b2: call MPI_Bcast(@b, n, " DOUBLE ", 0, " W ") 'b';" BCAST("0", DOUBLE, W, "full") "goto b3; b3: return }",
     "a~b b~a b~full full~b"},
    {"intercommunicators: the root says MPI_ROOT, its group MPI_PROC_NULL, the others its rank",
     HEAD "func main(n) entry { b0: " RANK "call MPI_Intercomm_create(" W ", 0, " W
          ", 1, 5, @c); i = load @c 4; if rank == 0 then b1 else b2; b1:" BCAST(
              "-3", INT, "i", "a") "goto b3; b2:" BCAST("0", INT, "i", "b") "goto b3; b3: return }",
     "a~b b~a"},
    {"a function called under a branch on the rank",
     HEAD "func f() {" BCAST("0", INT, W, "f") "return }\n func main(n) entry { b0: " RANK
                                               "if rank == 0 then b1 else b2; b1: call f(); goto b3; b2:" BCAST(
                                                   "0", INT, W, "b") "goto b3; b3: return }",
     "f~b b~f"},
};

static const char *name_of(const struct cs_graph *g, int s)
{
    return g->stmts[s].text >= 0 ? cs_graph_str(g, g->stmts[s].text) : "?";
}

static void list_pairs(const struct cs_graph *g, int from, const struct cs_intlist *to, char sign, char *out,
                       size_t len)
{
    for (int s = 0; s < g->nstmts; s++) /* in the order of the statements */
        for (int i = 0; i < to->n; i++)
            if (to->a[i] == s)
                snprintf(out + strlen(out), len - strlen(out), "%s%s%c%s", *out ? " " : "", name_of(g, from), sign,
                         name_of(g, s));
}

START_TEST(pairs)
{
    struct kit_solved k;
    struct cs_channels c;
    char out[512] = "";
    kit_solve(&k, table[_i].text);
    cs_channels_build(&c, k.g, &k.ms, k.pts, k.cdep);
    for (int s = 0; s < c.nstmts; s++)
        list_pairs(k.g, s, &c.receivers[s], '>', out, sizeof out);
    for (int s = 0; s < c.nstmts; s++)
        list_pairs(k.g, s, &c.empty_to[s], '\'', out, sizeof out);
    for (int s = 0; s < c.nstmts; s++)
        list_pairs(k.g, s, &c.peers[s], '~', out, sizeof out);
    ck_assert_msg(!strcmp(out, table[_i].pairs), "%s: %s, not %s", table[_i].what, out, table[_i].pairs);
    for (int s = 0; s < c.nstmts; s++)
        for (int i = 0; i < c.receivers[s].n; i++) {
            const struct cs_intlist *back = &c.senders[c.receivers[s].a[i]];
            bool found = false;
            for (int j = 0; j < back->n; j++)
                found |= back->a[j] == s;
            ck_assert_msg(found, "%s: a receiver does not know its sender", table[_i].what);
        }
    cs_channels_free(&c);
    kit_solved_free(&k);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("channels");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, pairs, 0, sizeof table / sizeof *table);
    suite_add_tcase(s, c);
    return suite_main(s);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Writes an MPI program of random nests of loops, in C or Fortran: some have turns that are all alike, most do not, as
 * something is carried from turn to turn, or they are left or entered in the middle. random_loops_test.sh compares what
 * slices of such programs record with and without repeating turns. With `lasting`, most loops are long, and so much of
 * what they carry decides something that who overlooks it is noticed (overlooked.sh): its periods are short, those of
 * depend() 3 turns, of other values 5, of rests 2 and 4, and no turn of one says what another one is. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 6, COUNTERS = 4, FUNCTIONS = 5, DEPTH = 3 };

static unsigned long state;
static bool fortran, lasting;

/* xorshift, from 0 to n - 1. */
static int pick(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state >> 33) % n;
}

static void line(int depth, const char *text)
{
    printf("%*s%s\n", 4 * depth, "", text);
}

/* ---- expressions ---- */

/* Variables that all functions share are g0, g1, ...; those of a function l0, l1, ...; counters i0, i1, ... of the
 * loops around, `open` of them. */
static const char *variable(char *buf)
{
    sprintf(buf, "%c%d", pick(2) ? 'g' : 'l', pick(VARIABLES / 2));
    return buf;
}

/* One to be changed: with `lasting`, none of those that depend() changes, as both together might change nothing. */
static const char *changed(char *buf)
{
    variable(buf);
    if (lasting)
        buf[1] = '2';
    return buf;
}

static const char *value(char *buf, int open)
{
    char v[8];
    switch (pick(open ? 6 : 4)) {
    case 0:
    case 1: sprintf(buf, "%d", 1 + pick(6)); break;
    case 2: sprintf(buf, "%s", variable(v)); break;
    case 3: sprintf(buf, "%s + %d", variable(v), pick(4)); break;
    case 4: sprintf(buf, "i%d", pick(open)); break;
    default: sprintf(buf, "i%d + %d", pick(open), pick(3));
    }
    return buf;
}

static const char *comparison(void)
{
    static const char *const c[] = {"<", ">=", "=="};
    return c[pick(3)];
}

static const char *condition(char *buf, int open)
{
    char v[32];
    int kind = pick(7), k = lasting ? 2 + 2 * pick(2) : 2 + pick(4);
    if (kind == 5 && open > 1) /* of different loops, which may go in opposite directions */
        sprintf(buf, "i%d %s i%d", open - 1, comparison(), pick(open - 1));
    else if (kind == 6 && !fortran)
        sprintf(buf, "w%d %s %d", pick(2), comparison(), pick(2) ? 200 : 3);
    else if (kind == 0 && open)
        sprintf(buf, fortran ? "mod(i%d, %d) == %d" : "i%d %% %d == %d", pick(open), k, pick(2));
    else if (kind == 1 && open)
        sprintf(buf, "i%d %s %d", pick(open), comparison(), pick(40));
    else if (kind == 2 && open)
        sprintf(buf, fortran ? "mod(i%d, %d) == mod(%s, 3)" : "i%d %% %d == %s %% 3", pick(open), lasting ? 4 : k,
                variable(v));
    else if (kind == 3)
        sprintf(buf, "%s == %d", variable(v), pick(4));
    else
        sprintf(buf, "%s > %d", variable(v), pick(9));
    return buf;
}

/* ---- jumps ---- */

/* Places of a loop: in the middle of its turn, at the turn's end, behind the loop, at its head. */
enum place { MIDDLE, NEXT, BEHIND, HEAD, PLACES };

/* The loops around. One that is made of jumps has no `break`, nor `cycle`. */
static struct around {
    int number;
    bool jumps;
} around[COUNTERS];
static int loops;

static const char *label(char *buf, const struct around *l, enum place p)
{
    sprintf(buf, fortran ? "%d" : "p%d", (int)PLACES * l->number + p);
    return buf;
}

static void place(int depth, const struct around *l, enum place p)
{
    char buf[32], name[16];
    sprintf(buf, fortran ? "%s continue" : "%s:;", label(name, l, p));
    line(depth, buf);
}

/* ---- statements ---- */

static void block(int depth, int open, int left, int callable);

static void assign(int depth, int open)
{
    char buf[96], v[8], x[32], y[8];
    changed(v);
    switch (pick(fortran ? 6 : 7)) {
    case 6: /* wraps around */
        if (lasting)
            sprintf(buf, "w1 += %d", 1 + pick(5));
        else
            sprintf(buf, "w%d += %d", pick(2), 1 + pick(90));
        break;
    case 3: sprintf(buf, "%s = 1 - %s", v, v); break;                                                  /* alternates */
    case 4: sprintf(buf, fortran ? "%s = max(%s, %d)" : "%s = %s > %d ? 7 : 2", v, v, pick(6)); break; /* settles */
    case 5: sprintf(buf, fortran ? "%s = %s; %s = %s" : "%s = %s, %s = %s", v, variable(x), changed(y), v); break;
    case 0: sprintf(buf, "%s = %s", v, value(x, open)); break;
    case 1:
        sprintf(buf, fortran ? "%s = mod(%s + %d, %d)" : "%s = (%s + %d) %% %d", v, v, 1 + pick(3), lasting ? 5 : 11);
        break;
    default: sprintf(buf, "%s = %d", v, pick(8));
    }
    strcat(buf, fortran ? "" : ";");
    line(depth, buf);
}

static void talk(int depth, int open, int callable)
{
    char buf[96], x[32], v[8];
    switch (pick(5)) {
    case 0: sprintf(buf, fortran ? "call say(%s)" : "say(%s);", value(x, open)); break;
    case 1: sprintf(buf, fortran ? "call ring(%d)" : "ring(%d);", 1 + pick(9)); break;
    case 2: sprintf(buf, fortran ? "call late(%d)" : "late(%d);", lasting ? 3 : 1 + pick(3)); break;
    case 3:
        changed(v);
        sprintf(buf, fortran ? "call more(%s)" : "more(&%s);", v);
        break;
    default:
        if (callable > 0)
            sprintf(buf, fortran ? "call f%d(%d)" : "f%d(%d);", pick(callable), 1 + pick(4));
        else
            sprintf(buf, fortran ? "call say(%d)" : "say(%d);", 1 + pick(9));
    }
    line(depth, buf);
}

/* With `lasting`, a condition decides something for itself. */
static void mention(int depth)
{
    char buf[32];
    sprintf(buf, fortran ? "call ring(%d)" : "ring(%d);", 10 + pick(9));
    if (lasting)
        line(depth, buf);
}

static void choose(int depth, int open, int left, int callable)
{
    char buf[96], c[64];
    sprintf(buf, fortran ? "if (%s) then" : "if (%s) {", condition(c, open));
    line(depth, buf);
    mention(depth + 1);
    block(depth + 1, open, left, callable);
    if (pick(3) == 0) {
        line(depth, fortran ? "else" : "} else {");
        block(depth + 1, open, left, callable);
    }
    line(depth, fortran ? "end if" : "}");
}

/* Out of a loop, or on to its next turn, mostly of the innermost one; out of all of them, and the function. */
static const char *way(char *buf, int open, bool out)
{
    const struct around *l = &around[pick(3) ? open - 1 : pick(open)];
    char name[16];
    if (out && !lasting && pick(8) == 0)
        return "return";
    if (l != &around[open - 1] || l->jumps)
        sprintf(buf, "goto %s", label(name, l, out ? BEHIND : NEXT));
    else
        strcpy(buf, fortran ? out ? "exit" : "cycle" : out ? "break" : "continue");
    return buf;
}

static void leave(int depth, int open)
{
    char buf[128], c[64], to[32];
    if (!open)
        return;
    bool out = pick(2);
    if (out && lasting)
        sprintf(c, "i%d > %d", open - 1, 140 + pick(40));
    else
        condition(c, open);
    sprintf(buf, fortran ? "if (%s) then" : "if (%s) {", c);
    line(depth, buf);
    mention(depth + 1);
    sprintf(buf, fortran ? "%s" : "%s;", way(to, open, out));
    line(depth + 1, buf);
    line(depth, fortran ? "end if" : "}");
}

/* Something that the next turn, and nothing else, begins with, and that decides what this one sends; and so does all
 * else that turns may change: what decides nothing can be overlooked. */
static void depend(int depth, int open)
{
    char buf[96], v[16];
    line(depth, fortran ? "call say(g2)" : "say(g2);");
    line(depth, fortran ? "call say(l2)" : "say(l2);");
    sprintf(v, "%c%d", pick(2) ? 'g' : 'l', open - 1);
    sprintf(buf, fortran ? "call say(%s + %d)" : "say(%s + %d);", v, pick(4));
    line(depth, buf);
    switch (pick(4)) {
    case 0: sprintf(buf, fortran ? "%s = mod(%s + 2, 3)" : "%s = (%s + 2) %% 3;", v, v); break;
    case 1: sprintf(buf, fortran ? "%s = mod(%s + 1, 3)" : "%s = (%s + 1) %% 3;", v, v); break;
    case 2: sprintf(buf, fortran ? "%s = min(9, %s + 1)" : "%s += %s < 9;", v, v); break;
    default: sprintf(buf, fortran ? "%s = merge(1, %s + 1, %s == 3)" : "%s = %s == 3 ? 1 : %s + 1;", v, v, v);
    }
    line(depth, buf);
}

/* The head of a loop by counter i`open`, with a bound that it need not come to. */
static const char *head(char *buf, int open, bool large)
{
    int from = pick(3), to = 2 + pick(4), step = 1 + pick(2);
    if (large)
        to += 15 + pick(40);
    if (!lasting && pick(12) == 0)
        to = -pick(3); /* it never runs upwards */
    bool by_variable = pick(3) == 0;
    char v[8], bound[40], more[16] = "";
    if (lasting) {
        to = 140 + pick(50);
        from += 1; /* an end by the counter's type is another fault than one by its bound */
        step = 1;
        sprintf(more, "%d + ", to);
    }
    variable(v);
    if (by_variable)
        sprintf(bound, fortran ? "%smod(%s, 7)" : "%s%s %% 7", more, v);
    else
        sprintf(bound, "%d", to);
    bool down = pick(4) == 0;
    step = down && !fortran && open % 2 ? 1 : step; /* unsigned: ends at `from`, or never */
    if (down)
        sprintf(buf, fortran ? "do i%d = %d, %d, %d" : "for (i%d = %d; i%d > %d; i%d -= %d) {", open, to,
                fortran ? from : open, fortran ? -step : from, open, step);
    else if (fortran)
        sprintf(buf, "do i%d = %d, %s, %d", open, from, bound, step);
    else
        sprintf(buf, "for (i%d = %d; i%d %s %s; i%d += %d) {", open, from, open, pick(2) ? "<" : "<=", bound, open,
                step);
    return buf;
}

/* A turn; somebody may come into it in the middle. */
static void body(int depth, int open, int left, int callable, bool entered)
{
    if (lasting)
        depend(depth, open);
    block(depth, open, left, callable);
    if (entered) {
        place(depth, &around[open - 1], MIDDLE);
        block(depth, open, 0, callable);
    }
    place(depth, &around[open - 1], NEXT);
}

/* In front of a loop: into its middle, with a value of its counter. */
static void enter(int depth, int open)
{
    char buf[128], c[64], name[16];
    sprintf(buf, fortran ? "i%d = %d" : "i%d = %d;", open, pick(3));
    line(depth, buf);
    sprintf(buf, fortran ? "if (%s) goto %s" : "if (%s) goto %s;", condition(c, open),
            label(name, &around[open], MIDDLE));
    line(depth, buf);
}

/* Made of jumps, in the old way: with its test at its end. */
static void jumps(int depth, int open, int left, int callable, bool large)
{
    char buf[96], name[16];
    bool entered = pick(2);
    around[open].jumps = true;
    sprintf(buf, fortran ? "i%d = 0" : "i%d = 0;", open);
    line(depth, buf);
    if (entered)
        enter(depth, open);
    place(depth, &around[open], HEAD);
    body(depth, open + 1, left - 1, callable, entered);
    sprintf(buf, fortran ? "i%d = i%d + %d" : "i%d = i%d + %d;", open, open, 1 + pick(2));
    line(depth, buf);
    sprintf(buf, fortran ? "if (i%d < %d) goto %s" : "if (i%d < %d) goto %s;", open,
            2 + pick(4) + (large ? pick(30) : 0), label(name, &around[open], HEAD));
    line(depth, buf);
}

/* With its end at its end. */
static void do_while(int depth, int open, int left, int callable, bool large)
{
    char buf[96];
    sprintf(buf, "i%d = 0;", open);
    line(depth, buf);
    line(depth, "do {");
    body(depth + 1, open + 1, left - 1, callable, false);
    sprintf(buf, "} while (++i%d < %d);", open, 2 + pick(4) + (lasting ? 140 : large ? pick(30) : 0));
    line(depth, buf);
}

static void counted(int depth, int open, int left, int callable, bool large)
{
    char buf[128];
    bool entered = !fortran && !lasting && pick(6) == 0; /* nobody may jump into a loop of Fortran */
    if (entered)
        enter(depth, open);
    line(depth, head(buf, open, large));
    body(depth + 1, open + 1, left - 1, callable, entered);
    line(depth, fortran ? "end do" : "}");
}

static void loop(int depth, int open, int left, int callable)
{
    char buf[128], v[8];
    struct around *self = &around[open], me = {++loops, false};
    bool large = open == 0 ? pick(2) : open == 1 && pick(4) == 0;
    callable = large || lasting ? 0 : callable; /* else there would be no end */
    *self = me;
    if (!lasting && pick(6) == 0)
        jumps(depth, open, left, callable, large);
    else if (!fortran && pick(5) == 0)
        do_while(depth, open, left, callable, large);
    else
        counted(depth, open, left, callable, large);
    place(depth, &me, BEHIND);
    if (pick(3) == 0) { /* the counter behind the loop */
        sprintf(buf, fortran ? "%s = mod(i%d, 11)" : "%s = i%d %% 11;", changed(v), open);
        line(depth, buf);
    }
}

static void block(int depth, int open, int left, int callable)
{
    int n = 1 + pick(3);
    for (int i = 0; i < n; i++)
        switch (pick(8)) {
        case 0: assign(depth, open); break;
        case 1: choose(depth, open, left > 0 ? left - 1 : 0, callable); break;
        case 2: leave(depth, open); break;
        case 3:
        case 4:
            if (left > 0 && open < (lasting ? 2 : COUNTERS)) {
                loop(depth, open, left, callable);
                break;
            } /* fall through */
        default: talk(depth, open, callable);
        }
}

/* ---- programs ---- */

static const char c_begin[] = "#include <mpi.h>\n"
                              "static double field[64], halo[64];\n"
                              "static int g0 = 1, g1 = 2, g2 = 3, left, right;\n"
                              "static MPI_Request pending = MPI_REQUEST_NULL;\n"
                              "static void say(int n)\n{\n"
                              "    MPI_Bcast(field, n & 31, MPI_DOUBLE, 0, MPI_COMM_WORLD);\n}\n"
                              "static void ring(int n)\n{\n    MPI_Request r[2];\n"
                              "    MPI_Irecv(halo, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[0]);\n"
                              "    MPI_Isend(field, n, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[1]);\n"
                              "    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);\n}\n"
                              "static void late(int n)\n{\n"
                              "    MPI_Wait(&pending, MPI_STATUS_IGNORE);\n"
                              "    MPI_Irecv(halo, n, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &pending);\n"
                              "    MPI_Send(field, n, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);\n"
                              "    if (n > 2)\n        MPI_Wait(&pending, MPI_STATUS_IGNORE);\n}\n"
                              "static void more(int *v)\n{\n    *v = (*v + 1) %% %d;\n    say(*v);\n}\n";
static const char c_main[] = "int main(int argc, char **argv)\n{\n    int rank, size;\n"
                             "    MPI_Init(&argc, &argv);\n"
                             "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
                             "    left = (rank + size - 1) % size;\n    right = (rank + 1) % size;\n";
static const char f_begin[] = "module shared\n    use mpi\n    implicit none\n    real(8) :: field(64), halo(64)\n"
                              "    integer :: g0 = 1, g1 = 2, g2 = 3, left, right, ierr\n"
                              "    integer :: pending = mpi_request_null\n"
                              "    integer, parameter :: double = mpi_double_precision\ncontains\n"
                              "subroutine say(n)\n    integer, intent(in) :: n\n"
                              "    call mpi_bcast(field, iand(n, 31), double, 0, mpi_comm_world, ierr)\n"
                              "end subroutine\n"
                              "subroutine ring(n)\n    integer, intent(in) :: n\n    integer :: r(2)\n"
                              "    call mpi_irecv(halo, n, double, left, 1, mpi_comm_world, r(1), ierr)\n"
                              "    call mpi_isend(field, n, double, right, 1, mpi_comm_world, r(2), ierr)\n"
                              "    call mpi_waitall(2, r, mpi_statuses_ignore, ierr)\nend subroutine\n"
                              "subroutine late(n)\n    integer, intent(in) :: n\n"
                              "    call mpi_wait(pending, mpi_status_ignore, ierr)\n"
                              "    call mpi_irecv(halo, n, double, left, 2, mpi_comm_world, pending, ierr)\n"
                              "    call mpi_send(field, n, double, right, 2, mpi_comm_world, ierr)\n"
                              "    if (n > 2) call mpi_wait(pending, mpi_status_ignore, ierr)\nend subroutine\n"
                              "subroutine more(v)\n    integer, intent(inout) :: v\n    v = mod(v + 1, %d)\n"
                              "    call say(v)\nend subroutine\n";
static const char f_main[] =
    "end module\nprogram loops\n    use shared\n    implicit none\n    integer :: rank, ranks\n"
    "    call mpi_init(ierr)\n    call mpi_comm_rank(mpi_comm_world, rank, ierr)\n"
    "    call mpi_comm_size(mpi_comm_world, ranks, ierr)\n"
    "    left = mod(rank + ranks - 1, ranks)\n    right = mod(rank + 1, ranks)\n";

/* Function f`k`, which calls those before it, and may call itself. */
static void function(int k)
{
    char buf[96];
    bool recursive = pick(4) == 0 && !lasting;
    if (fortran)
        printf("%ssubroutine f%d(depth)\n    integer, intent(in) :: depth\n"
               "    integer :: l0, l1, l2, i0, i1, i2, i3\n    l0 = depth; l1 = 2; l2 = 1; i0 = 0\n",
               recursive ? "recursive " : "", k);
    else
        printf("static void f%d(int depth)\n{\n    int l0 = depth, l1 = 2, l2 = 1, i0 = 0;\n"
               "    unsigned char i1 = 0, w0 = 190;\n    unsigned short w1 = 65500;\n    short i2 = 0;\n"
               "    unsigned i3 = 0;\n    (void)w0, (void)w1;\n"
               "    (void)l1, (void)l2, (void)i1, (void)i2, (void)i3;\n",
               k);
    loop(1, 0, 1 + pick(2), k);
    block(1, 0, 1, k);
    if (recursive) {
        sprintf(buf, fortran ? "if (depth > 1) call f%d(depth - 1)" : "if (depth > 1)\n        f%d(depth - 1);", k);
        line(1, buf);
    }
    printf(fortran ? "end subroutine\n" : "}\n");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: random-loops SEED [fortran] [lasting]\n");
        return 2;
    }
    state = strtoul(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
    for (int i = 2; i < argc; i++) {
        fortran |= strcmp(argv[i], "fortran") == 0;
        lasting |= strcmp(argv[i], "lasting") == 0;
    }
    for (int i = 0; i < 8; i++)
        pick(2);
    printf(fortran ? f_begin : c_begin, lasting ? 5 : 11);
    for (int k = 0; k < FUNCTIONS; k++)
        function(k);
    fputs(fortran ? f_main : c_main, stdout);
    for (int k = 0; k < FUNCTIONS; k++)
        printf(fortran ? "    call f%d(%d)\n" : "    f%d(%d);\n", k, 1 + pick(3));
    fputs(fortran ? "    call mpi_wait(pending, mpi_status_ignore, ierr)\n    call mpi_finalize(ierr)\nend program\n"
                  : "    MPI_Wait(&pending, MPI_STATUS_IGNORE);\n    MPI_Finalize();\n    return 0;\n}\n",
          stdout);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * generate-program FOLDER MODULES [SEED]: writes a C program for MPI that is as large as wanted, to measure the slicer
 * with. A module is one file: half of it decides what is sent, the other half only calculates. The program is correct,
 * ends soon on any number of ranks, and is the same for the same seed. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPES 8      /* struct types that the modules share */
#define GROUP 16     /* modules behind one table of function pointers */
#define INT_FUNCS 8  /* functions of a module that calculate with integers: counts, neighbours, tables */
#define REAL_FUNCS 8 /* ... and with floating point numbers */
#define TIERS 4      /* a function calls only those of a lower tier, so the program ends */

static FILE *out;
static uint64_t state;

static unsigned pick(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

static void put(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(out, fmt, ap);
    va_end(ap);
}

static int open_file(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "w");
    if (!out)
        fprintf(stderr, "generate-program: %s: %s\n", path, strerror(errno));
    return out ? 0 : -1;
}

static int close_file(const char *name)
{
    int bad = ferror(out);
    if (fclose(out) || bad) {
        fprintf(stderr, "generate-program: %s: %s\n", name, strerror(errno));
        return -1;
    }
    return 0;
}

/* ---- what all modules share ---- */

static int write_header(const char *folder, int modules)
{
    if (open_file(folder, "prog.h"))
        return -1;
    put("#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n");
    put("struct part { int lo, hi; double weight; };\n");
    put("struct link { int rank, tag, count; double *send, *recv; struct link *next; };\n");
    put("struct node { unsigned key; int size; double value; struct node *left, *right; };\n");
    put("struct field { int n, halo; double *now, *old; };\n");
    put("struct world { int rank, size, steps; MPI_Comm comm; double residual; };\n");
    put("struct ops { const char *name; void *(*create)(struct world *); void (*step)(void *, struct world *, int);\n"
        "    double (*norm)(void *); };\n\n");
    for (int t = 0; t < TYPES; t++)
        put("struct mod%d {\n    int a, b, c, table[32], counts[64];\n    struct part part[8];\n"
            "    double x[16], y[16];\n    struct field *f;\n"
            "    struct link *links;\n    struct node *tree;\n    struct mod%d *peer;%s\n};\n",
            t, t, t % 2 ? "\n    struct { int depth; double scale; } opt;" : "");
    put("\ndouble *new_array(int n);\nstruct field *new_field(int n);\n"
        "struct link *add_link(struct link *first, int rank, int tag, int count);\n");
    put("struct node *insert(struct node *tree, unsigned key, double value);\n"
        "int tree_size(const struct node *tree);\n");
    put("double tree_sum(const struct node *tree);\nint clamp(int v, int lo, int hi);\n"
        "void copy_ints(int *to, const int *from, int n);\n");
    put("double smooth(double *now, const double *old, int n);\n");
    for (int m = 0; m < modules; m++)
        put("extern const struct ops ops%d;\n", m);
    for (int m = 0; m < modules; m++) {
        for (int f = 0; f < INT_FUNCS; f++)
            put("int m%d_int%d(struct mod%d *t, int p);\n", m, f, m % TYPES);
        for (int f = 0; f < REAL_FUNCS; f++)
            put("double m%d_real%d(struct mod%d *t, double p);\n", m, f, m % TYPES);
    }
    return close_file("prog.h");
}

static int write_shared(const char *folder)
{
    if (open_file(folder, "shared.c"))
        return -1;
    put("#include \"prog.h\"\n\n"
        "double *new_array(int n)\n{\n    double *p = malloc(n * sizeof *p);\n    if (!p) {\n"
        "        perror(\"malloc\");\n"
        "        MPI_Abort(MPI_COMM_WORLD, 1);\n    }\n    for (int i = 0; i < n; i++)\n        p[i] = i * 0.5;\n"
        "    return p;\n}\n\n"
        "struct field *new_field(int n)\n{\n    struct field *f = malloc(sizeof *f);\n    f->n = n;\n    f->halo = 1;\n"
        "    f->now = new_array(n + 2);\n"
        "    f->old = new_array(n + 2);\n    return f;\n}\n\n"
        "struct link *add_link(struct link *first, int rank, int tag, int count)\n{\n"
        "    struct link *l = malloc(sizeof *l);\n    l->rank = rank;\n"
        "    l->tag = tag;\n    l->count = count;\n    l->send = new_array(count);\n    l->recv = new_array(count);\n"
        "    l->next = first;\n    return l;\n}\n\n"
        "struct node *insert(struct node *tree, unsigned key, double value)\n{\n    if (!tree) {\n"
        "        tree = calloc(1, sizeof *tree);\n"
        "        tree->key = key;\n    } else if (key < tree->key) {\n"
        "        tree->left = insert(tree->left, key, value);\n"
        "    } else if (key > tree->key) {\n        tree->right = insert(tree->right, key, value);\n    }\n"
        "    tree->size++;\n    tree->value += value;\n"
        "    return tree;\n}\n\n"
        "int tree_size(const struct node *tree)\n{\n"
        "    return tree ? 1 + tree_size(tree->left) + tree_size(tree->right) : 0;\n}\n\n"
        "double tree_sum(const struct node *tree)\n{\n"
        "    return tree ? tree->value + tree_sum(tree->left) + tree_sum(tree->right) : 0;\n}\n\n"
        "int clamp(int v, int lo, int hi)\n{\n    return v < lo ? lo : v > hi ? hi : v;\n}\n\n"
        "void copy_ints(int *to, const int *from, int n)\n{\n    memcpy(to, from, n * sizeof *to);\n}\n\n"
        "double smooth(double *now, const double *old, int n)\n{\n    double sum = 0;\n"
        "    for (int i = 1; i <= n; i++) {\n"
        "        now[i] = 0.25 * (old[i - 1] + 2 * old[i] + old[i + 1]);\n"
        "        sum += now[i] > old[i] ? now[i] - old[i] : old[i] - now[i];\n    }\n"
        "    return sum;\n}\n");
    return close_file("shared.c");
}

/* ---- statements of a function ---- */

static const char *index_of(char *buf, int mask)
{
    sprintf(buf, pick(2) ? "(v%u + %u) & %d" : "(v%u ^ %u) & %d", pick(6), pick(32), mask);
    return buf;
}

/* A call of a lower tier: in this module, or in an earlier one that works on the same type. */
static void call_lower(int m, int f, const char *kind, const char *arg)
{
    int far = m >= TYPES && pick(4) == 0 ? m - TYPES : m;
    int g = (int)pick((unsigned)(f % TIERS)) + f / TIERS * TIERS;
    put("m%d_%s%d(%s, %s)", far, kind, g, pick(4) ? "t" : "t->peer ? t->peer : t", arg);
}

static void int_statement(int m, int f, int depth)
{
    char i[64], j[64];
    put("%*s", 4 * depth, "");
    switch (pick(depth < 3 ? 13 : 7)) {
    case 0:
        put("v%u = (v%u * %u + t->table[%s]) & 1023;\n", pick(6), pick(6), 1 + 2 * pick(20), index_of(i, 31));
        break;
    case 1: put("t->table[%s] = v%u + %u;\n", index_of(i, 31), pick(6), pick(100)); break;
    case 2:
        put("t->part[%s].%s = v%u - t->%c;\n", index_of(i, 7), pick(2) ? "lo" : "hi", pick(6), "abc"[pick(3)]);
        break;
    case 3:
        put("v%u = (v%u + (t->part[%s].hi ^ t->part[%s].lo)) & 4095;\n", pick(6), pick(6), index_of(i, 7),
            index_of(j, 7));
        break;
    case 4: put("t->%c = (t->%c + v%u) & 255;\n", "abc"[pick(3)], "abc"[pick(3)], pick(6)); break;
    case 5: put("v%u = clamp(v%u, %u, %u);\n", pick(6), pick(6), pick(4), 20 + pick(200)); break;
    case 6: put("q[%s] = v%u, v%u = q[%s];\n", index_of(i, 7), pick(6), pick(6), index_of(j, 7)); break;
    case 7:
        put("if (v%u > v%u) {\n", pick(6), pick(6));
        int_statement(m, f, depth + 1);
        int_statement(m, f, depth + 1);
        if (pick(2)) {
            put("%*s} else {\n", 4 * depth, "");
            int_statement(m, f, depth + 1);
        }
        put("%*s}\n", 4 * depth, "");
        break;
    case 8:
        put("for (int i%d = 0; i%d < %u; i%d++) {\n", depth, depth, 2 + pick(4), depth);
        int_statement(m, f, depth + 1);
        put("%*sv%u = (v%u + t->counts[(i%d + v%u) & 63] + i%d) & 4095;\n%*s}\n", 4 * depth + 4, "", pick(6), pick(6),
            depth, pick(6), depth, 4 * depth, "");
        break;
    case 9:
        if (f % TIERS && depth == 1) {
            put("v%u = ", pick(6));
            call_lower(m, f, "int", "v1");
            put(";\n");
        } else {
            put("v%u ^= v%u >> 3;\n", pick(6), pick(6));
        }
        break;
    case 10:
        put("for (struct link *l = t->links; l; l = l->next)\n%*sv%u = (v%u + l->count) & 4095;\n", 4 * depth + 4, "",
            pick(6), pick(6));
        break;
    case 11: put("copy_ints(t->table + %u, q, %u);\n", pick(16), 1 + pick(8)); break;
    default:
        if (depth == 1 && pick(4) == 0)
            put("t->tree = insert(t->tree, (unsigned)v%u & 15, 1.0);\n", pick(6));
        else
            put("v%u = t->peer && t->peer->a > v%u ? t->peer->b : v%u;\n", pick(6), pick(6), pick(6));
    }
}

static void real_statement(int m, int f, int depth)
{
    put("%*s", 4 * depth, "");
    switch (pick(depth < 3 ? 11 : 6)) {
    case 0: put("r%u = r%u * %u.5 + t->x[%u];\n", pick(6), pick(6), pick(3), pick(16)); break;
    case 1: put("t->y[%u] = 0.5 * (r%u + t->y[%u]);\n", pick(16), pick(6), pick(16)); break;
    case 2: put("t->part[%u].weight += r%u;\n", pick(8), pick(6)); break;
    case 3:
        put("r%u -= t->part[%u].weight / (1.0 + t->x[%u] * t->x[%u]);\n", pick(6), pick(8), pick(16), pick(16));
        break;
    case 4: put("r%u = r%u > 1e6 ? r%u * 1e-6 : r%u;\n", pick(6), pick(6), pick(6), pick(6)); break;
    case 5: put("z[%u] = r%u + z[%u];\n", pick(8), pick(6), pick(8)); break;
    case 6:
        put("if (r%u > r%u) {\n", pick(6), pick(6));
        real_statement(m, f, depth + 1);
        real_statement(m, f, depth + 1);
        put("%*s}\n", 4 * depth, "");
        break;
    case 7:
        put("for (int i%d = 0; i%d < %u; i%d++) {\n", depth, depth, 4 + pick(4), depth);
        real_statement(m, f, depth + 1);
        put("%*st->x[i%d] += t->y[(i%d + %u) & 15] * r%u;\n%*s}\n", 4 * depth + 4, "", depth, depth, pick(16), pick(6),
            4 * depth, "");
        break;
    case 8:
        if (f % TIERS && depth == 1) {
            put("r%u += ", pick(6));
            call_lower(m, f, "real", "r2");
            put(";\n");
        } else {
            put("r%u *= r%u;\n", pick(6), pick(6));
        }
        break;
    case 9:
        put("for (struct link *l = t->links; l; l = l->next)\n%*sl->send[0] += r%u + l->recv[0];\n", 4 * depth + 4, "",
            pick(6));
        break;
    default:
        if (depth == 1)
            put("r%u += smooth(t->f->now, t->f->old, t->f->n);\n", pick(6));
        else
            put("t->f->now[%u] += r%u;\n", pick(16), pick(6));
    }
}

static void write_int_function(int m, int f)
{
    put("int m%d_int%d(struct mod%d *t, int p)\n{\n"
        "    int v0 = p, v1 = t->a, v2 = t->b, v3 = %u, v4 = p & 7, v5 = t->table[%u];\n"
        "    int q[8] = { v1, 2, v3, 4, 5, 6, 7, p };\n",
        m, f, m % TYPES, pick(50), pick(32));
    for (int i = 0; i < 14; i++)
        int_statement(m, f, 1);
    put("    return (v0 + v1 + v2 + v3 + v4 + v5) & 1023;\n}\n\n");
}

static void write_real_function(int m, int f)
{
    put("double m%d_real%d(struct mod%d *t, double p)\n{\n"
        "    double r0 = p, r1 = t->x[%u], r2 = t->y[%u], r3 = %u.25, r4 = p * p, r5 = 1;\n"
        "    double z[8] = { r1, 2, r3, 4, 5, 6, 7, p };\n",
        m, f, m % TYPES, pick(16), pick(16), pick(9));
    for (int i = 0; i < 16; i++)
        real_statement(m, f, 1);
    put("    return (r0 + r1 + r2 + r3 + r4 + r5) / (1e3 + z[%u] * z[%u]);\n}\n\n", pick(8), pick(8));
}

/* ---- a module's communication ---- */

/* What ranks must agree upon is made from what is the same on all of them: nothing here reads the rank. */
static void write_create(int m)
{
    int t = m % TYPES;
    if (m % 3 == 0)
        put("static struct mod%d the_module;\n\n", t);
    put("static void *create(struct world *w)\n{\n    struct mod%d *t = %s;\n", t,
        m % 3 ? "calloc(1, sizeof *t)" : "&the_module");
    put("    t->a = %u + w->size;\n    t->b = %u;\n    t->c = w->steps;\n    t->f = new_field(16);\n", pick(20),
        pick(20));
    put("    for (int i = 0; i < 32; i++)\n        t->table[i] = (i * %u) & 63;\n", 3 + pick(40));
    if (m >= TYPES)
        put("    t->peer = calloc(1, sizeof *t);\n    t->peer->f = t->f;\n    t->peer->a = %u;\n", pick(9));
    put("    for (int k = 0; k < 2; k++) {\n        int count = clamp(m%d_int%d(t, k), 1, 16);\n"
        "        t->links = add_link(t->links, (w->rank + k) %% w->size, %d + k, count);\n    }\n    return t;\n}\n\n",
        m, TIERS - 1, 2 * m);
}

static void write_exchange(int m)
{
    put("static void exchange(struct mod%d *t, struct world *w)\n{\n    MPI_Request req[8];\n    int n = 0, shift;\n",
        m % TYPES);
    put("    for (struct link *l = t->links; l; l = l->next) {\n"
        "        shift = (l->rank - w->rank + w->size) %% w->size;\n"
        "        MPI_Irecv(l->recv, l->count, MPI_DOUBLE, (w->rank - shift + w->size) %% w->size, l->tag, w->comm, "
        "&req[n++]);\n"
        "        MPI_Isend(l->send, l->count, MPI_DOUBLE, l->rank, l->tag, w->comm, &req[n++]);\n    }\n"
        "    MPI_Waitall(n, req, MPI_STATUSES_IGNORE);\n}\n\n");
}

static void write_step(int m)
{
    put("static void step(void *self, struct world *w, int k)\n{\n    struct mod%d *t = self;\n    double sum = 0;\n",
        m % TYPES);
    for (int f = TIERS - 1; f < REAL_FUNCS; f += TIERS)
        put("    sum += m%d_real%d(t, k * 0.5);\n", m, f);
    for (int f = TIERS - 1; f < INT_FUNCS; f += TIERS)
        put("    t->c = m%d_int%d(t, k);\n    t->counts[%d] = t->c & 15;\n", m, f, f);
    put("    exchange(t, w);\n");
    if (m % 4 == 0)
        put("    MPI_Bcast(t->counts, 64, MPI_INT, %d %% w->size, w->comm);\n", m);
    if (m % 4 == 1)
        put("    MPI_Allreduce(MPI_IN_PLACE, t->x, 16, MPI_DOUBLE, MPI_SUM, w->comm);\n");
    if (m % 4 == 2)
        put("    if (tree_size(t->tree) > 4)\n        MPI_Reduce(t->y, t->x, 4, MPI_DOUBLE, MPI_MAX, 0, w->comm);\n");
    put("    w->residual += sum + tree_sum(t->tree);\n}\n\n");
}

static int write_module(const char *folder, int m)
{
    char name[32];
    snprintf(name, sizeof name, "m%d.c", m);
    if (open_file(folder, name))
        return -1;
    put("#include \"prog.h\"\n\n");
    for (int f = 0; f < INT_FUNCS; f++)
        write_int_function(m, f);
    for (int f = 0; f < REAL_FUNCS; f++)
        write_real_function(m, f);
    write_create(m);
    write_exchange(m);
    write_step(m);
    put("static double norm(void *self)\n{\n    struct mod%d *t = self;\n    double sum = 0;\n"
        "    for (int i = 0; i < 16; i++)\n"
        "        sum += t->x[i] * t->x[i];\n    return sum;\n}\n\n",
        m % TYPES);
    put("const struct ops ops%d = { \"m%d\", create, step, norm };\n", m, m);
    return close_file(name);
}

static int write_main(const char *folder, int modules)
{
    if (open_file(folder, "main.c"))
        return -1;
    put("#include \"prog.h\"\n\n");
    for (int g = 0; g * GROUP < modules; g++) {
        int n = modules - g * GROUP < GROUP ? modules - g * GROUP : GROUP;
        put("static const struct ops *const group%d[] = {", g);
        for (int i = 0; i < n; i++)
            put(" &ops%d,", g * GROUP + i);
        put(" };\n\nstatic double run%d(struct world *w)\n{\n    void *self[%d];\n    double sum = 0;\n", g, n);
        put("    for (int i = 0; i < %d; i++)\n        self[i] = group%d[i]->create(w);\n", n, g);
        put("    for (int k = 0; k < w->steps; k++)\n        for (int i = 0; i < %d; i++)\n"
            "            group%d[i]->step(self[i], w, k);\n",
            n, g);
        put("    for (int i = 0; i < %d; i++)\n        sum += group%d[i]->norm(self[i]);\n    return sum;\n}\n\n", n,
            g);
    }
    put("int main(int argc, char **argv)\n{\n    struct world w = { 0 };\n    double sum = 0, all;\n"
        "    MPI_Init(&argc, &argv);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &w.size);\n"
        "    MPI_Comm_dup(MPI_COMM_WORLD, &w.comm);\n"
        "    w.steps = argc > 1 ? atoi(argv[1]) : 2;\n    MPI_Bcast(&w.steps, 1, MPI_INT, 0, w.comm);\n");
    for (int g = 0; g * GROUP < modules; g++)
        put("    sum += run%d(&w);\n", g);
    put("    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, w.comm);\n    if (w.rank == 0)\n"
        "        printf(\"%%g %%g\\n\", all, w.residual);\n"
        "    MPI_Comm_free(&w.comm);\n    return MPI_Finalize();\n}\n");
    return close_file("main.c");
}

int main(int argc, char **argv)
{
    int modules = argc > 2 ? atoi(argv[2]) : 0;
    if (modules < 1) {
        fprintf(stderr, "usage: generate-program FOLDER MODULES [SEED]\n");
        return 2;
    }
    state = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
    if (write_header(argv[1], modules) || write_shared(argv[1]) || write_main(argv[1], modules))
        return 2;
    for (int m = 0; m < modules; m++)
        if (write_module(argv[1], m))
            return 2;
    return 0;
}

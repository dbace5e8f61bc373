/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes: every constructor by what it packs, extents, envelopes and contents, attributes, names, packing.
 *
 * ranks: 2 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "conf_kit.h"

/* Size, extent and true extent, and the ints (0, 1, 2, ... in memory) that `count` elements pack, in their order. */
static void show(const char *label, MPI_Datatype type, int count, int first)
{
    int memory[64], packed[64], at = 0, bytes, n;
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Type_size(type, &n);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    say("%s: size %d, lb %ld, extent %ld, true %ld %ld", label, n, (long)lb, (long)extent, (long)true_lb,
        (long)true_extent);
    for (int i = 0; i < 64; i++)
        memory[i] = i;
    MPI_Pack_size(count, type, WORLD, &bytes);
    CHECK(bytes >= count * n);
    MPI_Pack(memory + first, count, type, packed, (int)sizeof packed, &at, WORLD);
    CHECK(at == count * n);
    say_ints(label, packed, at / 4);
    /* And back: what was packed is again where it came from, and nothing else was written. */
    int again[64], where = 0;
    for (int i = 0; i < 64; i++)
        again[i] = -1;
    MPI_Unpack(packed, at, &where, again + first, count, type, WORLD);
    for (int i = 0; i < 64; i++)
        CHECK(again[i] == -1 || again[i] == i);
    for (int i = 0; i < at / 4; i++)
        CHECK(again[packed[i]] == packed[i]);
}

/* Sends two elements from rank 0, receives them as plain ints in rank 1, in an order that pack gives, too. */
static void over_the_wire(MPI_Datatype type, int count, int first)
{
    int memory[64], got[64], want[64], n = 0, at = 0;
    MPI_Status st;
    for (int i = 0; i < 64; i++)
        memory[i] = i;
    MPI_Pack(memory + first, count, type, want, (int)sizeof want, &at, WORLD);
    if (rank == 0)
        MPI_Send(memory + first, count, type, 1, 0, WORLD);
    else {
        MPI_Recv(got, 64, MPI_INT, 0, 0, WORLD, &st);
        MPI_Get_count(&st, MPI_INT, &n);
        CHECK(n * 4 == at && memcmp(got, want, (size_t)at) == 0);
    }
    /* And the other way: contiguous to derived. */
    if (rank == 1)
        MPI_Send(want, at / 4, MPI_INT, 0, 1, WORLD);
    else {
        for (int i = 0; i < 64; i++)
            memory[i] = -1;
        MPI_Recv(memory + first, count, type, 1, 1, WORLD, IGNORE);
        for (int i = 0; i < at / 4; i++)
            CHECK(memory[want[i]] == want[i]);
    }
}

static void use(const char *label, MPI_Datatype *type, int count, int first)
{
    MPI_Type_commit(type);
    show(label, *type, count, first);
    over_the_wire(*type, count, first);
    MPI_Type_free(type);
    CHECK(*type == MPI_DATATYPE_NULL);
}

static void contiguous(void)
{
    MPI_Datatype t;
    MPI_Type_contiguous(3, MPI_INT, &t);
    use("contiguous", &t, 2, 1);
}

static void vector(void)
{
    MPI_Datatype t;
    MPI_Type_vector(3, 2, 4, MPI_INT, &t);
    use("vector", &t, 2, 0);
}

static void vector_backwards(void)
{
    MPI_Datatype t;
    MPI_Type_vector(3, 1, -2, MPI_INT, &t);
    use("vector", &t, 1, 10);
}

static void hvector(void)
{
    MPI_Datatype t;
    MPI_Type_create_hvector(2, 3, 20, MPI_INT, &t);
    use("hvector", &t, 2, 0);
}

static void indexed(void)
{
    int lengths[3] = {2, 0, 1}, at[3] = {5, 3, 1};
    MPI_Datatype t;
    MPI_Type_indexed(3, lengths, at, MPI_INT, &t);
    use("indexed", &t, 2, 0);
}

static void hindexed(void)
{
    int lengths[2] = {1, 2};
    MPI_Aint at[2] = {16, 4};
    MPI_Datatype t;
    MPI_Type_create_hindexed(2, lengths, at, MPI_INT, &t);
    use("hindexed", &t, 2, 0);
}

static void indexed_block(void)
{
    int at[3] = {0, 6, 3};
    MPI_Aint hat[2] = {12, 0};
    MPI_Datatype t;
    MPI_Type_create_indexed_block(3, 2, at, MPI_INT, &t);
    use("indexed_block", &t, 2, 0);
    MPI_Type_create_hindexed_block(2, 1, hat, MPI_INT, &t);
    use("hindexed_block", &t, 2, 0);
}

static void structure(void)
{
    int lengths[2] = {1, 2};
    MPI_Aint at[2] = {24, 0};
    MPI_Datatype pair, t;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Datatype types[2] = {MPI_INT, pair};
    MPI_Type_create_struct(2, lengths, at, types, &t);
    MPI_Type_free(&pair);
    use("struct", &t, 2, 0);
}

struct mixed {
    char c;
    double d;
    short s;
    int i;
};

static void structure_with_holes(void)
{
    struct mixed x[2], y[2];
    int lengths[4] = {1, 1, 1, 1};
    MPI_Aint at[4] = {offsetof(struct mixed, c), offsetof(struct mixed, d), offsetof(struct mixed, s),
                      offsetof(struct mixed, i)},
             lb, extent;
    MPI_Datatype types[4] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_INT}, t;
    memset(x, 0xff, sizeof x);
    memset(y, 0, sizeof y);
    for (int i = 0; i < 2; i++)
        x[i].c = (char)('a' + i), x[i].d = i + 0.5, x[i].s = (short)(i + 7), x[i].i = -i;
    MPI_Type_create_struct(4, lengths, at, types, &t);
    MPI_Type_commit(&t);
    MPI_Type_get_extent(t, &lb, &extent);
    CHECK(lb == 0 && extent == sizeof x[0]);
    MPI_Sendrecv(x, 2, t, 1 - rank, 0, y, 2, t, 1 - rank, 0, WORLD, IGNORE);
    CHECK(y[1].c == 'b' && y[1].d == 1.5 && y[1].s == 8 && y[1].i == -1);
    CHECK(((unsigned char *)y)[1] == 0); /* the hole was not written */
    say("%c %g %d %d", y[1].c, y[1].d, y[1].s, y[1].i);
    MPI_Type_free(&t);
}

static void resized(void)
{
    MPI_Datatype t, two;
    MPI_Type_create_resized(MPI_INT, 0, 12, &t);
    use("wide", &t, 3, 0);
    MPI_Type_vector(2, 1, 3, MPI_INT, &two);
    MPI_Type_create_resized(two, -4, 8, &t);
    MPI_Type_free(&two);
    use("interleaved", &t, 3, 2);
}

static void subarray(void)
{
    int sizes[2] = {4, 5}, part[2] = {2, 3}, from[2] = {1, 1}, cube[3] = {3, 3, 3}, two[3] = {2, 1, 2},
        at[3] = {0, 1, 1};
    MPI_Datatype t;
    MPI_Type_create_subarray(2, sizes, part, from, MPI_ORDER_C, MPI_INT, &t);
    use("C", &t, 1, 0);
    MPI_Type_create_subarray(2, sizes, part, from, MPI_ORDER_FORTRAN, MPI_INT, &t);
    use("Fortran", &t, 2, 0);
    MPI_Type_create_subarray(3, cube, two, at, MPI_ORDER_C, MPI_INT, &t);
    use("cube", &t, 2, 0);
}

static void darray(void)
{
    int sizes[2] = {5, 6}, block[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int args[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[2] = {2, 2};
    for (int r = 0; r < 4; r++) {
        MPI_Datatype t;
        MPI_Type_create_darray(4, r, 2, sizes, block, args, grid, MPI_ORDER_C, MPI_INT, &t);
        use("darray", &t, 1, 0);
    }
    MPI_Datatype t;
    int none[2] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC},
        dflt[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, row[2] = {1, 2};
    MPI_Type_create_darray(2, 1, 2, sizes, none, dflt, row, MPI_ORDER_FORTRAN, MPI_INT, &t);
    use("cyclic", &t, 1, 0);
}

/* Which indices a process has, in order, is counted anew. */
static int check_cycles(int whole, int block, int processes, int process)
{
    int all[16], packed[16], n = 0, end = 0, how = MPI_DISTRIBUTE_CYCLIC;
    MPI_Datatype t;
    for (int i = 0; i < whole; i++)
        all[i] = i;
    MPI_Type_create_darray(processes, process, 1, &whole, &how, &block, &processes, MPI_ORDER_C, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Pack(all, 1, t, packed, sizeof packed, &end, WORLD);
    for (int i = 0; i < whole; i++)
        if (i / block % processes == process) {
            CHECK(packed[n] == i);
            n++;
        }
    CHECK(end == n * (int)sizeof(int));
    MPI_Type_free(&t);
    return n;
}

static void cycles(void)
{
    for (int whole = 1; whole <= 13; whole++)
        for (int block = 1; block <= 4; block++)
            say("%d by %d: %d %d %d", whole, block, check_cycles(whole, block, 3, 0), check_cycles(whole, block, 3, 1),
                check_cycles(whole, block, 3, 2));
}

static void nested(void)
{
    MPI_Datatype a, b, c;
    MPI_Aint at[2] = {0, 4};
    int lengths[2] = {1, 1};
    MPI_Type_vector(2, 1, 2, MPI_INT, &a);
    MPI_Type_create_hvector(2, 1, 28, a, &b);
    MPI_Datatype types[2] = {b, b};
    MPI_Type_create_struct(2, lengths, at, types, &c);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    use("nested", &c, 2, 0);
}

static void dup(void)
{
    MPI_Datatype v, t;
    MPI_Type_vector(2, 1, 2, MPI_INT, &v);
    MPI_Type_commit(&v);
    MPI_Type_dup(v, &t);
    MPI_Type_free(&v);
    show("dup", t, 2, 0); /* committed as the original was */
    MPI_Type_free(&t);
}

static void empty(void)
{
    MPI_Datatype t;
    MPI_Aint lb, extent;
    int n, x = 4;
    MPI_Type_contiguous(0, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Type_size(t, &n);
    MPI_Type_get_extent(t, &lb, &extent);
    CHECK(n == 0 && lb == 0 && extent == 0);
    MPI_Sendrecv(&x, 5, t, 1 - rank, 0, &x, 5, t, 1 - rank, 0, WORLD, IGNORE);
    CHECK(x == 4);
    say("%d", n);
    MPI_Type_free(&t);
}

static void sizes_of_predefined(void)
{
    static const struct {
        MPI_Datatype t;
        int size;
    } all[] = {
        {MPI_CHAR, 1},
        {MPI_SHORT, 2},
        {MPI_INT, 4},
        {MPI_LONG, 8},
        {MPI_LONG_LONG, 8},
        {MPI_FLOAT, 4},
        {MPI_DOUBLE, 8},
        {MPI_LONG_DOUBLE, 16},
        {MPI_BYTE, 1},
        {MPI_WCHAR, 4},
        {MPI_C_BOOL, 1},
        {MPI_C_DOUBLE_COMPLEX, 16},
        {MPI_FLOAT_INT, 8},
        {MPI_DOUBLE_INT, 12},
        {MPI_SHORT_INT, 6},
        {MPI_2INT, 8},
        {MPI_LONG_INT, 12},
        {MPI_AINT, 8},
        {MPI_PACKED, 1},
        {MPI_INTEGER, 4},
        {MPI_REAL, 4},
        {MPI_DOUBLE_PRECISION, 8},
        {MPI_LOGICAL, 4},
        {MPI_COMPLEX, 8},
        {MPI_DOUBLE_COMPLEX, 16},
        {MPI_INTEGER8, 8},
        {MPI_REAL8, 8},
        {MPI_2INTEGER, 8},
        {MPI_2DOUBLE_PRECISION, 16},
        {MPI_INT16_T, 2},
        {MPI_CHARACTER, 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        int n;
        MPI_Aint lb, extent;
        MPI_Count big;
        MPI_Type_size(all[i].t, &n);
        MPI_Type_size_x(all[i].t, &big);
        MPI_Type_get_extent(all[i].t, &lb, &extent);
        CHECK(n == all[i].size && big == n && lb == 0 && extent >= n);
        say("%d %d %ld", (int)i, n, (long)extent);
    }
}

/* A type of 2^33 bytes costs nothing as long as nobody sends it. */
static void huge(void)
{
    MPI_Datatype t;
    MPI_Count n, lb, extent;
    int small;
    MPI_Type_contiguous(1 << 30, MPI_DOUBLE, &t);
    MPI_Type_size_x(t, &n);
    MPI_Type_size(t, &small);
    MPI_Type_get_extent_x(t, &lb, &extent);
    CHECK(n == 8LL << 30 && small == MPI_UNDEFINED && extent == n);
    MPI_Type_get_true_extent_x(t, &lb, &extent);
    CHECK(extent == n && lb == 0);
    say("%lld", (long long)n);
    MPI_Type_free(&t);
}

static void envelope_and_contents(void)
{
    MPI_Datatype v, t, inner[1];
    int ni, na, nt, combiner, ints[3], lengths[2] = {1, 2};
    MPI_Aint addresses[2], at[2] = {0, 16};
    MPI_Type_vector(3, 2, 5, MPI_DOUBLE, &v);
    MPI_Type_get_envelope(v, &ni, &na, &nt, &combiner);
    CHECK(ni == 3 && na == 0 && nt == 1 && combiner == MPI_COMBINER_VECTOR);
    MPI_Type_get_contents(v, ni, na, nt, ints, addresses, inner);
    CHECK(ints[0] == 3 && ints[1] == 2 && ints[2] == 5 && inner[0] == MPI_DOUBLE);
    MPI_Type_create_hindexed(2, lengths, at, v, &t);
    MPI_Type_get_envelope(t, &ni, &na, &nt, &combiner);
    CHECK(ni == 3 && na == 2 && nt == 1 && combiner == MPI_COMBINER_HINDEXED);
    MPI_Type_get_contents(t, ni, na, nt, ints, addresses, inner);
    CHECK(ints[0] == 2 && ints[2] == 2 && addresses[1] == 16);
    MPI_Type_get_envelope(inner[0], &ni, &na, &nt, &combiner);
    CHECK(combiner == MPI_COMBINER_VECTOR);
    MPI_Type_free(&inner[0]);
    MPI_Type_free(&t);
    MPI_Type_free(&v);
    MPI_Type_get_envelope(MPI_INT, &ni, &na, &nt, &combiner);
    CHECK(combiner == MPI_COMBINER_NAMED && ni == 0 && nt == 0);
    MPI_Type_dup(MPI_INT, &t);
    MPI_Type_get_envelope(t, &ni, &na, &nt, &combiner);
    CHECK(combiner == MPI_COMBINER_DUP);
    MPI_Type_free(&t);
    say("done");
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int n;
    MPI_Datatype t;
    MPI_Type_get_name(MPI_DOUBLE, name, &n);
    CHECK(strcmp(name, "MPI_DOUBLE") == 0 && n == 10);
    MPI_Type_contiguous(2, MPI_INT, &t);
    MPI_Type_get_name(t, name, &n);
    CHECK(n == 0);
    MPI_Type_set_name(t, "two ints");
    MPI_Type_get_name(t, name, &n);
    CHECK(strcmp(name, "two ints") == 0 && n == 8);
    say("%s", name);
    MPI_Type_free(&t);
}

static int copies, deletions;
static int copy_attribute(MPI_Datatype t, int key, void *extra, void *in, void *out, int *flag)
{
    (void)t, (void)key, (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}
static int delete_attribute(MPI_Datatype t, int key, void *value, void *extra)
{
    (void)t, (void)key, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    int key, flag, x, *value;
    MPI_Datatype t, u;
    copies = deletions = 0;
    MPI_Type_create_keyval(copy_attribute, delete_attribute, &key, NULL);
    MPI_Type_contiguous(2, MPI_INT, &t);
    MPI_Type_set_attr(t, key, &x);
    MPI_Type_dup(t, &u);
    MPI_Type_get_attr(u, key, &value, &flag);
    CHECK(flag && value == &x && copies == 1);
    MPI_Type_delete_attr(u, key);
    MPI_Type_get_attr(u, key, &value, &flag);
    CHECK(!flag && deletions == 1);
    MPI_Type_free(&u);
    MPI_Type_free(&t);
    CHECK(deletions == 2);
    MPI_Type_free_keyval(&key);
    say("%d %d", copies, deletions);
}

static void match_size(void)
{
    MPI_Datatype t;
    int n;
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &t);
    MPI_Type_size(t, &n);
    CHECK(n == 8);
    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &t);
    MPI_Type_size(t, &n);
    CHECK(n == 2);
    MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &t);
    MPI_Type_size(t, &n);
    CHECK(n == 16);
    say("%d", n);
}

static void f90_types(void)
{
    MPI_Datatype i, r, z, again;
    int ni, nr, nz, a, b, c, combiner;
    MPI_Type_create_f90_integer(9, &i);
    MPI_Type_create_f90_real(15, 307, &r);
    MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &z);
    MPI_Type_size(i, &ni);
    MPI_Type_size(r, &nr);
    MPI_Type_size(z, &nz);
    CHECK(ni == 4 && nr == 8 && nz == 8);
    MPI_Type_create_f90_real(15, 307, &again);
    CHECK(again == r);
    MPI_Type_get_envelope(r, &a, &b, &c, &combiner);
    CHECK(combiner == MPI_COMBINER_F90_REAL && a == 2);
    double x = rank, y = -1;
    MPI_Sendrecv(&x, 1, r, 1 - rank, 0, &y, 1, r, 1 - rank, 0, WORLD, IGNORE);
    CHECK(y == 1 - rank);
    say("%d %d %d", ni, nr, nz);
}

static void addresses(void)
{
    int x[4] = {0};
    MPI_Aint a, b;
    MPI_Get_address(&x[0], &a);
    MPI_Get_address(&x[3], &b);
    CHECK(MPI_Aint_diff(b, a) == 12 && MPI_Aint_add(a, 12) == b);
    say("%ld", (long)MPI_Aint_diff(b, a));
}

static void absolute_addresses(void)
{
    int a = 10 + rank, c = -1, lengths[2] = {1, 1};
    double b = 0.5 + rank, d = -1;
    MPI_Aint from[2], to[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, out, in;
    MPI_Get_address(&a, &from[0]);
    MPI_Get_address(&b, &from[1]);
    MPI_Get_address(&c, &to[0]);
    MPI_Get_address(&d, &to[1]);
    MPI_Type_create_struct(2, lengths, from, types, &out);
    MPI_Type_create_struct(2, lengths, to, types, &in);
    MPI_Type_commit(&out);
    MPI_Type_commit(&in);
    MPI_Sendrecv(MPI_BOTTOM, 1, out, 1 - rank, 0, MPI_BOTTOM, 1, in, 1 - rank, 0, WORLD, IGNORE);
    CHECK(c == 11 - rank && d == 1.5 - rank);
    say("%d %g", c, d);
    MPI_Type_free(&out);
    MPI_Type_free(&in);
}

static void packed_message(void)
{
    char buffer[100], text[6] = "hello";
    int at = 0, n = 3;
    double x[3] = {1.5, 2.5, 3.5};
    if (rank == 0) {
        MPI_Pack(&n, 1, MPI_INT, buffer, 100, &at, WORLD);
        MPI_Pack(x, 3, MPI_DOUBLE, buffer, 100, &at, WORLD);
        MPI_Pack(text, 6, MPI_CHAR, buffer, 100, &at, WORLD);
        MPI_Send(buffer, at, MPI_PACKED, 1, 0, WORLD);
    } else {
        double y[3] = {0};
        char got[6] = "";
        n = 0;
        MPI_Recv(buffer, 100, MPI_PACKED, 0, 0, WORLD, IGNORE);
        MPI_Unpack(buffer, 100, &at, &n, 1, MPI_INT, WORLD);
        MPI_Unpack(buffer, 100, &at, y, n, MPI_DOUBLE, WORLD);
        MPI_Unpack(buffer, 100, &at, got, 6, MPI_CHAR, WORLD);
        CHECK(n == 3 && y[2] == 3.5 && strcmp(got, "hello") == 0);
    }
    say("%d", at);
}

static void pack_external(void)
{
    unsigned char buffer[32];
    int x[2] = {0x01020304, -2}, y[2] = {0, 0};
    double d = 1.0, e = 0;
    MPI_Aint at = 0, bytes, back = 0;
    MPI_Pack_external_size("external32", 2, MPI_INT, &bytes);
    CHECK(bytes == 8);
    MPI_Pack_external("external32", x, 2, MPI_INT, buffer, sizeof buffer, &at);
    MPI_Pack_external("external32", &d, 1, MPI_DOUBLE, buffer, sizeof buffer, &at);
    CHECK(at == 16 && buffer[0] == 1 && buffer[3] == 4 && buffer[7] == 0xfe && buffer[8] == 0x3f && buffer[9] == 0xf0);
    MPI_Unpack_external("external32", buffer, sizeof buffer, &back, y, 2, MPI_INT);
    MPI_Unpack_external("external32", buffer, sizeof buffer, &back, &e, 1, MPI_DOUBLE);
    CHECK(y[0] == x[0] && y[1] == -2 && e == 1.0);
    say("%ld %d", (long)at, buffer[8]);
}

/* Two blocks of one type are no structure to MPICH: nothing is padded. */
static void structure_of_one_type(void)
{
    int lengths[2] = {2, 1};
    MPI_Aint at[2] = {3, 41}, lb, extent;
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE}, t, pair;
    MPI_Type_create_struct(2, lengths, at, types, &t);
    MPI_Type_get_extent(t, &lb, &extent);
    say("%ld %ld", (long)lb, (long)extent);
    MPI_Type_free(&t);
    types[1] = MPI_LONG_LONG;
    MPI_Type_create_struct(2, lengths, at, types, &pair);
    MPI_Type_get_extent(pair, &lb, &extent);
    say("%ld %ld", (long)lb, (long)extent);
    types[0] = types[1] = pair;
    at[1] = 151;
    MPI_Type_create_struct(2, lengths, at, types, &t);
    MPI_Type_get_extent(t, &lb, &extent);
    say("%ld %ld", (long)lb, (long)extent);
    MPI_Type_free(&t);
    MPI_Type_free(&pair);
}

/* A long has 4 bytes there, a long double 16 with another layout; of a type with holes only the data goes. */
static void pack_external_other_sizes(void)
{
    unsigned char buffer[64];
    long l[2] = {-5, 70000}, back[2] = {0, 0};
    long double x = -1.625L, y = 0;
    short s[4] = {1, 2, 3, 4}, t[4] = {-1, -1, -1, -1};
    MPI_Aint at = 0, from = 0, bytes;
    MPI_Datatype every_second;
    MPI_Type_vector(2, 1, 2, MPI_SHORT, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Pack_external_size("external32", 2, MPI_LONG, &bytes);
    say("%ld", (long)bytes);
    MPI_Pack_external("external32", l, 2, MPI_LONG, buffer, sizeof buffer, &at);
    MPI_Pack_external("external32", &x, 1, MPI_LONG_DOUBLE, buffer, sizeof buffer, &at);
    MPI_Pack_external("external32", s, 1, every_second, buffer, sizeof buffer, &at);
    for (int i = 0; i < at; i++)
        say("%02x", buffer[i]);
    MPI_Unpack_external("external32", buffer, sizeof buffer, &from, back, 2, MPI_LONG);
    MPI_Unpack_external("external32", buffer, sizeof buffer, &from, &y, 1, MPI_LONG_DOUBLE);
    MPI_Unpack_external("external32", buffer, sizeof buffer, &from, t, 1, every_second);
    CHECK(from == at && back[1] == 70000 && y == x && t[0] == 1 && t[1] == -1 && t[2] == 3 && t[3] == -1);
    say("%ld", back[0]);
    MPI_Type_free(&every_second);
}

const struct conf_case conf_cases[] = {
    CASE(contiguous),
    CASE(vector),
    CASE(vector_backwards),
    CASE(hvector),
    CASE(indexed),
    CASE(hindexed),
    CASE(indexed_block),
    CASE(structure),
    CASE(structure_with_holes),
    CASE(resized),
    CASE(subarray),
    CASE(darray),
    CASE(cycles),
    CASE(nested),
    CASE(dup),
    CASE(empty),
    CASE(sizes_of_predefined),
    CASE(huge),
    CASE(envelope_and_contents),
    CASE(names),
    CASE(attributes),
    CASE(match_size),
    CASE(f90_types),
    CASE(addresses),
    CASE(absolute_addresses),
    CASE(packed_message),
    CASE(pack_external),
    CASE(pack_external_other_sizes),
    CASE(structure_of_one_type),
    END_OF_CASES,
};

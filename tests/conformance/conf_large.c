/* SPDX-License-Identifier: BSD-3-Clause
 * Calls with large counts that do more than hand their numbers on: constructors of datatypes and what they tell,
 * packing, operations, buffers for sends, sizes of what came, shared windows.
 *
 * ranks: 2 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "conf_kit.h"

enum { TYPES = 7 };

/* One type of each constructor whose numbers may be large. */
static void make(MPI_Datatype t[TYPES])
{
    const MPI_Count lengths[] = {2, 3}, at[] = {0, 8}, bytes[] = {0, 32};
    MPI_Type_contiguous_c(3, MPI_INT, &t[0]);
    MPI_Type_vector_c(3, 2, 4, MPI_INT, &t[1]);
    MPI_Type_create_hvector_c(3, 1, 20, MPI_INT, &t[2]);
    MPI_Type_indexed_c(2, lengths, at, MPI_INT, &t[3]);
    MPI_Type_create_hindexed_c(2, lengths, bytes, MPI_INT, &t[4]);
    MPI_Type_create_indexed_block_c(2, 2, at, MPI_INT, &t[5]);
    MPI_Type_create_hindexed_block_c(2, 3, bytes, MPI_INT, &t[6]);
    for (int i = 0; i < TYPES; i++)
        MPI_Type_commit(&t[i]);
}

/* The numbers that a type was made with. */
static void show_contents(int i, MPI_Datatype t)
{
    MPI_Count nints, naddresses, nlarge, ntypes, large[8];
    MPI_Aint addresses[8];
    MPI_Datatype of;
    int combiner, ints[8];
    MPI_Type_get_envelope_c(t, &nints, &naddresses, &nlarge, &ntypes, &combiner);
    say("type %d: %d ints, %d addresses, %d large, %d types, combiner %d", i, (int)nints, (int)naddresses, (int)nlarge,
        (int)ntypes, combiner);
    CHECK(nlarge <= 8 && naddresses <= 8 && nints <= 8 && ntypes == 1);
    MPI_Type_get_contents_c(t, nints, naddresses, nlarge, 1, ints, addresses, large, &of);
    CHECK(of == MPI_INT);
    for (int k = 0; k < nlarge; k++)
        say("large %d: %lld", k, (long long)large[k]);
}

static void types_and_packing(void)
{
    MPI_Datatype t[TYPES];
    int memory[64], again[64];
    char room[512];
    make(t);
    for (int i = 0; i < 64; i++)
        memory[i] = i;
    for (int i = 0; i < TYPES; i++) {
        MPI_Count need, end = 0, from = 0;
        show_contents(i, t[i]);
        MPI_Pack_size_c(2, t[i], WORLD, &need);
        MPI_Pack_c(memory, 2, t[i], room, sizeof room, &end, WORLD);
        CHECK(need >= end);
        memset(again, 0, sizeof again);
        MPI_Unpack_c(room, end, &from, again, 2, t[i], WORLD);
        CHECK(from == end);
        say("packed %lld", (long long)end);
        say_ints("unpacked", again, 40);
        MPI_Type_free(&t[i]);
    }
}

static void keep_odd(void *in, void *io, MPI_Count *n, MPI_Datatype *type)
{
    const int *from = in;
    int *to = io;
    CHECK(*type == MPI_INT);
    for (MPI_Count i = 0; i < *n; i++)
        to[i] = from[i] % 2 ? from[i] : to[i];
}

static void operation(void)
{
    MPI_Op op;
    int own[3] = {rank + 1, rank + 2, 7 * rank}, all[3];
    MPI_Op_create_c(keep_odd, 0, &op);
    MPI_Allreduce_c(own, all, 3, MPI_INT, op, WORLD);
    say_ints("reduced", all, 3);
    MPI_Op_free(&op);
}

static void buffered_and_counted(void)
{
    const MPI_Count room = 4096;
    char *buffer = malloc((size_t)room), *was = NULL;
    int three[3] = {4, 5, 6}, got[8];
    MPI_Count bytes = 0, n = 0;
    MPI_Status s;
    CHECK(MPI_Buffer_attach_c(buffer, room) == MPI_SUCCESS);
    MPI_Bsend_c(three, rank + 1, MPI_INT, 1 - rank, 3, WORLD);
    MPI_Recv_c(got, 8, MPI_INT, 1 - rank, 3, WORLD, &s);
    MPI_Get_count_c(&s, MPI_INT, &n);
    say("%lld came, the first %d", (long long)n, got[0]);
    MPI_Get_count_c(&s, MPI_DOUBLE, &n);
    say("as doubles %lld", (long long)n);
    MPI_Buffer_detach_c(&was, &bytes);
    CHECK(was == buffer && bytes == room);
    free(buffer);
}

/* Its length is none that the call with an int could tell. */
static void large_buffer(void)
{
    const size_t room = (size_t)3 << 30;
    void *buffer = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void *was = NULL;
    int bytes = 7;
    CHECK(buffer != MAP_FAILED);
    MPI_Buffer_attach_c(buffer, (MPI_Count)room);
    CHECK(MPI_Buffer_detach(&was, &bytes) == MPI_SUCCESS);
    CHECK(was == buffer && bytes == MPI_UNDEFINED);
    say("%d", bytes);
    munmap(buffer, room);
}

static void shared_window(void)
{
    int *own, *other;
    MPI_Aint bytes;
    MPI_Aint unit;
    MPI_Win w;
    MPI_Win_allocate_shared_c(8 * sizeof *own, sizeof *own, MPI_INFO_NULL, WORLD, &own, &w);
    MPI_Win_fence(0, w);
    own[0] = 10 + rank;
    MPI_Win_fence(0, w);
    CHECK(MPI_Win_shared_query_c(w, 1 - rank, &bytes, &unit, &other) == MPI_SUCCESS);
    say("%ld bytes of unit %ld, the first %d", (long)bytes, (long)unit, other[0]);
    MPI_Win_fence(0, w);
    MPI_Win_free(&w);
}

const struct conf_case conf_cases[] = {
    CASE(types_and_packing), CASE(operation),     CASE(buffered_and_counted),
    CASE(large_buffer),      CASE(shared_window), END_OF_CASES,
};

/* SPDX-License-Identifier: BSD-3-Clause
 * Mistakes that MPICH notices: the same memory sent and received, lengths that differ, groups that do not belong.
 *
 * ranks: 2 */
#include <stddef.h>

#include "conf_kit.h"

static void quiet(void)
{
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
}

#define EXPECT(class, call) \
    do { \
        int code_ = (call), class_ = class_of(code_); \
        CHECK(class_ == class); \
        say("%s: %d", #class, class_); \
    } while (0)

static int memory[8];
static const int ones[2] = {1, 1}, at[2] = {3, 4};

/* A communicator without a handler of its own has that of the world, as it is by then. This is the first case, so none
 * has been set. */
static void handler_of_the_world_later(void)
{
    MPI_Comm before, after;
    MPI_Errhandler h;
    MPI_Comm_dup(WORLD, &before);
    quiet();
    MPI_Comm_dup(WORLD, &after);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_ARE_FATAL);
    EXPECT(MPI_ERR_RANK, MPI_Send(memory, 1, MPI_INT, 9, 0, after));
    MPI_Comm_get_errhandler(before, &h);
    CHECK(h == MPI_ERRORS_ARE_FATAL);
    quiet();
    EXPECT(MPI_ERR_RANK, MPI_Send(memory, 1, MPI_INT, 9, 0, before));
    EXPECT(MPI_ERR_RANK, MPI_Send(memory, 1, MPI_INT, 9, 0, MPI_COMM_SELF));
    MPI_Comm_get_errhandler(before, &h);
    say("%d", h == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&before);
    MPI_Comm_free(&after);
}

static void no_place_for_a_communicator(void)
{
    MPI_Group group;
    quiet();
    MPI_Comm_group(WORLD, &group);
    EXPECT(MPI_ERR_ARG, MPI_Comm_create(WORLD, group, NULL));
    EXPECT(MPI_ERR_ARG, MPI_Comm_create_group(WORLD, group, 3, NULL));
    EXPECT(MPI_ERR_ARG, MPI_Comm_split(WORLD, 0, 0, NULL));
    EXPECT(MPI_ERR_ARG, MPI_Intercomm_create(WORLD, 0, WORLD, 9, 3, NULL));
    MPI_Group_free(&group);
}

static void group_of_others(void)
{
    MPI_Group world, other, both;
    MPI_Comm made = WORLD;
    const int ranks[2] = {1 - rank, rank};
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 1, ranks, &other);
    MPI_Group_incl(world, 2, ranks, &both);
    EXPECT(MPI_SUCCESS, MPI_Comm_create(MPI_COMM_SELF, other, &made));
    CHECK(made == MPI_COMM_NULL);
    made = WORLD;
    EXPECT(MPI_ERR_GROUP, MPI_Comm_create(MPI_COMM_SELF, both, &made));
    CHECK(made == MPI_COMM_NULL);
    MPI_Group_free(&world);
    MPI_Group_free(&other);
    MPI_Group_free(&both);
}

static void grid_too_large(void)
{
    MPI_Comm made = WORLD;
    const int dims[2] = {2, 2}, periods[2] = {0, 0};
    quiet();
    CHECK(MPI_Cart_create(WORLD, 2, dims, periods, 0, &made) != MPI_SUCCESS);
    CHECK(made == MPI_COMM_NULL);
    say("%d", made == MPI_COMM_NULL);
}

static void broadcasts_of_two_lengths(void)
{
    MPI_Request q;
    quiet();
    int longer = class_of(MPI_Bcast(memory, rank ? 8 : 1, MPI_INT, 0, WORLD));
    int shorter = class_of(MPI_Bcast(memory, rank ? 1 : 8, MPI_INT, 0, WORLD));
    CHECK((longer == MPI_SUCCESS) == (rank == 0) && (shorter == MPI_SUCCESS) == (rank == 0));
    say("%d %d", longer, shorter);
    for (int k = 0; k < 2; k++) {
        MPI_Ibcast(memory, rank == k ? 8 : 1, MPI_INT, 0, WORLD, &q);
        int waited = class_of(MPI_Wait(&q, IGNORE));
        CHECK((waited == MPI_SUCCESS) == (rank == 0));
        say("%d", waited);
    }
}

/* Seven bytes for a type of integers with gaps between them. */
static void part_of_an_element(void)
{
    MPI_Datatype apart;
    char bytes[7] = {0};
    int room[20];
    quiet();
    MPI_Type_vector(4, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    if (rank == 1) {
        MPI_Send(bytes, 7, MPI_CHAR, 0, 0, WORLD);
        MPI_Send(bytes, 4, MPI_CHAR, 0, 0, WORLD);
        MPI_Send(bytes, 7, MPI_CHAR, 0, 0, WORLD);
    } else {
        EXPECT(MPI_ERR_TRUNCATE, MPI_Recv(room, 1, apart, 1, 0, WORLD, IGNORE));
        EXPECT(MPI_SUCCESS, MPI_Recv(room, 1, apart, 1, 0, WORLD, IGNORE));
        EXPECT(MPI_SUCCESS, MPI_Recv(room, 4, MPI_INT, 1, 0, WORLD, IGNORE));
    }
    MPI_Type_free(&apart);
}

static void same_memory_at_a_root(void)
{
    quiet();
    if (rank != 0)
        return;
    EXPECT(MPI_ERR_BUFFER, MPI_Scatter(memory, 1, MPI_INT, memory, 1, MPI_INT, 0, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Gather(memory, 1, MPI_INT, memory, 1, MPI_INT, 0, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Scatterv(memory, ones, at, MPI_INT, memory + 3, 1, MPI_INT, 0, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Gatherv(memory + 3, 1, MPI_INT, memory, ones, at, MPI_INT, 0, WORLD));
}

static void same_memory_everywhere(void)
{
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    quiet();
    EXPECT(MPI_ERR_BUFFER, MPI_Allgather(memory + rank, 1, MPI_INT, memory, 1, MPI_INT, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Allgatherv(memory + 3 + rank, 1, MPI_INT, memory, ones, at, MPI_INT, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Alltoall(memory, 1, MPI_INT, memory, 1, MPI_INT, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Alltoallv(memory, ones, at, MPI_INT, memory, ones, at, MPI_INT, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Alltoallw(memory, ones, at, types, memory, ones, at, types, WORLD));
}

/* A handle that was freed is none; a communicator that comes to have it is one again. */
static void freed_communicator(void)
{
    MPI_Comm dup, copy;
    int one = 1, all = 0;
    quiet();
    MPI_Comm_dup(WORLD, &dup);
    copy = dup;
    MPI_Comm_free(&copy);
    EXPECT(MPI_ERR_COMM, MPI_Barrier(dup));
    EXPECT(MPI_ERR_COMM, MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, dup));
    MPI_Comm_dup(WORLD, &copy);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, copy);
    say("%d", all);
    MPI_Comm_free(&copy);
}

static void unit_of_a_window(void)
{
    MPI_Win w;
    int *base;
    quiet();
    EXPECT(MPI_ERR_DISP, MPI_Win_create(memory, sizeof memory, 0, MPI_INFO_NULL, WORLD, &w));
    EXPECT(MPI_ERR_DISP, MPI_Win_create_c(memory, sizeof memory, -((MPI_Aint)1 << 40), MPI_INFO_NULL, WORLD, &w));
    EXPECT(MPI_ERR_DISP, MPI_Win_allocate(sizeof memory, -1, MPI_INFO_NULL, WORLD, &base, &w));
    EXPECT(MPI_ERR_DISP, MPI_Win_allocate_shared(sizeof memory, 0, MPI_INFO_NULL, WORLD, &base, &w));
}

/* A window without a handler of its own has that of the world, though it is said to have MPI_ERRORS_ARE_FATAL. */
static void handler_of_a_window(void)
{
    MPI_Win w;
    MPI_Errhandler h;
    int key;
    quiet();
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, WORLD, &w);
    MPI_Win_get_errhandler(w, &h);
    CHECK(h == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    EXPECT(MPI_ERR_KEYVAL, MPI_Win_set_attr(w, key, memory));
    MPI_Comm_free_keyval(&key);
    MPI_Win_free(&w);
}

const struct conf_case conf_cases[] = {
    CASE(handler_of_the_world_later),
    CASE(freed_communicator),
    CASE(handler_of_a_window),
    CASE(unit_of_a_window),
    CASE(no_place_for_a_communicator),
    CASE(group_of_others),
    CASE(grid_too_large),
    CASE(broadcasts_of_two_lengths),
    CASE(part_of_an_element),
    CASE(same_memory_at_a_root),
    CASE(same_memory_everywhere),
    END_OF_CASES,
};

/* SPDX-License-Identifier: BSD-3-Clause
 * Windows of one-sided communication: all kinds, all ways to synchronise, all calls that move data, and mistakes.
 *
 * ranks: 4 */
#include <string.h>

#include "conf_kit.h"

static MPI_Win win;
static int memory[8];

static void begin(void)
{
    for (int i = 0; i < 8; i++)
        memory[i] = 10 * rank + i;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &win);
}

static void end(const char *label)
{
    MPI_Win_free(&win);
    CHECK(win == MPI_WIN_NULL);
    say_ints(label, memory, 8);
}

static void fences(void)
{
    int right = (rank + 1) % size, mine[3] = {rank, rank + 100, rank + 200}, got[2] = {-1, -1};
    MPI_Datatype every_other;
    MPI_Type_vector(3, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    begin();
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(mine, 3, MPI_INT, right, 1, 1, every_other, win);
    MPI_Put(mine, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Get(got, 2, MPI_INT, right, 2, 2, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    say_ints("got", got, 2);
    end("memory");
    MPI_Type_free(&every_other);
}

static void accumulates(void)
{
    int one[2] = {1, rank}, before[2] = {0}, ours[2] = {rank, 7};
    MPI_Datatype two, none;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_commit(&two);
    MPI_Type_commit(&none);
    begin();
    MPI_Win_fence(0, win);
    MPI_Accumulate(one, 2, MPI_INT, 0, 0, 1, two, MPI_SUM, win);
    MPI_Accumulate(ours, 1, two, 1, 2, 2, MPI_INT, MPI_MAX, win);
    MPI_Accumulate(NULL, 3, none, 1, 2, 2, none, MPI_SUM, win);
    if (rank == 2)
        MPI_Accumulate(ours, 2, MPI_INT, 3, 4, 2, MPI_INT, MPI_REPLACE, win);
    MPI_Win_fence(0, win);
    MPI_Get_accumulate(NULL, 0, MPI_INT, before, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    say_ints("before", before, 2);
    if (rank == 1)
        MPI_Get_accumulate(ours, 2, MPI_INT, before, 1, two, 2, 6, 2, MPI_INT, MPI_PROD, win);
    MPI_Win_fence(0, win);
    say_ints("before", before, 2);
    end("memory");
    MPI_Type_free(&none);
    MPI_Type_free(&two);
}

struct pair {
    double value;
    int at;
};

static void pairs(void)
{
    struct pair least = {100, -1}, own = {50 - rank, rank};
    MPI_Win_create(&least, sizeof least, 1, MPI_INFO_NULL, WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(&own, 1, MPI_DOUBLE_INT, 0, 0, 1, MPI_DOUBLE_INT, MPI_MINLOC, win);
    MPI_Win_fence(0, win);
    say("%g at %d", least.value, least.at);
    MPI_Win_free(&win);
}

/* Who gets which number is not certain, but all numbers are given out. */
static void counters(void)
{
    int one = 1, was = -1, sum, next = rank + 1, swapped = -1;
    begin();
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&one, &was, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    CHECK(was >= 0 && was < size);
    MPI_Allreduce(&was, &sum, 1, MPI_INT, MPI_SUM, WORLD);
    CHECK(sum == size * (size - 1) / 2);
    if (rank == 3)
        MPI_Compare_and_swap(&next, &size, &swapped, MPI_INT, 0, 0, win);
    MPI_Win_flush_all(win);
    MPI_Win_flush_local(0, win);
    MPI_Win_flush_local_all(win);
    MPI_Win_unlock_all(win);
    say("swapped %d", swapped);
    meet();
    end("memory");
}

static void locks(void)
{
    int value, rc;
    begin();
    meet();
    for (int i = 0; i < 20; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Get(&value, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        value += rank + 1;
        MPI_Put(&value, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    meet();
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
    MPI_Get(&value, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
    rc = MPI_Win_unlock(1, win);
    CHECK(rc == MPI_SUCCESS);
    MPI_Win_unlock(2, win);
    say("value %d", value);
    meet();
    end("memory");
}

static void posts(void)
{
    MPI_Group world, left, right;
    int before = (rank + size - 1) % size, after = (rank + 1) % size, value = 1000 + rank, flag = 0;
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 1, &before, &left);
    MPI_Group_incl(world, 1, &after, &right);
    begin();
    for (int i = 0; i < 3; i++, value += 10) {
        MPI_Win_post(left, 0, win);
        MPI_Win_start(right, 0, win);
        MPI_Put(&value, 1, MPI_INT, after, i, 1, MPI_INT, win);
        MPI_Win_complete(win);
        if (i == 1)
            for (flag = 0; !flag;)
                MPI_Win_test(win, &flag);
        else
            MPI_Win_wait(win);
        say("memory[%d] %d", i, memory[i]);
    }
    end("memory");
    MPI_Group_free(&left);
    MPI_Group_free(&right);
    MPI_Group_free(&world);
}

static void requests(void)
{
    int value = 500 + rank, got = -1, before = -1;
    MPI_Request r[3];
    begin();
    MPI_Win_lock_all(0, win);
    MPI_Rput(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win, &r[0]);
    MPI_Raccumulate(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(win);
    meet();
    MPI_Rget(&got, 1, MPI_INT, 0, 1, 1, MPI_INT, win, &r[0]);
    MPI_Rget_accumulate(&value, 1, MPI_INT, &before, 1, MPI_INT, rank, 7, 1, MPI_INT, MPI_SUM, win, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(win);
    say("got %d before %d", got, before);
    meet();
    end("memory");
}

static void allocated(void)
{
    int *base = NULL, flag = 0, *unit, *flavor, *model, length, at;
    MPI_Aint *bytes;
    void *same;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Group g, world;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &base, &win);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &same, &flag);
    CHECK(flag && same == base);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag);
    say("%d bytes, unit %d, flavor %d, model %d", (int)*bytes, *unit, *flavor, *model);
    MPI_Win_set_name(win, "a window");
    MPI_Win_get_name(win, name, &length);
    say("'%s' %d", name, length);
    MPI_Win_get_group(win, &g);
    MPI_Comm_group(WORLD, &world);
    MPI_Group_compare(g, world, &at);
    CHECK(at == MPI_IDENT);
    MPI_Group_free(&g);
    MPI_Group_free(&world);
    base[0] = base[1] = 7 * rank;
    MPI_Win_fence(0, win);
    MPI_Get(&base[1], 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    say("base[1] %d", base[1]);
    MPI_Win_free(&win);
}

static void shared(void)
{
    int *base, *theirs, unit, sum = 0;
    MPI_Aint bytes;
    MPI_Comm node;
    MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Win_allocate_shared((rank + 1) * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, node, &base, &win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int i = 0; i <= rank; i++)
        base[i] = 100 * rank + i;
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Win_sync(win);
    for (int r = 0; r < size; r++) {
        MPI_Win_shared_query(win, r, &bytes, &unit, &theirs);
        say("%d: %d bytes, unit %d, last %d", r, (int)bytes, unit, theirs[r]);
    }
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &theirs);
    for (int i = 0; i < size * (size + 1) / 2; i++)
        sum += theirs[i]; /* one after the other */
    say("sum %d", sum);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
}

/* Every second rank has no memory: nobody gets an address of it. */
static void shared_by_some(void)
{
    MPI_Aint bytes;
    int unit, *base, *theirs;
    MPI_Win_allocate_shared(rank % 2 ? 0 : 8, 4, MPI_INFO_NULL, WORLD, &base, &win);
    say("own %s", base ? "there" : "null");
    for (int r = 0; r < size; r++) {
        MPI_Win_shared_query(win, r, &bytes, &unit, &theirs);
        say("%d: %d bytes, %s", r, (int)bytes, theirs ? "there" : "null");
    }
    MPI_Win_free(&win);
}

static void dynamic(void)
{
    static int here[4];
    MPI_Aint own, theirs;
    int value = 30 + rank;
    MPI_Get_address(here, &own);
    MPI_Sendrecv(&own, 1, MPI_AINT, (rank + size - 1) % size, 0, &theirs, 1, MPI_AINT, (rank + 1) % size, 0, WORLD,
                 IGNORE);
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
    MPI_Win_attach(win, here, sizeof here);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, MPI_Aint_add(theirs, 2 * sizeof(int)), 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_detach(win, here);
    MPI_Win_free(&win);
    say_ints("here", here, 4);
}

static int handled;

static void handle(MPI_Win *w, int *error, ...)
{
    (void)w;
    (void)error;
    handled++;
}

static void attributes(void)
{
    MPI_Errhandler own, got;
    MPI_Info info;
    int key, value = 5, *found = NULL, flag = 1;
    begin();
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
    MPI_Win_set_attr(win, key, &value);
    MPI_Win_get_attr(win, key, &found, &flag);
    CHECK(flag && found == &value);
    MPI_Win_delete_attr(win, key);
    MPI_Win_get_attr(win, key, &found, &flag);
    CHECK(!flag);
    MPI_Win_free_keyval(&key);
    MPI_Win_create_errhandler(handle, &own);
    MPI_Win_set_errhandler(win, own);
    MPI_Win_get_errhandler(win, &got);
    CHECK(got == own);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&own);
    CHECK(MPI_Win_call_errhandler(win, MPI_ERR_OTHER) == MPI_SUCCESS && handled == 1);
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "false");
    CHECK(MPI_Win_set_info(win, info) == MPI_SUCCESS);
    MPI_Info_free(&info);
    say("handled %d", handled);
    end("memory");
}

static void mistakes(void)
{
    int value = 0;
    MPI_Info info;
    char text[32];
    int flag;
    begin();
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    say("put outside: %d", class_of(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win)));
    say("unlock: %d", class_of(MPI_Win_unlock(0, win)));
    say("complete: %d", class_of(MPI_Win_complete(win)));
    say("wait: %d", class_of(MPI_Win_wait(win)));
    MPI_Win_fence(0, win);
    say("rank: %d", class_of(MPI_Put(&value, 1, MPI_INT, size, 0, 1, MPI_INT, win)));
    say("count: %d", class_of(MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, win)));
    MPI_Win_fence(0, win);
    MPI_Win_get_info(win, &info);
    MPI_Info_get(info, "accumulate_ordering", 31, text, &flag);
    say("%d %s", flag, text);
    MPI_Info_free(&info);
    end("memory");
}

const struct conf_case conf_cases[] = {CASE(fences),   CASE(accumulates),    CASE(pairs),    CASE(counters),
                                       CASE(locks),    CASE(posts),          CASE(requests), CASE(allocated),
                                       CASE(shared),   CASE(shared_by_some), CASE(dynamic),  CASE(attributes),
                                       CASE(mistakes), END_OF_CASES};

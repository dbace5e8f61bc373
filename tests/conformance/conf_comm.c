/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators: every constructor, names, infos, comparison, attributes with their callbacks, intercommunicators.
 *
 * ranks: 4 */
#include <string.h>

#include "conf_kit.h"

static int sum_over(MPI_Comm comm, int x)
{
    int y = -1;
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm);
    return y;
}

static void place(const char *label, MPI_Comm comm)
{
    int r = -1, n = -1;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &r);
        MPI_Comm_size(comm, &n);
    }
    say("%s: %d of %d", label, r, n);
}

static void world_and_self(void)
{
    int n;
    MPI_Comm_size(MPI_COMM_SELF, &n);
    CHECK(n == 1 && size == 4);
    place("world", WORLD);
    place("self", MPI_COMM_SELF);
}

static void dup(void)
{
    MPI_Comm copy;
    int how;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_compare(WORLD, copy, &how);
    CHECK(how == MPI_CONGRUENT && sum_over(copy, rank) == 6);
    place("copy", copy);
    MPI_Comm_free(&copy);
    CHECK(copy == MPI_COMM_NULL);
}

static void dup_with_info(void)
{
    MPI_Comm copy;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "conf_hint", "7");
    MPI_Comm_dup_with_info(WORLD, info, &copy);
    MPI_Info_free(&info);
    MPI_Comm_get_info(copy, &info);
    CHECK(info != MPI_INFO_NULL);
    MPI_Info_free(&info);
    CHECK(sum_over(copy, 1) == 4);
    MPI_Comm_free(&copy);
    say("done");
}

static void idup(void)
{
    MPI_Comm a, b;
    MPI_Request q[2];
    MPI_Comm_idup(WORLD, &a, &q[0]);
    MPI_Comm_idup(WORLD, &b, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    CHECK(sum_over(b, rank) == 6 && sum_over(a, 2) == 8);
    place("a", a);
    MPI_Comm_free(&a);
    MPI_Comm_free(&b);
}

static void split(void)
{
    MPI_Comm half;
    MPI_Comm_split(WORLD, rank % 2, -rank, &half);
    CHECK(sum_over(half, rank) == (rank % 2 ? 4 : 2));
    place("half", half);
    MPI_Comm_free(&half);
    MPI_Comm_split(WORLD, rank == 1 ? MPI_UNDEFINED : 5, 0, &half);
    CHECK((half == MPI_COMM_NULL) == (rank == 1));
    place("not 1", half);
    if (half != MPI_COMM_NULL)
        MPI_Comm_free(&half);
}

static void split_ties_keep_the_order(void)
{
    MPI_Comm c;
    static const int keys[4] = {3, 1, 3, 1};
    MPI_Comm_split(WORLD, 0, keys[rank], &c);
    place("c", c);
    MPI_Comm_free(&c);
}

static void split_of_split(void)
{
    MPI_Comm half, one;
    MPI_Comm_split(WORLD, rank / 2, rank, &half);
    MPI_Comm_split(half, rank % 2, 0, &one);
    place("one", one);
    CHECK(sum_over(one, rank) == rank);
    MPI_Comm_free(&one);
    CHECK(sum_over(half, rank) == (rank / 2 ? 5 : 1));
    MPI_Comm_free(&half);
}

static void split_type_shared(void)
{
    MPI_Comm c;
    MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &c);
    place("shared", c);
    CHECK(sum_over(c, rank) == 6);
    MPI_Comm_free(&c);
    MPI_Comm_split_type(WORLD, rank ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, 0, MPI_INFO_NULL, &c);
    CHECK((c == MPI_COMM_NULL) == (rank == 0));
    if (c != MPI_COMM_NULL)
        MPI_Comm_free(&c);
}

/* The size of what a split by this type gives, 0 for MPI_COMM_NULL. */
static int split_size(MPI_Comm of, int type, MPI_Info info)
{
    MPI_Comm c;
    int n = 0;
    CHECK(MPI_Comm_split_type(of, type, rank, info, &c) == MPI_SUCCESS);
    if (c == MPI_COMM_NULL)
        return 0;
    MPI_Comm_size(c, &n);
    MPI_Comm_free(&c);
    return n;
}

/* What the machine is like, and where ranks run on it, is not ours to say: only what holds for all machines is checked.
 */
static void split_type_guided(void)
{
    MPI_Info info;
    CHECK(split_size(WORLD, MPI_COMM_TYPE_HW_GUIDED, MPI_INFO_NULL) == 0);
    MPI_Info_create(&info);
    CHECK(split_size(WORLD, MPI_COMM_TYPE_HW_GUIDED, info) == 0);
    MPI_Info_set(info, "shmem_topo", "package");
    CHECK(split_size(WORLD, MPI_COMM_TYPE_HW_GUIDED, info) == 0);
    MPI_Info_set(info, "mpi_hw_resource_type", "no such thing");
    CHECK(split_size(WORLD, MPI_COMM_TYPE_HW_GUIDED, info) == 0);
    MPI_Info_set(info, "mpi_hw_resource_type", "machine");
    CHECK(split_size(WORLD, MPI_COMM_TYPE_HW_GUIDED, info) < size);
    MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory");
    say("%d", split_size(WORLD, MPI_COMM_TYPE_HW_GUIDED, info));
    say("%d", split_size(WORLD, MPI_COMM_TYPE_SHARED, info));
    MPI_Info_free(&info);
}

/* All ranks get the error; without a hint of its own a rank of MPI_UNDEFINED does not matter. */
static void split_type_with_unequal_hints(void)
{
    MPI_Info info;
    MPI_Comm c = WORLD;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", rank ? "mpi_shared_memory" : "core");
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    say("%d", class_of(MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &c)));
    CHECK(MPI_Comm_split_type(WORLD, rank ? MPI_COMM_TYPE_HW_GUIDED : MPI_UNDEFINED, 0, info, &c) == MPI_SUCCESS);
    CHECK((c == MPI_COMM_NULL) == (rank == 0));
    place("three", c);
    if (c != MPI_COMM_NULL)
        MPI_Comm_free(&c);
    CHECK(class_of(MPI_Comm_split_type(WORLD, 77, 0, MPI_INFO_NULL, &c)) == MPI_ERR_ARG);
    MPI_Info_free(&info);
}

/* Ends, as each communicator is smaller than the one that it comes from. */
static void split_until_null(void)
{
    MPI_Comm c, next;
    int n = size, m;
    MPI_Comm_dup(WORLD, &c);
    for (int depth = 0; c != MPI_COMM_NULL && depth < 5; depth++, c = next) {
        CHECK(MPI_Comm_split_type(c, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &next) == MPI_SUCCESS);
        MPI_Comm_free(&c);
        if (next == MPI_COMM_NULL)
            continue;
        MPI_Comm_size(next, &m);
        CHECK(m < n);
        n = m;
    }
    CHECK(c == MPI_COMM_NULL);
    say("done");
}

static void say_hints(const char *label, MPI_Comm c)
{
    static const char *const keys[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source", "unknown_hint"};
    char value[MPI_MAX_INFO_VAL];
    int flag;
    MPI_Info info;
    MPI_Comm_get_info(c, &info);
    for (int i = 0; i < 3; i++) {
        MPI_Info_get(info, keys[i], sizeof value - 1, value, &flag);
        say("%s %s: %s", label, keys[i], flag ? value : "not there");
        CHECK(i < 2 || !flag);
    }
    MPI_Info_free(&info);
}

/* Hints that nobody knows are ignored, and a duplicate has those that it is given alone (MPI 4.0, section 7.4.2). */
static void hints_that_are_known(void)
{
    MPI_Comm c, d;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "unknown_hint", "true");
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Comm_dup_with_info(WORLD, info, &c);
    say_hints("with info", c);
    MPI_Comm_dup(c, &d);
    say_hints("duplicate", d);
    MPI_Info_set(info, "mpi_assert_no_any_source", "1");
    MPI_Info_set(info, "mpi_assert_no_any_tag", "false");
    MPI_Comm_set_info(d, info);
    say_hints("set", d);
    MPI_Comm_free(&c);
    MPI_Comm_free(&d);
    MPI_Info_free(&info);
}

static void create(void)
{
    MPI_Group world, some;
    MPI_Comm c;
    static const int ranks[3] = {3, 0, 2};
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 3, ranks, &some);
    MPI_Comm_create(WORLD, some, &c);
    CHECK((c == MPI_COMM_NULL) == (rank == 1));
    place("c", c);
    if (c != MPI_COMM_NULL) {
        CHECK(sum_over(c, rank) == 5);
        MPI_Comm_free(&c);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&world);
}

/* Disjoint groups in one call. */
static void create_disjoint(void)
{
    MPI_Group world, mine;
    MPI_Comm c;
    int range[1][3] = {{rank < 2 ? 0 : 2, rank < 2 ? 1 : 3, 1}};
    MPI_Comm_group(WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &mine);
    MPI_Comm_create(WORLD, mine, &c);
    CHECK(sum_over(c, rank) == (rank < 2 ? 1 : 5));
    place("c", c);
    MPI_Comm_free(&c);
    MPI_Group_free(&mine);
    MPI_Group_free(&world);
}

/* Only the members call it. */
static void create_group(void)
{
    MPI_Group world, some;
    MPI_Comm c = MPI_COMM_NULL;
    static const int ranks[2] = {2, 1};
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 2, ranks, &some);
    if (rank == 1 || rank == 2) {
        MPI_Comm_create_group(WORLD, some, 17, &c);
        CHECK(sum_over(c, rank) == 3);
        place("c", c);
        MPI_Comm_free(&c);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&world);
    say("done");
}

static void compare(void)
{
    MPI_Comm back, half;
    int how[4];
    MPI_Comm_split(WORLD, 0, -rank, &back);
    MPI_Comm_split(WORLD, rank % 2, 0, &half);
    MPI_Comm_compare(WORLD, WORLD, &how[0]);
    MPI_Comm_compare(WORLD, back, &how[1]);
    MPI_Comm_compare(WORLD, half, &how[2]);
    MPI_Comm_compare(MPI_COMM_SELF, MPI_COMM_SELF, &how[3]);
    CHECK(how[0] == MPI_IDENT && how[1] == MPI_SIMILAR && how[2] == MPI_UNEQUAL && how[3] == MPI_IDENT);
    MPI_Comm_free(&back);
    MPI_Comm_free(&half);
    say("done");
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int n;
    MPI_Comm copy;
    MPI_Comm_get_name(WORLD, name, &n);
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && n == 14);
    MPI_Comm_get_name(MPI_COMM_SELF, name, &n);
    CHECK(strcmp(name, "MPI_COMM_SELF") == 0);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_get_name(copy, name, &n);
    CHECK(n == 0 && name[0] == 0);
    MPI_Comm_set_name(copy, "a copy");
    MPI_Comm_get_name(copy, name, &n);
    CHECK(strcmp(name, "a copy") == 0 && n == 6);
    say("%s", name);
    MPI_Comm_free(&copy);
}

/* The numbering of handles that are used again must not mix up messages. */
static void made_and_freed_many_times(void)
{
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        MPI_Comm c;
        MPI_Comm_dup(WORLD, &c);
        sum += sum_over(c, i);
        MPI_Comm_free(&c);
    }
    CHECK(sum == 4 * 190);
    say("%d", sum);
}

/* Freed while a receive is open: it still gets its message. */
static void freed_with_an_open_receive(void)
{
    MPI_Comm c;
    MPI_Request q;
    int x = rank, y = -1;
    MPI_Comm_dup(WORLD, &c);
    MPI_Irecv(&y, 1, MPI_INT, rank ^ 1, 0, c, &q);
    MPI_Send(&x, 1, MPI_INT, rank ^ 1, 0, c);
    MPI_Comm_free(&c);
    MPI_Wait(&q, IGNORE);
    CHECK(y == (rank ^ 1));
    say("%d", y);
}

static void disconnect(void)
{
    MPI_Comm c, parent;
    MPI_Comm_dup(WORLD, &c);
    MPI_Comm_disconnect(&c);
    MPI_Comm_get_parent(&parent);
    CHECK(c == MPI_COMM_NULL && parent == MPI_COMM_NULL);
    say("done");
}

/* ---- attributes ---- */

static int copies, deletions;

static int copy_plus_one(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag)
{
    (void)c, (void)key;
    copies++;
    *(void **)out = (char *)in + *(int *)extra;
    *flag = 1;
    return MPI_SUCCESS;
}

static int count_deletion(MPI_Comm c, int key, void *value, void *extra)
{
    (void)c, (void)key, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    static int step = 1;
    int key, flag;
    char *value, base[4];
    MPI_Comm copy;
    copies = deletions = 0;
    MPI_Comm_create_keyval(copy_plus_one, count_deletion, &key, &step);
    MPI_Comm_get_attr(WORLD, key, &value, &flag);
    CHECK(!flag);
    MPI_Comm_set_attr(WORLD, key, base);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_get_attr(copy, key, &value, &flag);
    CHECK(flag && value == base + 1 && copies == 1);
    MPI_Comm_set_attr(copy, key, base + 3); /* the old value is deleted */
    CHECK(deletions == 1);
    MPI_Comm_free(&copy);
    CHECK(deletions == 2);
    MPI_Comm_delete_attr(WORLD, key);
    MPI_Comm_get_attr(WORLD, key, &value, &flag);
    CHECK(deletions == 3 && !flag);
    MPI_Comm_free_keyval(&key);
    CHECK(key == MPI_KEYVAL_INVALID);
    say("%d %d", copies, deletions);
}

static void attributes_predefined_callbacks(void)
{
    int dup_key, null_key, flag, x = 5, *value;
    MPI_Comm copy, part;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup_key, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &null_key, NULL);
    MPI_Comm_set_attr(WORLD, dup_key, &x);
    MPI_Comm_set_attr(WORLD, null_key, &x);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_get_attr(copy, dup_key, &value, &flag);
    CHECK(flag && value == &x);
    MPI_Comm_get_attr(copy, null_key, &value, &flag);
    CHECK(!flag);
    MPI_Comm_split(WORLD, 0, 0, &part); /* only dup copies attributes */
    MPI_Comm_get_attr(part, dup_key, &value, &flag);
    CHECK(!flag);
    MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(WORLD, dup_key);
    MPI_Comm_delete_attr(WORLD, null_key);
    MPI_Comm_free_keyval(&dup_key);
    MPI_Comm_free_keyval(&null_key);
    say("done");
}

static int refuse(MPI_Comm c, int key, void *value, void *extra)
{
    (void)c, (void)key, (void)value, (void)extra;
    return MPI_ERR_OTHER;
}

static void attribute_that_will_not_go(void)
{
    int key, code, flag, *value, x;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &key, NULL);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Comm c;
    MPI_Comm_split(WORLD, 0, 0, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    MPI_Comm_set_attr(c, key, &x);
    code = MPI_Comm_delete_attr(c, key);
    CHECK(code != MPI_SUCCESS);
    MPI_Comm_get_attr(c, key, &value, &flag);
    CHECK(flag && value == &x);
    say("%d", flag);
    /* It cannot be freed either: both stay until the end. */
}

static void predefined_attributes(void)
{
    int *value, flag, n = 0;
    static const int keys[5] = {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE};
    for (int i = 0; i < 5; i++) {
        MPI_Comm_get_attr(WORLD, keys[i], &value, &flag);
        n += flag;
        if (flag && keys[i] == MPI_WTIME_IS_GLOBAL)
            CHECK(*value == 0 || *value == 1);
    }
    MPI_Comm_get_attr(WORLD, MPI_TAG_UB, &value, &flag);
    CHECK(flag && *value >= 32767 && n >= 4);
    say("tag_ub %d", *value);
    MPI_Comm_get_attr(WORLD, MPI_LASTUSEDCODE, &value, &flag);
    CHECK(flag && *value >= MPI_ERR_LASTCODE);
    say("last code %d, %d of them", *value, n);
    MPI_Comm_get_attr(WORLD, MPI_APPNUM, &value, &flag);
    say("appnum %d", flag);
}

static void old_names_of_attributes(void)
{
    int key, flag, x = 3, *value;
    MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &key, NULL);
    MPI_Attr_put(WORLD, key, &x);
    MPI_Attr_get(WORLD, key, &value, &flag);
    CHECK(flag && value == &x);
    MPI_Attr_delete(WORLD, key);
    MPI_Attr_get(WORLD, key, &value, &flag);
    CHECK(!flag);
    MPI_Keyval_free(&key);
    MPI_Attr_get(WORLD, MPI_TAG_UB, &value, &flag);
    CHECK(flag);
    say("done");
}

/* ---- lifetimes: what something refers to outlives its handle ---- */

static int errors_noted;
static void note_error(MPI_Comm *c, int *code, ...)
{
    (void)c;
    (void)code;
    errors_noted++;
}

static void handler_outlives_its_handle(void)
{
    MPI_Errhandler h, other;
    MPI_Comm copy, copy_of_copy;
    errors_noted = 0;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_create_errhandler(note_error, &h);
    MPI_Comm_set_errhandler(copy, h);
    MPI_Errhandler_free(&h);
    MPI_Comm_dup(copy, &copy_of_copy);
    MPI_Comm_free(&copy);
    MPI_Comm_create_errhandler(note_error, &other); /* must not become the freed one */
    MPI_Errhandler_free(&other);
    MPI_Comm_call_errhandler(copy_of_copy, MPI_ERR_OTHER);
    CHECK(errors_noted == 1);
    MPI_Comm_free(&copy_of_copy);
    say("%d", errors_noted);
}

static void topology_outlives_its_communicator(void)
{
    int dims[1] = {4}, periods[1] = {1}, from, to, kind;
    MPI_Comm grid, copy;
    MPI_Cart_create(WORLD, 1, dims, periods, 0, &grid);
    MPI_Comm_dup(grid, &copy);
    MPI_Comm_free(&grid);
    MPI_Topo_test(copy, &kind);
    MPI_Cart_shift(copy, 0, 1, &from, &to);
    CHECK(kind == MPI_CART && from == (rank + 3) % 4 && to == (rank + 1) % 4);
    MPI_Comm_free(&copy);
    say("%d %d", from, to);
}

static void info_is_a_copy(void)
{
    MPI_Info info, got;
    MPI_Comm copy;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key_of_mine", "value");
    MPI_Comm_dup_with_info(WORLD, info, &copy);
    MPI_Info_free(&info);
    MPI_Comm_get_info(copy, &got);
    CHECK(got != MPI_INFO_NULL);
    MPI_Info_free(&got);
    MPI_Comm_free(&copy);
    say("done");
}

static void group_outlives_its_communicator(void)
{
    MPI_Group all, g;
    MPI_Comm copy, half;
    int n, same;
    MPI_Comm_split(WORLD, rank / 2, 0, &half);
    MPI_Comm_group(half, &g);
    MPI_Comm_free(&half);
    MPI_Group_size(g, &n);
    MPI_Comm_group(WORLD, &all);
    MPI_Comm_create_group(WORLD, g, 5, &copy);
    MPI_Group_free(&g);
    MPI_Comm_size(copy, &same);
    CHECK(n == 2 && same == 2);
    MPI_Group_free(&all);
    MPI_Comm_free(&copy);
    say("%d", n);
}

static void keyval_outlives_its_handle(void)
{
    int key, again, flag, x = 0, y = 0, *value;
    MPI_Comm copy, second;
    copies = deletions = 0;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deletion, &key, NULL);
    again = key;
    MPI_Comm_set_attr(copy, key, &x);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_dup(copy, &second);
    MPI_Comm_get_attr(second, again, &value, &flag);
    CHECK(flag && value == &x);
    MPI_Comm_free(&copy);
    CHECK(deletions == 1);
    MPI_Comm_free(&second);
    CHECK(deletions == 2);
    say("%d %d", deletions, y);
}

static int free_again(MPI_Comm c, int key, void *value, void *extra)
{
    (void)c, (void)value, (void)extra;
    deletions++;
    return MPI_Comm_free_keyval(&key);
}

/* A keyval is freed once, however often that is asked for while an attribute keeps it. */
static void keyval_freed_in_its_callback(void)
{
    int key, again;
    MPI_Comm a, b;
    deletions = 0;
    MPI_Comm_dup(WORLD, &a);
    MPI_Comm_dup(WORLD, &b);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_again, &key, NULL);
    again = key;
    MPI_Comm_set_attr(a, key, &rank);
    MPI_Comm_set_attr(b, key, &rank);
    MPI_Comm_free(&a);
    CHECK(MPI_Comm_free_keyval(&key) == MPI_SUCCESS && key == MPI_KEYVAL_INVALID);
    CHECK(MPI_Comm_free_keyval(&again) == MPI_SUCCESS);
    MPI_Comm_free(&b);
    say("%d", deletions);
}

/* The communicator and the type are freed while the receive is under way. */
static void request_holds_on(void)
{
    int x = 50 + rank, y[3] = {-1, -1, -1};
    MPI_Comm copy;
    MPI_Datatype apart;
    MPI_Request q[2];
    MPI_Comm_dup(WORLD, &copy);
    MPI_Type_create_resized(MPI_INT, 0, 8, &apart);
    MPI_Type_commit(&apart);
    MPI_Irecv(y, 1, apart, (rank + 3) % 4, 1, copy, &q[0]);
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, y + 1, 0, MPI_INT, copy, &q[1]);
    MPI_Type_free(&apart);
    MPI_Send(&x, 1, MPI_INT, (rank + 1) % 4, 1, copy);
    MPI_Comm_free(&copy);
    CHECK(copy == MPI_COMM_NULL && apart == MPI_DATATYPE_NULL);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    CHECK(y[0] == 50 + (rank + 3) % 4);
    say("%d", y[0]);
}

static void larger_of(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

/* The operation and the type are freed before the reduction is waited for, and others take their place. */
static void reduction_holds_on(void)
{
    int x[2] = {rank, -rank}, y[2] = {-9, -9};
    MPI_Op op, other;
    MPI_Datatype mine, others;
    MPI_Request q;
    MPI_Op_create(larger_of, 1, &op);
    MPI_Type_contiguous(1, MPI_INT, &mine);
    MPI_Type_commit(&mine);
    MPI_Iallreduce(x, y, 2, mine, op, WORLD, &q);
    MPI_Op_free(&op);
    MPI_Type_free(&mine);
    MPI_Op_create(larger_of, 0, &other);
    MPI_Type_contiguous(7, MPI_INT, &others);
    MPI_Wait(&q, IGNORE);
    CHECK(y[0] == 3 && y[1] == 0);
    MPI_Op_free(&other);
    MPI_Type_free(&others);
    say("%d %d", y[0], y[1]);
}

/* ---- the end ---- */

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else, the last one first: MPI can still be used
 * in the callbacks. */
static int at_the_end(MPI_Comm c, int key, void *value, void *extra)
{
    int finalized, x = rank, y = -1;
    (void)key;
    (void)extra;
    MPI_Finalized(&finalized);
    MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % 4, 3, &y, 1, MPI_INT, (rank + 3) % 4, 3, WORLD, IGNORE);
    CHECK(!finalized && y == (rank + 3) % 4);
    say("%s of %s", (char *)value, c == MPI_COMM_SELF ? "self" : "world");
    return MPI_SUCCESS;
}

static void attributes_at_the_end(void)
{
    int keys[3];
    for (int i = 0; i < 3; i++)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &keys[i], NULL);
    MPI_Comm_set_attr(WORLD, keys[0], "first");
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[1], "second");
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[2], "third");
    say("set");
}

const struct conf_case conf_cases[] = {
    CASE(world_and_self),
    CASE(dup),
    CASE(dup_with_info),
    CASE(idup),
    CASE(split),
    CASE(split_ties_keep_the_order),
    CASE(split_of_split),
    CASE(split_type_shared),
    CASE(split_type_guided),
    CASE(split_type_with_unequal_hints),
    CASE(split_until_null),
    CASE(hints_that_are_known),
    CASE(create),
    CASE(create_disjoint),
    CASE(create_group),
    CASE(compare),
    CASE(names),
    CASE(made_and_freed_many_times),
    CASE(freed_with_an_open_receive),
    CASE(disconnect),
    CASE(attributes),
    CASE(attributes_predefined_callbacks),
    CASE(attribute_that_will_not_go),
    CASE(predefined_attributes),
    CASE(old_names_of_attributes),
    CASE(handler_outlives_its_handle),
    CASE(topology_outlives_its_communicator),
    CASE(info_is_a_copy),
    CASE(group_outlives_its_communicator),
    CASE(keyval_outlives_its_handle),
    CASE(keyval_freed_in_its_callback),
    CASE(request_holds_on),
    CASE(reduction_holds_on),
    CASE(attributes_at_the_end),
    END_OF_CASES,
};

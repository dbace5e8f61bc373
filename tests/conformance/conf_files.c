/* SPDX-License-Identifier: BSD-3-Clause
 * Files of MPI-IO: modes, views, pointers, and all ways to read and to write. Each case deletes its file.
 *
 * ranks: 2 */
#include <string.h>

#include "conf_kit.h"

#define NAME "conf_files.dat"
#define BOTH (MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE)

static MPI_File file;
static MPI_Status status;
static MPI_Request request;

static void begin(int amode)
{
    file = MPI_FILE_NULL;
    CHECK(MPI_File_open(WORLD, NAME, amode, MPI_INFO_NULL, &file) == MPI_SUCCESS && file != MPI_FILE_NULL);
}

static void end(void)
{
    CHECK(MPI_File_close(&file) == MPI_SUCCESS && file == MPI_FILE_NULL);
    meet();
}

/* What was written is there for all ranks. */
static void written(void)
{
    MPI_File_sync(file);
    meet();
    MPI_File_sync(file);
}

static int count(void)
{
    int n = -1;
    MPI_Get_count(&status, MPI_INT, &n);
    return n;
}

static int finished(void)
{
    MPI_Wait(&request, &status);
    return count();
}

static void modes(void)
{
    MPI_File f;
    MPI_Group of_file, of_world;
    int amode = 0, same = 0, rc;
    rc = MPI_File_open(WORLD, "conf_files.missing", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
    CHECK(class_of(rc) == MPI_ERR_NO_SUCH_FILE);
    rc = MPI_File_delete("conf_files.missing", MPI_INFO_NULL);
    CHECK(class_of(rc) == MPI_ERR_NO_SUCH_FILE);
    begin(MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MPI_File_get_amode(file, &amode);
    CHECK(amode == (MPI_MODE_CREATE | MPI_MODE_WRONLY));
    MPI_File_get_group(file, &of_file);
    MPI_Comm_group(WORLD, &of_world);
    MPI_Group_compare(of_file, of_world, &same);
    CHECK(same == MPI_IDENT);
    MPI_Group_free(&of_file);
    MPI_Group_free(&of_world);
    end();
    rc = MPI_File_open(WORLD, NAME, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    CHECK(class_of(rc) == MPI_ERR_FILE_EXISTS);
    meet();
    if (rank == 0)
        CHECK(MPI_File_delete(NAME, MPI_INFO_NULL) == MPI_SUCCESS);
    meet();
    rc = MPI_File_open(WORLD, NAME, MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
    CHECK(class_of(rc) == MPI_ERR_NO_SUCH_FILE);
    say("%d", amode == (MPI_MODE_CREATE | MPI_MODE_WRONLY));
}

static void sizes(void)
{
    MPI_Offset bytes = -1, at = -1;
    int x[2] = {rank, rank};
    begin(BOTH);
    MPI_File_preallocate(file, 100);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == 100);
    MPI_File_set_size(file, 24);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == 24);
    MPI_File_seek(file, -4, MPI_SEEK_END);
    MPI_File_get_position(file, &at);
    CHECK(at == 20);
    MPI_File_read(file, x, 2, MPI_INT, &status);
    CHECK(count() == 1);
    say("%d", count());
    end();
}

static void hints(void)
{
    MPI_Info info, used;
    int flag = 2;
    begin(BOTH);
    MPI_Info_create(&info);
    CHECK(MPI_File_set_info(file, info) == MPI_SUCCESS);
    CHECK(MPI_File_get_info(file, &used) == MPI_SUCCESS && used != MPI_INFO_NULL);
    MPI_Info_free(&info);
    MPI_Info_free(&used);
    MPI_File_set_atomicity(file, 1);
    MPI_File_get_atomicity(file, &flag);
    CHECK(flag == 1);
    say("%d", flag);
    end();
}

static void handles(void)
{
    begin(BOTH);
    MPI_Fint number = MPI_File_c2f(file);
    CHECK(MPI_File_f2c(number) == file);
    say("%d", MPI_File_f2c(number) == file);
    end();
}

/* Each rank sees every second pair. */
static void views(void)
{
    int x[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3}, y[8] = {0}, bytes;
    char representation[MPI_MAX_DATAREP_STRING];
    int lengths[2] = {3, 1}, places[2] = {0, 1}, class;
    MPI_Datatype pairs, pair, twice, etype, filetype;
    MPI_Offset at = -1;
    MPI_Aint extent = 0;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &twice);
    MPI_Type_commit(&twice);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 4 * sizeof(int), &pairs);
    MPI_Type_commit(&pairs);
    begin(BOTH);
    MPI_Error_class(MPI_File_set_view(file, 0, MPI_INT, twice, "native", MPI_INFO_NULL), &class);
    CHECK(class == MPI_ERR_IO);
    MPI_File_set_view(file, 8 + 8 * rank, MPI_INT, pairs, "native", MPI_INFO_NULL);
    MPI_File_get_view(file, &at, &etype, &filetype, representation);
    MPI_Type_size(filetype, &bytes);
    CHECK(at == 8 + 8 * rank && bytes == 8 && strcmp(representation, "native") == 0);
    MPI_Type_free(&filetype);
    MPI_File_get_type_extent(file, MPI_INT, &extent);
    CHECK(extent == sizeof(int));
    MPI_File_get_byte_offset(file, 3, &at);
    CHECK(at == 8 + 8 * rank + 20);
    MPI_File_write_all(file, x, 4, MPI_INT, &status);
    CHECK(count() == 4);
    written();
    MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_all(file, y, 8, MPI_INT, &status);
    CHECK(count() == 8 && y[2] == 10 && y[4] == 2 && y[7] == 13);
    say_ints("all", y, 8);
    end();
    MPI_Type_free(&pairs);
    MPI_Type_free(&pair);
    MPI_Type_free(&twice);
}

static void at_offsets(void)
{
    int x[2] = {rank + 1, rank + 2}, y[2] = {0};
    begin(BOTH);
    MPI_File_write_at(file, 16 * rank, x, 1, MPI_INT, &status);
    CHECK(count() == 1);
    MPI_File_write_at_all(file, 16 * rank + 4, x, 2, MPI_INT, &status);
    MPI_File_iwrite_at(file, 16 * rank + 12, x, 1, MPI_INT, &request);
    CHECK(finished() == 1);
    written();
    MPI_File_read_at(file, 16 * !rank, y, 2, MPI_INT, &status);
    CHECK(count() == 2 && y[0] == !rank + 1 && y[1] == !rank + 1);
    MPI_File_read_at_all(file, 16 * !rank + 8, y, 2, MPI_INT, &status);
    CHECK(y[0] == !rank + 2 && y[1] == !rank + 1);
    MPI_File_iread_at(file, 28, y, 2, MPI_INT, &request);
    CHECK(finished() == 1 && y[0] == 2);
    MPI_File_iwrite_at_all(file, 8 * rank, x, 2, MPI_INT, &request);
    CHECK(finished() == 2);
    written();
    MPI_File_iread_at_all(file, 8 * !rank, y, 2, MPI_INT, &request);
    CHECK(finished() == 2 && y[1] == !rank + 2);
    say_ints("last", y, 2);
    end();
}

static void individual_pointer(void)
{
    int x[2] = {rank + 1, rank + 2}, y[2] = {0};
    MPI_Offset at = -1;
    begin(BOTH);
    MPI_File_seek(file, 24 * rank, MPI_SEEK_SET);
    MPI_File_write(file, x, 2, MPI_INT, &status);
    MPI_File_iwrite(file, x, 2, MPI_INT, &request);
    CHECK(finished() == 2);
    MPI_File_iwrite_all(file, x, 2, MPI_INT, &request);
    CHECK(finished() == 2);
    MPI_File_get_position(file, &at);
    CHECK(at == 24 * rank + 24);
    written();
    MPI_File_seek(file, 24 * !rank, MPI_SEEK_SET);
    MPI_File_read(file, y, 1, MPI_INT, &status);
    CHECK(y[0] == !rank + 1);
    MPI_File_iread(file, y, 2, MPI_INT, &request);
    CHECK(finished() == 2 && y[0] == !rank + 2 && y[1] == !rank + 1);
    MPI_File_seek(file, 4, MPI_SEEK_CUR);
    MPI_File_iread_all(file, y, 2, MPI_INT, &request);
    CHECK(finished() == 2 && y[0] == !rank + 1);
    MPI_File_get_position(file, &at);
    CHECK(at == 24 * !rank + 24);
    say("%ld", (long)at);
    end();
}

static void shared_pointer(void)
{
    int x[2] = {rank + 1, rank + 2}, y[2] = {0};
    MPI_Offset at = -1;
    begin(BOTH);
    MPI_File_write_ordered(file, x, rank + 1, MPI_INT, &status);
    CHECK(count() == rank + 1);
    written();
    MPI_File_get_position_shared(file, &at);
    CHECK(at == 12);
    meet();
    if (rank == 0)
        MPI_File_write_shared(file, x, 1, MPI_INT, &status);
    meet();
    if (rank == 1) {
        MPI_File_iwrite_shared(file, x, 1, MPI_INT, &request);
        CHECK(finished() == 1);
    }
    written();
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered(file, y, 1, MPI_INT, &status);
    CHECK(y[0] == (rank ? 2 : 1));
    meet();
    if (rank == 1)
        MPI_File_read_shared(file, y, 1, MPI_INT, &status);
    meet();
    if (rank == 0) {
        MPI_File_iread_shared(file, y, 2, MPI_INT, &request);
        CHECK(finished() == 2);
    }
    CHECK(rank ? y[0] == 3 : y[0] == 1 && y[1] == 2);
    say_ints("last", y, 2);
    end();
}

static void two_halves(void)
{
    int x[2] = {rank + 1, rank + 2}, y[2] = {0};
    begin(BOTH);
    MPI_File_write_at_all_begin(file, 8 * rank, x, 2, MPI_INT);
    MPI_File_write_at_all_end(file, x, &status);
    CHECK(count() == 2);
    written();
    MPI_File_read_at_all_begin(file, 8 * !rank, y, 2, MPI_INT);
    MPI_File_read_at_all_end(file, y, &status);
    CHECK(y[0] == !rank + 1);
    MPI_File_seek(file, 16 + 8 * rank, MPI_SEEK_SET);
    MPI_File_write_all_begin(file, x, 2, MPI_INT);
    MPI_File_write_all_end(file, x, &status);
    written();
    MPI_File_seek(file, 20, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, y, 2, MPI_INT);
    MPI_File_read_all_end(file, y, &status);
    CHECK(count() == 2 && y[0] == 2 && y[1] == 2);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_ordered_begin(file, x, 1, MPI_INT);
    MPI_File_write_ordered_end(file, x, &status);
    written();
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered_begin(file, y, 1, MPI_INT);
    MPI_File_read_ordered_end(file, y, &status);
    CHECK(y[0] == rank + 1);
    say_ints("last", y, 2);
    end();
}

static int handled;
static void note_error(MPI_File *f, int *code, ...)
{
    (void)f;
    handled = class_of(*code);
}

static void error_handlers(void)
{
    MPI_Errhandler own, got;
    int x = 0;
    MPI_File_get_errhandler(MPI_FILE_NULL, &got);
    CHECK(got == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&got);
    MPI_File_create_errhandler(note_error, &own);
    begin(MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE);
    MPI_File_set_errhandler(file, own);
    MPI_File_get_errhandler(file, &got);
    CHECK(got == own);
    MPI_Errhandler_free(&got);
    MPI_File_read_at(file, 0, &x, 1, MPI_INT, IGNORE);
    CHECK(handled == MPI_ERR_ACCESS);
    handled = 0;
    MPI_File_call_errhandler(file, MPI_ERR_IO);
    CHECK(handled == MPI_ERR_IO);
    say("%d", handled == MPI_ERR_IO);
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&own);
    end();
}

/* A filetype of more runs than fit where they began. */
static void many_runs(void)
{
    enum { RUNS = 20000 };
    static int out[RUNS], back[RUNS];
    MPI_Datatype every_other;
    int wrong = 0, n;
    MPI_Type_vector(RUNS, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    begin(BOTH);
    MPI_File_set_view(file, (MPI_Offset)(rank * sizeof(int)), MPI_INT, every_other, "native", MPI_INFO_NULL);
    for (int i = 0; i < RUNS; i++)
        out[i] = 3 * i + rank;
    MPI_File_write_all(file, out, RUNS, MPI_INT, &status);
    written();
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, RUNS, back, RUNS, MPI_INT, &status);
    n = count();
    for (int i = 0; i < RUNS; i++)
        wrong += back[i] != 3 * ((RUNS + i) / 2) + i % 2;
    CHECK(wrong == 0);
    say("%d, %d wrong", n, wrong);
    MPI_Type_free(&every_other);
    end();
}

const struct conf_case conf_cases[] = {CASE(modes),
                                       CASE(sizes),
                                       CASE(hints),
                                       CASE(handles),
                                       CASE(views),
                                       CASE(at_offsets),
                                       CASE(individual_pointer),
                                       CASE(shared_pointer),
                                       CASE(two_halves),
                                       CASE(error_handlers),
                                       CASE(many_runs),
                                       END_OF_CASES};

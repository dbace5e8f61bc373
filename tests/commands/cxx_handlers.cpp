/* SPDX-License-Identifier: BSD-3-Clause
 * A program with MPI's old C++ bindings, for cxx_bindings_test.sh: an operation and error handlers that are C++
 * functions, which MPICH's C++ library has called by functions of its own. Prints what they found. */
#include <mpi.h>

#include <cstdio>

static int sizes, errors;

static void note_comm(MPI::Comm &comm, int *code, ...)
{
    sizes += comm.Get_size();
    errors += MPI::Get_error_class(*code) == MPI::ERR_RANK;
}

static void note_win(MPI::Win &win, int *code, ...)
{
    sizes += 100 * win.Get_group().Get_size();
    errors += MPI::Get_error_class(*code) == MPI::ERR_RANK;
}

static void larger_odd(const void *in, void *inout, int n, const MPI::Datatype &type)
{
    const int *a = static_cast<const int *>(in);
    int *b = static_cast<int *>(inout);
    for (int i = 0; i < n; i++)
        b[i] = a[i] % 2 && (b[i] % 2 == 0 || a[i] > b[i]) ? a[i] : b[i];
    if (type.Get_size() != 4)
        b[0] = 0;
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    int size = comm.Get_size(), mine = 4 + comm.Get_rank(), most = 0;

    MPI::Op op;
    op.Init(larger_odd, true);
    comm.Allreduce(&mine, &most, 1, MPI::INT, op);
    op.Free();

    MPI::Errhandler handler = MPI::Comm::Create_errhandler(note_comm);
    comm.Set_errhandler(handler);
    handler.Free();
    comm.Send(&mine, 1, MPI::INT, size, 0);

    MPI::Win win = MPI::Win::Create(&mine, sizeof mine, 1, MPI::INFO_NULL, comm);
    handler = MPI::Win::Create_errhandler(note_win);
    win.Set_errhandler(handler);
    handler.Free();
    win.Call_errhandler(MPI::ERR_RANK);
    win.Free();
    comm.Free();
    std::printf("largest odd %d, sizes %d, errors %d\n", most, sizes, errors);
    MPI::Finalize();
    return 0;
}

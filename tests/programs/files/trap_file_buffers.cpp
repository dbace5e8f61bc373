/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_file_buffers
 * about: a file is written through streams that got its buffer from elsewhere: rdbuf, a move, a swap, a stream on a
 * about: descriptor, a stream of the program's own class
 * ranks: 2 3
 */
#include <ext/stdio_filebuf.h>
#include <fcntl.h>
#include <mpi.h>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>

static int rank_;

static void meet(int n)
{
    int all[64] = {0};
    MPI_Bcast(all, 1 + n % 60, MPI_INT, 0, MPI_COMM_WORLD);
}

static int get(const char *name)
{
    int n = 0;
    std::ifstream in(name);
    in >> n;
    return n;
}

class own_stream : public std::ostream
{
  public:
    explicit own_stream(std::streambuf *b) : std::ostream(b)
    {
    }
};

static void through_rdbuf()
{
    std::filebuf file;
    file.open("a.txt", std::ios::out);
    std::streambuf *before = std::cerr.rdbuf(&file);
    std::cerr << 21 << std::endl;
    std::cerr.rdbuf(before);
    file.close();
    meet(get("a.txt"));
    file.open("b.txt", std::ios::out);
    own_stream mine(&file);
    mine << 23 << std::flush;
    meet(get("b.txt"));
}

static void moved()
{
    std::ofstream first("c.txt");
    std::ofstream second(std::move(first));
    second << 27 << std::endl;
    std::ofstream third("d.txt");
    third.swap(second);
    third << " " << std::endl;
    second << 29 << std::endl;
    third.close();
    second.close();
    meet(get("c.txt"));
    meet(get("d.txt"));
}

static void on_descriptor()
{
    int fd = open("e.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    __gnu_cxx::stdio_filebuf<char> buffer(fd, std::ios::out);
    std::ostream out(&buffer);
    out << 31 << std::flush;
    meet(get("e.txt"));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    if (rank_ == 0) {
        through_rdbuf();
        moved();
        on_descriptor();
    } else {
        for (int i = 0; i < 5; i++) {
            int all[64] = {0};
            static const int n[5] = {22, 24, 28, 30, 32};
            MPI_Bcast(all, n[i], MPI_INT, 0, MPI_COMM_WORLD);
        }
    }
    std::cout << "rank " << rank_ << std::endl;
    MPI_Finalize();
    return 0;
}

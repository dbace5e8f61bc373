/* SPDX-License-Identifier: BSD-3-Clause */
/* commslice-test: old_string_streams
   about: counts through string streams over the string that shares its memory (_GLIBCXX_USE_CXX11_ABI=0), and strstream
   ranks: 2
   flags: -D_GLIBCXX_USE_CXX11_ABI=0 */
#include <mpi.h>
#include <sstream>
#include <string>
#pragma GCC diagnostic ignored "-Wcpp"
#include <strstream>

static char field[4096];

static void tell(int fact)
{
    MPI_Bcast(field, 1 + (fact & 1023), MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void tell_read(int size)
{
    std::ostringstream out;
    out << size * 3 << ' ' << size;
    std::string text = out.str(), same = text;
    same[0] = '9';
    tell((int)text.size() + text[0] + same[0]);
    std::istringstream in(text);
    int a = 0, b = 0;
    in >> a >> b;
    tell(a * 10 + b);
    std::stringstream both;
    both.str(same);
    both >> a;
    tell(a);
    tell((int)both.rdbuf()->in_avail());
}

static void tell_given(int size)
{
    char memory[40] = "";
    std::ostrstream out(memory, sizeof memory);
    out << "at" << size << std::ends;
    tell(memory[2]);
    std::ostrstream grown;
    for (int i = 0; i < 50 * size; i++)
        grown << 'g';
    tell((int)grown.pcount());
    grown << size << std::ends;
    tell(grown.str()[50 * size]);
    grown.freeze(false);
    char digits[8] = "0 0";
    digits[2] = (char)('3' + size);
    std::istrstream in(digits);
    int a = 1, b = 1;
    in >> a >> b;
    tell(a + 9 * b);
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    tell_read(size);
    tell_given(size);
    MPI_Finalize();
}

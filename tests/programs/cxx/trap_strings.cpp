/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_strings
 * about: short and long strings, parts of them, strings that functions of the library return, and a string in a class
 * about: whose text decides counts, also after it was changed through a pointer
 * ranks: 2 3
 */
#include <mpi.h>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>

static int pay[4096];
static int size_;

static void meet(int n)
{
    MPI_Bcast(pay, n % 4000 + 1, MPI_INT, 0, MPI_COMM_WORLD);
}

struct thing {
    int before;
    std::string name;
    int after;
    std::string other;
};

static void parts()
{
    std::string s("a name that is longer than sixteen: ");
    s += "123";
    s.push_back(static_cast<char>('0' + size_));
    std::string tail = s.substr(36), head = s.substr(0, 3);
    meet(atoi(tail.c_str()));
    head[1] = static_cast<char>('1' + size_);
    meet(head[1]);
    char *p = &tail[0];
    *p = static_cast<char>('4' + size_);
    meet(atoi(tail.c_str()));
    meet(static_cast<int>(s.find(static_cast<char>('0' + size_))));
    s.erase(2, size_);
    s.insert(1, "zz");
    s.replace(0, 2, 5, static_cast<char>('a' + size_));
    meet(static_cast<int>(s.size()) + s[3]);
    s.assign(size_, 'q').append("r").append(s);
    meet(static_cast<int>(s.size()) + s.compare("qq"));
}

static void members()
{
    thing t = {1, "n", 2, "o"};
    t.name = std::to_string(17 * size_);
    t.after = 30 + size_;
    t.other = t.name + "/" + t.name;
    meet(t.after + t.before);
    meet(static_cast<int>(t.other.size()) + atoi(t.other.c_str()));
    thing u = std::move(t);
    u.name.swap(u.other);
    meet(static_cast<int>(u.name.size()) + u.after);
    u.other += std::string(20, 'x') + u.name;
    thing w = u;
    meet(static_cast<int>(w.other.length()) + w.other[size_]);
}

static void streams()
{
    std::ostringstream out;
    out << "n " << size_ * 11 << ' ' << 2.5 * size_;
    std::string text = out.str();
    text[2] = static_cast<char>('0' + size_);
    std::istringstream in(text);
    std::string word, rest;
    double d = 0;
    int n = 0;
    in >> word >> n >> d;
    meet(n + static_cast<int>(d) + static_cast<int>(word.size()));
    std::istringstream lines("one\ntwo and " + std::to_string(size_ + 5) + "\n");
    while (std::getline(lines, rest))
        meet(static_cast<int>(rest.size()) + rest[rest.size() - 1]);
    out.str("");
    out.write("abcdef", size_).put('x').flush();
    meet(static_cast<int>(out.tellp()) + static_cast<int>(out.str().size()));
    char buffer[16] = "";
    std::istringstream raw("0123456789" + word);
    raw.ignore(size_).read(buffer, 3);
    meet(atoi(buffer) + static_cast<int>(raw.gcount()));
    raw.get(buffer[0]).get(buffer[1]);
    meet(atoi(buffer) + raw.peek());
    raw.clear();
    raw.seekg(size_);
    raw >> n;
    meet(n % 977 + raw.eof());
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    parts();
    members();
    streams();
    std::cout << "done " << argc << std::endl;
    MPI_Finalize();
    return 0;
}

/* commslice-test: trap_stdio_set
 * about: the program sets stdin and stdout to streams of its own, in memory; how much is printed there in a locale
 * about: decides
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int data[100];
static char input[] = "4 7\nx";

static void tell(int n)
{
    MPI_Bcast(data, n, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    FILE *out = stdout, *f;
    char *text = NULL;
    size_t length = 0;
    int a = 0, b = 0, end;
    MPI_Init(&argc, &argv);
    stdin = fmemopen(input, sizeof input - 1, "r");
    if (scanf("%d %d", &a, &b) == 2) tell(a + b);
    end = getchar();
    tell(end == '\n' ? getchar() - 'a' : 1);
    stdout = open_memstream(&text, &length);
    printf("%d%s", a * 100, "more");
    puts("!");
    fclose(stdout);
    stdout = out;
    tell((int)length);
    tell(text[6] - 'a');
    free(text);
    setlocale(LC_ALL, "C.UTF-8");
    if (!(f = open_memstream(&text, &length))) return 1;
    fprintf(f, "%ls", L"\u00e9\u00e8");
    fclose(f);
    tell((int)length + 1);
    free(text);
    printf("%d\n", a);
    MPI_Finalize();
    return 0;
}

/* commslice-test: argp_options
 * about: options parsed by argp, whose parser is a function of the program; hash tables with a name of their own
 * gone: unneeded
 */
#define _GNU_SOURCE
#include <argp.h>
#include <mpi.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int count, files;
    const char *last;
};

static char data[256];

double unneeded(int n)
{
    double s = 0;
    for (int i = 1; i <= n; i++)
        s += 1.0 / i;
    return s;
}

static void say(int count)
{
    MPI_Bcast(data, count, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct settings *set = state->input;
    if (key == 'n') {
        set->count = atoi(text);
    } else if (key == ARGP_KEY_ARG) {
        if (state->arg_num > 4)
            argp_usage(state);
        set->files++;
        set->last = text;
    } else {
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void parse_all(void)
{
    static const struct argp_option options[] = {{"number", 'n', "N", 0, "how many", 0}, {0}};
    static const struct argp argp = {options, parse, "FILE...", "says what it is given", NULL, NULL, NULL};
    char program[] = "argp_options", one[] = "-n", two[] = "12", three[] = "file", four[] = "--number=31",
         five[] = "other";
    char *arguments[] = {program, one, two, three, four, five, NULL};
    struct settings set = {0, 0, NULL};
    int end = 0;
    if (argp_parse(&argp, 6, arguments, 0, &end, &set) == 0)
        say(set.count + 40 * set.files);
    say(strlen(set.last) + end);
    say(strlen(arguments[1]));
}

static void look_up(void)
{
    static int nine = 9;
    struct hsearch_data table, other;
    char alpha[] = "alpha", beta[] = "beta";
    ENTRY entry = {alpha, &nine}, *found = NULL;
    memset(&table, 0, sizeof table);
    memset(&other, 0, sizeof other);
    hcreate_r(10, &table);
    hcreate_r(5, &other);
    hsearch_r(entry, ENTER, &found, &table);
    entry = (ENTRY){beta, (void *)(intptr_t)17};
    hsearch_r(entry, ENTER, &found, &table);
    say((int)(intptr_t)found->data);
    nine = 23;
    entry = (ENTRY){alpha, NULL};
    if (hsearch_r(entry, FIND, &found, &table))
        say(*(int *)found->data);
    say(hsearch_r(entry, FIND, &found, &other) + 3);
    hdestroy_r(&table);
    hdestroy_r(&other);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    data[0] = (char)unneeded(argc);
    parse_all();
    look_up();
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The command `commslice`: finds the verb and runs it.
 * A new verb is one file and one row in the table below. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/cli.h"

#ifndef CS_VERSION
#include "config.h"
#define CS_VERSION PACKAGE_VERSION
#endif

static const struct cs_verb *const verbs[] = {
    &cs_verb_run,      &cs_verb_record,  &cs_verb_replay, &cs_verb_info,  &cs_verb_print,     &cs_verb_diff,
    &cs_verb_matrix,   &cs_verb_report,  &cs_verb_export, &cs_verb_merge, &cs_verb_fold,      &cs_verb_expand,
    &cs_verb_skeleton, &cs_verb_predict, &cs_verb_fit,    &cs_verb_plan,  &cs_verb_calibrate, &cs_verb_why,
    &cs_verb_advise,   &cs_verb_balance, &cs_verb_shares, &cs_verb_waits, &cs_verb_monitor,   &cs_verb_scale,
};

#define NVERBS (sizeof verbs / sizeof *verbs)

static int help(void)
{
    puts("usage: commslice VERB [OPTIONS] ...\n\nverbs:");
    for (size_t i = 0; i < NVERBS; i++)
        printf("  %-8s %s\n", verbs[i]->name, verbs[i]->summary);
    puts("\ncommslice VERB --help says more about a verb, commslice --version which version this is.\n"
         "Exit code: 0 fine, 1 \"they differ\" or \"not so\", 2 error.");
    return cs_finish_output(CS_EXIT_OK);
}

static const struct cs_verb *find(const char *name)
{
    for (size_t i = 0; i < NVERBS; i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}

/* Opens /dev/null for each standard stream that is closed; otherwise the next file that is opened, even a trace, would
 * get the stream's number and its output. It is opened in the wrong direction, so that the stream fails as a closed one
 * does. */
static void keep_standard_streams(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
            _exit(CS_EXIT_ERROR);
}

int main(int argc, char **argv)
{
    keep_standard_streams();
    if (argc < 2)
        return cs_error("no verb; see commslice help");
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        puts("commslice " CS_VERSION);
        return cs_finish_output(CS_EXIT_OK);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help();
    if (strcmp(word, "help") == 0) {
        const struct cs_verb *v = argc > 2 ? find(argv[2]) : NULL;
        if (argc > 2 && !v)
            return cs_error("no verb %s; see commslice help", argv[2]);
        if (!v)
            return help();
        fputs(v->usage, stdout);
        return cs_finish_output(CS_EXIT_OK);
    }
    const struct cs_verb *v = find(word);
    if (!v)
        return cs_error("no verb %s; see commslice help", word);
    cs_set_verb(v->name);
    /* Ignored, a file that reaches the size limit is an error like a full disk. The programs that run, record and
     * replay start would inherit this, so these verbs leave it. */
    if (v != &cs_verb_run && v != &cs_verb_record && v != &cs_verb_replay)
        signal(SIGXFSZ, SIG_IGN);
    return v->run(v, argc - 1, argv + 1);
}

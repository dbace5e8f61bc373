/* SPDX-License-Identifier: GPL-3.0-or-later
 * Processes in which the compiler goes on as for the original. They write nothing, and say what GCC has computed of
 * constants, and, where that is not enough, what has become of the calls that are watched, which have witnesses there.
 * The process that makes the slice waits for them. */
#include "gcc-plugin/gcc/calm-options.h"
#include "gcc-plugin/folds/folds_internal.h"

#include "debug.h"
#include "output.h"

#include <sys/wait.h>

using namespace cs_fold;

namespace {

gcc_options given; /* what the user has asked for */
bool known;        /* in the process of the slice: is it known what becomes of the calls? */
int answer = -1;   /* in a process of the original: where it writes */
bool witnesses;    /* there: have calls witnesses? */
const char AFTER_READING[] = "commslice_watch";

/* ---- the process of the original ---- */

void restore_options()
{
    cl_optimization *own = TREE_OPTIMIZATION(optimization_default_node);
#define SET(FLAG, VALUE) own->x_##FLAG = FLAG = given.x_##FLAG;
    CALM_OPTIONS(SET)
#undef SET
    flag_lto = given.x_flag_lto;
    flag_generate_lto = given.x_flag_generate_lto;
    flag_fat_lto_objects = given.x_flag_fat_lto_objects;
    flag_whole_program = given.x_flag_whole_program;
}

/* Nothing of what GCC prints or writes from here on is seen. */
void write_nowhere()
{
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);

    dup2(nowhere, STDERR_FILENO);
    if (asm_out_file)
        dup2(nowhere, fileno(asm_out_file));
    debug_hooks = &do_nothing_debug_hooks;
}

/* Powers become products in the next pass. */
void note_powers()
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
            note_power(gsi_stmt(i));
}

/* A callback of PLUGIN_OVERRIDE_GATE: what makes machine code is not run, nor what is for slices alone. */
void end_before_code(void *gate, void *)
{
    if (!strcmp(current_pass->name, "sincos") || !strcmp(current_pass->name, "powcabs"))
        note_powers();
    if (!strcmp(current_pass->name, "expand")) {
        if (witnesses)
            note_outcomes(cfun);
        else
            note_variants(cfun);
        TREE_ASM_WRITTEN(current_function_decl) = 1;
    }
    if (current_pass->type == RTL_PASS ||
        (startswith(current_pass->name, "commslice_") && strcmp(current_pass->name, AFTER_READING)))
        *(bool *)gate = false;
}

/* A callback of PLUGIN_FINISH_UNIT. */
void tell(void *, void *)
{
    std::string text = seen_error() ? "" : constants_text() + variants_text() + outcomes_text() + "end\n";
    for (size_t done = 0; done < text.size();) {
        ssize_t n = write(answer, text.data() + done, text.size() - done);
        if (n <= 0)
            break;
        done += n;
    }
    _exit(0);
}

void become_original(int out)
{
    answer = out;
    if (!note_constants() && !witnesses)
        _exit(0);
    write_nowhere();
    restore_options();
    register_callback("commslice_as_original", PLUGIN_OVERRIDE_GATE, end_before_code, NULL);
    register_callback("commslice_as_original", PLUGIN_FINISH_UNIT, tell, NULL);
}

/* ---- the process of the slice ---- */

std::string whole_answer(int in)
{
    std::string text;
    char part[1 << 12];
    for (ssize_t n; (n = read(in, part, sizeof part)) > 0;)
        text.append(part, n);
    close(in);
    return text;
}

/* Is it known how the original is compiled? With -flto the link decides; a function may have options of its own. */
bool is_like_original()
{
    cgraph_node *node;
    bool plain = !given.x_flag_lto && optimize && !seen_error() && !flag_syntax_only;
    FOR_EACH_FUNCTION (node) {
        tree own = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(node->decl);
        plain &= !own || own == optimization_default_node;
    }
    return plain;
}

const pass_data watch_data = {GIMPLE_PASS, AFTER_READING, OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/* The pass before optimisation that follows the calls, or settles them. */
struct watch_pass : gimple_opt_pass {
    watch_pass(gcc::context *c) : gimple_opt_pass(watch_data, c)
    {
    }
    bool gate(function *) final override
    {
        return known || witnesses;
    }
    unsigned int execute(function *fn) final override
    {
        if (witnesses)
            follow_calls(fn);
        else if (settle_calls(fn))
            return TODO_update_ssa;
        return 0;
    }
};

} // namespace

void cs_as_original_options()
{
    given = global_options;
}

void cs_as_original_pass(const char *plugin)
{
    register_pass_info info = {new watch_pass(g), "ssa", 1, PASS_POS_INSERT_AFTER};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
    keep_twins(plugin);
}

/* Compiles the original in a process of its own, in which this returns true. */
static bool ask(bool with_witnesses)
{
    int ends[2], status;
    if (pipe(ends))
        return false;
    fflush(NULL);
    pid_t pid = fork();
    close(ends[pid == 0 ? 0 : 1]);
    if (!pid) {
        witnesses = with_witnesses;
        become_original(ends[1]);
        return true;
    }
    known |= pid > 0 && take_report(whole_answer(ends[0]), with_witnesses);
    if (pid > 0)
        waitpid(pid, &status, 0);
    return false;
}

bool cs_as_original_start()
{
    bool watched = any_watched([](gimple *) { return true; });
    if (!optimize || (!watched && !any_computed_unwatched()))
        return false;
    if (is_like_original() && (ask(false) || (watched && wants_witnesses() && ask(true))))
        return true;
    tell_what_is_computed();
    if (known)
        make_shared_local();
    return false;
}

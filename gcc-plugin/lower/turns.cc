/* SPDX-License-Identifier: GPL-3.0-or-later
 * Notes the numbers of comparisons, as optimisation leaves out those that it knows, and which of them the front end has
 * turned; comparisons.h. The number takes the place of the column in the branch's location. That it does, and what the
 * text of the source says, is kept in two flags of edges that GCC uses for transactional memory alone. Both reach the
 * link with the function. */
#include "gcc-plugin/lower/comparisons.h"

#include <map>
#include <string>
#include <vector>

#include "cpplib.h"

/* Of C and C++ only. */
extern cpp_reader *parse_in __attribute__((weak));
#pragma weak cpp_lookup

namespace {

/* By enum cs_turn. */
const int MARKS[] = {EDGE_TM_ABORT, EDGE_TM_UNINSTRUMENTED, EDGE_TM_ABORT | EDGE_TM_UNINSTRUMENTED};
const int ALL_MARKS = EDGE_TM_ABORT | EDGE_TM_UNINSTRUMENTED;

/* A source, and what it says; NULL: it cannot be read. */
struct Source {
    std::string text;
    cs_conditions *conditions;
};

std::map<std::string, Source> sources;

/* ---- macros ---- */

int macro_has(const cpp_hashnode *node, int depth)
{
    enum { MOST_DEPTH = 6 };
    int has = 0;
    if (node->type != NT_USER_MACRO || !node->value.macro || node->value.macro->kind == cmk_traditional ||
        depth == MOST_DEPTH)
        return 0;
    const cpp_macro *m = node->value.macro;
    if (m->count == 1 && m->exp.tokens[0].type == CPP_NUMBER)
        return CS_MACRO_NUMBER;
    for (unsigned i = 0; i < m->count; i++) {
        const cpp_token *t = &m->exp.tokens[i];
        if (t->type == CPP_AND_AND || t->type == CPP_OR_OR)
            has |= CS_MACRO_JOINS;
        if (t->type == CPP_NOT)
            has |= CS_MACRO_NEGATES;
        if (t->type == CPP_NAME)
            has |= macro_has(t->val.node.node, depth + 1);
    }
    return has;
}

int macro_text(const char *name, size_t n)
{
    return macro_has(cpp_lookup(parse_in, (const unsigned char *)name, n), 0);
}

/* ---- sources ---- */

bool is_fortran()
{
    return startswith(lang_hooks.name, "GNU Fortran");
}

/* As gfortran takes it: options say so, or the name's end. */
cs_text_form form_of(const std::string &path)
{
    static const char *const fixed[] = {".f", ".for", ".ftn", ".fpp"};
    const char *dot = strrchr(path.c_str(), '.');
    bool is_fixed = false;
    if (!is_fortran())
        return CS_TEXT_C;
    for (const char *f : fixed)
        is_fixed |= dot && !strcasecmp(dot, f);
    for (unsigned i = 0; i < save_decoded_options_count; i++) {
        size_t o = save_decoded_options[i].opt_index;
        if (o == OPT_ffixed_form || o == OPT_ffree_form)
            is_fixed = o == OPT_ffixed_form;
    }
    return is_fixed ? CS_TEXT_FIXED_FORTRAN : CS_TEXT_FREE_FORTRAN;
}

bool read_file(const char *path, std::string *text)
{
    FILE *f = fopen(path, "r");
    char part[1 << 12];
    for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0;)
        text->append(part, n);
    bool fine = f && !ferror(f);
    if (f)
        fclose(f);
    return fine;
}

const cs_conditions *conditions_of(const std::string &path)
{
    auto found = sources.find(path);
    if (found == sources.end()) {
        Source *s = &(sources[path] = Source());
        bool macros = !is_fortran() && &parse_in && parse_in && &cpp_lookup;
        if (read_file(path.c_str(), &s->text))
            s->conditions =
                cs_conditions_read(s->text.data(), s->text.size(), form_of(path), macros ? macro_text : NULL);
        found = sources.find(path);
    }
    return found->second.conditions;
}

/* ---- branches ---- */

/* The same line, with the number as column; column 0 if GCC cannot tell such a one. */
location_t numbered(location_t at, int number)
{
    const line_map_ordinary *map = NULL;
    linemap_resolve_location(line_table, at, LRK_MACRO_EXPANSION_POINT, &map);
    expanded_location is = expand_location(at);
    location_t there = map ? linemap_position_for_line_and_column(line_table, map, is.line, number) : UNKNOWN_LOCATION;
    expanded_location got = expand_location(there);
    bool fine = got.line == is.line && got.column == number && got.file && !strcmp(got.file, is.file);
    return fine || !number ? there : numbered(at, 0);
}

void mark(gcond *c, cs_turn turn, int number)
{
    basic_block bb = gimple_bb(c);
    tree block = gimple_block(c);
    location_t at = numbered(gimple_location(c), number);
    expanded_location is = expand_location(at);
    if (is.line <= 0)
        return;
    gimple_set_location(c, at);
    gimple_set_block(c, block);
    turn = is.column == number ? turn : CS_TURN_UNKNOWN;
    for (unsigned i = 0; i < EDGE_COUNT(bb->succs); i++)
        EDGE_SUCC(bb, i)->flags = (EDGE_SUCC(bb, i)->flags & ~ALL_MARKS) | MARKS[turn];
}

bool is_constant(tree t)
{
    return TREE_CODE_CLASS(TREE_CODE(t)) == tcc_constant;
}

/* The first constant that is assigned in the block, or NULL_TREE. */
tree assigned_in(basic_block bb)
{
    for (gimple_stmt_iterator g = gsi_start_bb(bb); !gsi_end_p(g); gsi_next(&g))
        if (is_gimple_assign(gsi_stmt(g)) && gimple_assign_single_p(gsi_stmt(g)) &&
            is_constant(gimple_assign_rhs1(gsi_stmt(g))))
            return gimple_assign_rhs1(gsi_stmt(g));
    return NULL_TREE;
}

/* The constant that is chosen where control comes by this edge, before the sides meet in a phi; or NULL_TREE. */
tree chosen_by(edge e)
{
    enum { MOST = 4 };
    for (int i = 0; i < MOST; i++) {
        bool met = false;
        for (gphi_iterator p = gsi_start_phis(e->dest); !gsi_end_p(p); gsi_next(&p)) {
            met |= !virtual_operand_p(gimple_phi_result(p.phi()));
            if (is_constant(PHI_ARG_DEF_FROM_EDGE(p.phi(), e)))
                return PHI_ARG_DEF_FROM_EDGE(p.phi(), e);
        }
        tree assigned = met ? NULL_TREE : assigned_in(e->dest);
        if (met || assigned || !single_succ_p(e->dest))
            return assigned;
        e = single_succ_edge(e->dest);
    }
    return NULL_TREE;
}

/* Has GCC exchanged what is chosen? `last`: the last branch of the condition, each side of which chooses one. */
bool is_exchanged(const cs_choice *choice, gcond *last)
{
    edge yes, no;
    extract_true_false_edges_from_block(gimple_bb(last), &yes, &no);
    if (gimple_no_warning_p(last))
        std::swap(yes, no);
    tree first = chosen_by(yes), second = chosen_by(no);
    if (!choice->two_numbers || !first || !second)
        return second && !first;
    std::string text(choice->first, choice->n);
    HOST_WIDE_INT n = strtoll(text.c_str(), NULL, 0);
    return ISDIGIT(text[0]) && tree_fits_shwi_p(second) && tree_to_shwi(second) == n &&
           !tree_int_cst_equal(first, second);
}

/* Notes the branches of one line. Where its source cannot be read, one that has no other is what the whole condition
 * is. */
void note_line(const std::string &path, int line, const std::vector<gcond *> &all)
{
    const cs_conditions *conditions = conditions_of(path);
    int n = (int)all.size();
    std::vector<cs_turn> turns(n, n > 1 ? CS_TURN_UNKNOWN : CS_TURN_NONE);
    if (conditions)
        cs_conditions_turns(conditions, line, n, turns.data());
    cs_choice choice;
    bool exchanged = conditions && cs_conditions_do_while(conditions, line);
    if (conditions && cs_conditions_choice(conditions, line, n, &choice))
        exchanged ^= is_exchanged(&choice, all.back());
    for (int i = 0; i < n; i++) {
        if (n > 1 || turns[i] != CS_TURN_NONE)
            mark(all[i], turns[i], i + 1);
        gimple_set_no_warning(all[i], gimple_no_warning_p(all[i]) ^ exchanged);
    }
}

} // namespace

void cs_note_turns(function *fn)
{
    std::map<std::pair<std::string, int>, std::vector<gcond *>> lines;
    basic_block bb;
    if (flag_tm)
        return;
    FOR_EACH_BB_FN (bb, fn) {
        gimple *last = last_nondebug_stmt(bb);
        if (!last || gimple_code(last) != GIMPLE_COND || EDGE_COUNT(bb->succs) != 2 ||
            in_system_header_at(gimple_location(last)))
            continue;
        expanded_location at = expand_location(gimple_location(last));
        if (at.file && at.line > 0)
            lines[{at.file, at.line}].push_back(as_a<gcond *>(last));
    }
    for (auto &of : lines)
        note_line(of.first.first, of.first.second, of.second);
}

cs_turn cs_turn_of(gcond *c, int *number)
{
    int marks = EDGE_SUCC(gimple_bb(c), 0)->flags & ALL_MARKS;
    *number = marks ? expand_location(gimple_location(c)).column : 0;
    return marks == MARKS[CS_TURN_UNKNOWN] ? CS_TURN_UNKNOWN
           : marks == MARKS[CS_TURN_DONE]  ? CS_TURN_DONE
                                           : CS_TURN_NONE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes the `.commslice` section; slice_text.h. One fact per line, fields separated by tabs:
 *   func<TAB>NAME<TAB>FILE<TAB>LINE<TAB>STATEMENTS<TAB>KEPT
 * The text of a statement comes from GCC's own printer, cut to MAX_TEXT characters. */
#include "gcc-plugin/apply/slice_text.h"

#include "api/mpi_calls.h"
#include "gcc-plugin/count/count.h"
#include "slicer/decision.h"

#include <cinttypes>
#include <string>
#include <zstd.h>

namespace {

const size_t MAX_TEXT = 100;
const size_t PACK_FROM = 64 << 10;

/* A field of at most `most` characters (one more where it ends in an escape): `\\` for a backslash, a space for any
 * control character. */
std::string field(const char *s, size_t most)
{
    std::string out;
    for (; *s && out.size() < most; s++) {
        if (*s == '\\')
            out += "\\\\";
        else
            out += (unsigned char)*s < ' ' ? ' ' : *s;
    }
    return out;
}

std::string text_of(gimple *g)
{
    pretty_printer pp;
    pp_needs_newline(&pp) = false;
    pp_gimple_stmt_1(&pp, g, 0, TDF_SLIM);
    return field(pp_formatted_text(&pp), MAX_TEXT);
}

void add(std::string *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Appends formatted text of any length: names in C++ can be long. */
void add(std::string *out, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    size_t n = vsnprintf(NULL, 0, fmt, ap), old = out->size();
    out->resize(old + n + 1);
    vsnprintf(&(*out)[old], n + 1, fmt, again);
    out->resize(old + n);
    va_end(again);
    va_end(ap);
}

/* Where something is: FILE LINE. */
std::string place(const cs_graph *g, int file, int line)
{
    return field(cs_graph_str(g, file), SIZE_MAX) + '\t' + std::to_string(line);
}

void add_functions(std::string *out, const cs_program *p)
{
    const cs_graph *g = p->graph;
    for (unsigned i = 0; i < p->funcs.length(); i++) {
        const cs_func *f = &g->funcs[p->funcs[i].func];
        int total = 0, keep = 0;
        for (int b = 0; b < f->nblocks; b++)
            for (int k = 0; k < f->blocks[b].nstmts; k++) {
                const cs_stmt *s = &g->stmts[f->blocks[b].stmts[k]];
                if (!cs_stmt_counts(s))
                    continue;
                total++;
                keep += s->keep;
            }
        add(out, "func\t%s\t%s\t%d\t%d\n", cs_graph_str(g, f->name), place(g, f->file, f->line).c_str(), total, keep);
    }
}

int func_index(const cs_program *p, int func)
{
    for (unsigned i = 0; i < p->funcs.length(); i++)
        if (p->funcs[i].func == func)
            return i;
    return -1;
}

const char *callee_name(const cs_graph *g, const cs_stmt *s)
{
    if (s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return "(function pointer)";
    enum cs_binding b;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_obj_name(g, s->callee.id), &b);
    return c ? c->name : cs_obj_name(g, s->callee.id);
}

void add_sites(std::string *out, const cs_graph *g, bool is_slice)
{
    for (int i = 0; i < g->nstmts; i++) {
        const cs_stmt *s = &g->stmts[i];
        if (s->site < 0)
            continue;
        add(out, "site\t%d\t%s\t%s\t%s\t%d\n", s->site, place(g, s->file, s->line).c_str(), cs_func_name(g, s->func),
            callee_name(g, s), is_slice ? s->mark : CS_MARK_CONTENT);
    }
}

void add_opaques(std::string *out, const cs_graph *g, const cs_slice_result *res)
{
    for (int i = 0; i < res->nopaques; i++) {
        const cs_stmt *s = &g->stmts[res->opaques[i].stmt];
        add(out, "opaque\t%s\t%s\n", cs_func_name(g, res->opaques[i].func), place(g, s->file, s->line).c_str());
    }
}

/* The variable of Fortran, or its component, that the statement allocates, as rsd of `rsd.data = _87`; "": it is not
 * told.
 */
std::string allocated_variable(gimple *call)
{
    gimple *use;
    tree value = gimple_get_lhs(call);
    imm_use_iterator i;
    use_operand_p at;
    if (!value || TREE_CODE(value) != SSA_NAME)
        return "";
    FOR_EACH_IMM_USE_FAST(at, i, value)
    {
        use = USE_STMT(at);
        bool assigns = gimple_store_p(use) && gimple_assign_single_p(use) && gimple_assign_rhs1(use) == value;
        tree to = assigns ? gimple_assign_lhs(use) : NULL_TREE;
        tree name = to && TREE_CODE(to) == COMPONENT_REF ? DECL_NAME(TREE_OPERAND(to, 1)) : NULL_TREE;
        if (!name || strcmp(IDENTIFIER_POINTER(name), "data") != 0)
            continue;
        to = TREE_OPERAND(to, 0);
        tree decl = TREE_CODE(to) == COMPONENT_REF ? TREE_OPERAND(to, 1) : to;
        if (DECL_P(decl) && DECL_NAME(decl))
            return field(IDENTIFIER_POINTER(DECL_NAME(decl)), SIZE_MAX);
    }
    return "";
}

/* Of what the slicer takes for an allocation: what it allocates, if that has a name. */
void add_variable(std::string *out, gimple *g)
{
    std::string variable = allocated_variable(g);
    if (!variable.empty())
        add(out, "allocates\t%u\t%s\n", gimple_uid(g) - 1, variable.c_str());
}

/* Why it is kept is found when someone asks (advise/reasons.h). */
void add_stmt(std::string *out, const cs_graph *g, int id, int fi, const char *text)
{
    const cs_stmt *s = &g->stmts[id];
    add(out, "stmt\t%d\t%d\t%s\t%d\t-\t-1\t%s\n", id, fi, place(g, s->file, s->line).c_str(), s->keep, text);
}

/* By statement: does it allocate an object? */
std::vector<bool> allocators(const cs_graph *g)
{
    std::vector<bool> is(g->nstmts);
    for (int i = 0; i < g->nobjs; i++)
        if (g->objs[i].kind == CS_OBJ_HEAP && g->objs[i].stmt >= 0 && g->objs[i].stmt < g->nstmts)
            is[g->objs[i].stmt] = true;
    return is;
}

bool of_system(location_t at)
{
    const char *file = LOCATION_FILE(at); /* at the link GCC does not know of every one that it is the system's */
    return in_system_header_at(at) || (file && !strncmp(file, "/usr/", strlen("/usr/")));
}

/* Is the place in a header, the system's or another one than the current function's file? */
bool is_elsewhere(location_t at)
{
    return of_system(at) || (LOCATION_FILE(at) && strcmp(LOCATION_FILE(at), DECL_SOURCE_FILE(cfun->decl)));
}

/* Of a statement of a header, the line where the user calls what was put in line there, function in function; without a
 * line, if it was not and the header is of the system. Statements without a place are where their function is. */
void add_users_line(std::string *out, const gimple *g)
{
    location_t at = gimple_location(g);
    if (LOCATION_LOCUS(at) <= BUILTINS_LOCATION)
        at = gimple_block(g) ? UNKNOWN_LOCATION : DECL_SOURCE_LOCATION(cfun->decl);
    if (LOCATION_LOCUS(at) <= BUILTINS_LOCATION || !is_elsewhere(at))
        return;
    for (tree b = gimple_block(g); b && TREE_CODE(b) == BLOCK && is_elsewhere(at); b = BLOCK_SUPERCONTEXT(b))
        if (inlined_function_outer_scope_p(b) && LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(b)) > BUILTINS_LOCATION)
            at = BLOCK_SOURCE_LOCATION(b);
    bool users = !of_system(at);
    if (users && at == gimple_location(g))
        return;
    add(out, "at\t%u\t%s\t%d\n", gimple_uid(g) - 1, users ? field(lbasename(LOCATION_FILE(at)), SIZE_MAX).c_str() : "",
        users ? LOCATION_LINE(at) : 0);
}

void add_gimple(std::string *out, const cs_graph *graph, gimple *g, int fi)
{
    unsigned uid = gimple_uid(g);
    if (!uid)
        return;
    bool keep = graph->stmts[uid - 1].keep;
    add_stmt(out, graph, uid - 1, fi, keep ? text_of(g).c_str() : "");
    if (keep)
        add_users_line(out, g);
}

void add_stmts(std::string *out, const cs_program *p)
{
    const cs_graph *g = p->graph;
    std::vector<bool> allocates = allocators(g);
    for (unsigned i = 0; i < p->funcs.length(); i++) {
        push_cfun(DECL_STRUCT_FUNCTION(p->funcs[i].node->decl));
        for (unsigned b = 0; b < p->funcs[i].order.length(); b++) {
            basic_block bb = p->funcs[i].order[b];
            for (gphi_iterator k = gsi_start_phis(bb); !gsi_end_p(k); gsi_next(&k))
                add_gimple(out, g, k.phi(), i);
            for (gimple_stmt_iterator k = gsi_start_bb(bb); !gsi_end_p(k); gsi_next(&k)) {
                add_gimple(out, g, gsi_stmt(k), i);
                if (gimple_uid(gsi_stmt(k)) && allocates[gimple_uid(gsi_stmt(k)) - 1])
                    add_variable(out, gsi_stmt(k));
            }
        }
        pop_cfun();
    }
    /* Pseudo statements, as links in chains of reasons: an address, or what a library call reads. */
    for (int s = 0; s < g->nstmts; s++) {
        int fi = g->stmts[s].source < 0 && g->stmts[s].keep ? func_index(p, g->stmts[s].func) : -1;
        if (fi >= 0)
            add_stmt(out, g, s, fi, g->stmts[s].kind == CS_STMT_LOAD ? "(what the call reads)" : "(address)");
    }
}

/* A counter of which any call is missing would be wrong: the slice has none of them. */
void add_counters(std::string *out, const cs_slice_result *res, const cs_graph *g, bool is_slice)
{
    std::vector<bool> lost(cs_counters().size());
    for (int i = 0; is_slice && i < res->nuncounted; i++)
        lost[g->stmts[res->uncounted[i]].uses[0].pat.off] = true;
    for (size_t i = 0; i < lost.size(); i++) {
        const cs_counter &c = cs_counters()[i];
        add(out, "counter\t%s\t%d\t%s\t%d\t%d\n", field(c.file.c_str(), SIZE_MAX).c_str(), c.line,
            field(c.func.c_str(), SIZE_MAX).c_str(), c.ordinal, !lost[i]);
    }
}

void add_holders(std::string *out, const cs_holders *holders)
{
    const int most = 40;
    for (int i = 0; i < holders->n && i < most; i++)
        add(out, "hold\t%d\t%d\n", holders->holder[i].stmt, holders->holder[i].held);
}

/* Compresses a long text to a zstd frame: it would be the larger part of many slices. */
std::string pack(const std::string &text)
{
    if (text.size() <= PACK_FROM)
        return text;
    std::string out(ZSTD_compressBound(text.size()), 0);
    size_t n = ZSTD_compress(&out[0], out.size(), text.data(), text.size(), 3);
    if (ZSTD_isError(n))
        return text;
    out.resize(n);
    return out;
}

} // namespace

void cs_own_section(tree variable, const char *name)
{
    set_decl_section_name(variable, name);
    DECL_ATTRIBUTES(variable) = tree_cons(get_identifier("retain"), NULL_TREE, DECL_ATTRIBUTES(variable));
}

void cs_emit_section(const std::string &text, const char *variable, const char *section)
{
    std::string out = pack(text);
    tree content = build_string(out.size(), out.data());
    tree type = build_array_type_nelts(char_type_node, out.size());
    TREE_TYPE(content) = type;
    tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(variable), type);
    TREE_STATIC(v) = TREE_READONLY(v) = TREE_USED(v) = DECL_ARTIFICIAL(v) = DECL_PRESERVE_P(v) = 1;
    DECL_INITIAL(v) = content;
    cs_own_section(v, section);
    varpool_node::finalize_decl(v);
    varpool_node *n = varpool_node::get_create(v);
    n->force_output = 1;
    if (!n->analyzed)
        n->analyze();
}

void cs_info_add_loops(std::string *text, const struct cs_graph *g, const struct cs_alike_loops *loops)
{
    for (int i = 0; i < loops->n; i++) {
        const cs_alike_loop *l = &loops->loop[i];
        const cs_block *b = &g->funcs[l->func].blocks[l->test >= 0 ? l->test : l->header];
        const cs_stmt *end = b->nstmts ? &g->stmts[b->stmts[b->nstmts - 1]] : NULL;
        const char *once = l->compared && !l->why ? l->once : "";
        const cs_stmt *at = (l->why || l->compared) && l->at >= 0 ? &g->stmts[l->at] : NULL;
        add(text, "loop\t%s\t%d\t%s\t%s\t%s\t%d\t%s\n", field(end ? cs_graph_str(g, end->file) : "", SIZE_MAX).c_str(),
            end ? end->line : 0, field(cs_func_name(g, l->func), SIZE_MAX).c_str(), l->why ? l->why : "",
            field(at ? cs_graph_str(g, at->file) : "", SIZE_MAX).c_str(), at ? at->line : 0, once);
    }
}

std::string cs_info_text(const struct cs_program *p, const struct cs_slice_result *res, const struct cs_assumptions *as,
                         const struct cs_holders *holders, bool is_slice)
{
    const cs_graph *g = p->graph;
    std::string out = "commslice-slice 1\n";
    add(&out, "mode\t%s\n", is_slice ? "slice" : "original");
    add(&out, "total\t%d\t%d\n", res->total, res->kept);
    if (is_slice && res->unordered && res->nopaques == 0)
        add(&out, "order\tnone\n");
    add_functions(&out, p);
    add_sites(&out, g, is_slice);
    add_opaques(&out, g, res);
    for (unsigned i = 0; i < as->texts.length(); i++)
        add(&out, "assume\t%s\t%d\n", field(as->texts[i], SIZE_MAX).c_str(), cs_assume_stmt(as, i));
    for (unsigned i = 0; i < as->watched.length(); i++)
        add(&out, "watch\t%s\n", field(as->watched[i], SIZE_MAX).c_str());
    for (unsigned i = 0; i < as->seen.length(); i++)
        add(&out, "watch\t%s\t%d\n", field(as->seen[i], SIZE_MAX).c_str(), as->seen_order[i]);
    for (int i = 0; i < res->nmessages; i++) {
        const cs_message *m = &res->messages[i];
        add(&out, "warn\t%s:%d: %s\n", field(cs_graph_str(g, m->file), SIZE_MAX).c_str(), m->line,
            field(m->text, SIZE_MAX).c_str());
    }
    add_counters(&out, res, g, is_slice);
    add_stmts(&out, p);
    add_holders(&out, holders);
    add(&out, "decided\t%016" PRIx64 "\n", cs_decision_hash(g));
    return out;
}

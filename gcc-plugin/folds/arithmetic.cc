/* SPDX-License-Identifier: GPL-3.0-or-later
 * What GCC computes of real and complex constants while it compiles the original, without a change to what it compiles:
 * it calls MPFR and MPC for that (fold-const-call.cc), and the entries of the compiler's jump table for their functions
 * are replaced by functions that call them and note the constants. */
#include "gcc-plugin/folds/folds_internal.h"

#include "real.h"
#include "realmpfr.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

namespace cs_fold {

const char PRODUCT[] = "product";
const char QUOTIENT[] = "quotient";
static const char POWI[] = "powi";

namespace {

/* A function of MPFR or MPC, what it is in the C library, and the functions here and there. */
struct Function {
    const char *symbol, *name;
    void *here, *there;
};
extern Function functions[];

std::map<std::string, Copies> constants; /* by the name in the C library */
bool noting;

/* The type of real numbers with so many digits; null: none. */
tree type_of_precision(int digits)
{
    tree types[] = {float_type_node, double_type_node, long_double_type_node, float128_type_node};
    for (tree type : types)
        if (type && REAL_MODE_FORMAT(TYPE_MODE(type))->p == digits)
            return type;
    return NULL_TREE;
}

tree constant_of(mpfr_srcptr value)
{
    tree type = type_of_precision(mpfr_get_prec(value));
    REAL_VALUE_TYPE real;
    if (!type)
        return NULL_TREE;
    real_from_mpfr(&real, value, type, MPFR_RNDN);
    real_convert(&real, TYPE_MODE(type), &real);
    return build_real(type, real);
}

tree constant_of(mpc_srcptr value)
{
    tree re = constant_of(mpc_realref(value)), im = constant_of(mpc_imagref(value));
    return re && im ? build_complex(NULL_TREE, re, im) : NULL_TREE;
}

/* The arguments are constants of before the call, which may have overwritten them. */
bool is_given(const char *name, tree result, tree a, tree b = NULL_TREE)
{
    tree args[] = {a, b};
    return result && cs_library_gives(name, result, args, b ? 2 : 1);
}

void note_other(const char *name, tree result, tree a, tree b = NULL_TREE)
{
    tree args[] = {a, b};
    unsigned n = b ? 2 : 1;
    Copy copy = {shown_constant(result)};
    for (unsigned i = 0; i < n; i++)
        copy.push_back(shown_constant(args[i]));
    constants[name].insert(copy);
}

void note(const char *name, tree result, tree a, tree b = NULL_TREE)
{
    if (!is_given(name, result, a, b))
        note_other(name, result, a, b);
}

/* ---- the functions that GCC calls instead ---- */

template <int I, typename Result, typename... Args> int pass_on(Result result, Args... args)
{
    return ((int (*)(Result, Args...))functions[I].there)(result, args...);
}

/* Numbers of MPFR. */
struct Real {
    typedef mpfr_ptr To;
    typedef mpfr_srcptr From;
    typedef mpfr_rnd_t Round;
};
/* Those of MPC. */
struct Complex {
    typedef mpc_ptr To;
    typedef mpc_srcptr From;
    typedef mpc_rnd_t Round;
};

/* Does GCC take the result? With -frounding-math it does not take one that had to be rounded (do_mpfr_ckconv). */
bool is_taken(int rounded)
{
    return noting && !(flag_rounding_math && rounded);
}

template <int I, typename T> int of_one(typename T::To result, typename T::From x, typename T::Round round)
{
    tree a = noting ? constant_of(x) : NULL_TREE;
    int rounded = pass_on<I>(result, x, round);
    if (is_taken(rounded))
        note(functions[I].name, constant_of(result), a);
    return rounded;
}

template <int I, typename T>
int of_two(typename T::To result, typename T::From x, typename T::From y, typename T::Round round)
{
    tree a = noting ? constant_of(x) : NULL_TREE, b = noting ? constant_of(y) : NULL_TREE;
    int rounded = pass_on<I>(result, x, y, round);
    if (is_taken(rounded))
        note(functions[I].name, constant_of(result), a, b);
    return rounded;
}

template <int I> int of_whole(mpfr_ptr result, long n, mpfr_srcptr x, mpfr_rnd_t round)
{
    tree a = build_int_cst(integer_type_node, n), b = noting ? constant_of(x) : NULL_TREE;
    int rounded = pass_on<I>(result, n, x, round);
    if (is_taken(rounded))
        note(functions[I].name, constant_of(result), a, b);
    return rounded;
}

/* The library stores a part of the result, and is not asked. */
template <int I> int of_sign(mpfr_ptr result, int *sign, mpfr_srcptr x, mpfr_rnd_t round)
{
    tree a = noting ? constant_of(x) : NULL_TREE;
    int rounded = pass_on<I>(result, sign, x, round);
    if (is_taken(rounded))
        note_other(functions[I].name, constant_of(result), a);
    return rounded;
}

template <int I> int of_quotient(mpfr_ptr result, long *quotient, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t round)
{
    tree a = noting ? constant_of(x) : NULL_TREE, b = noting ? constant_of(y) : NULL_TREE;
    int rounded = pass_on<I>(result, quotient, x, y, round);
    if (is_taken(rounded))
        note_other(functions[I].name, constant_of(result), a, b);
    return rounded;
}

/* Both at once, from a sine or a cosine or from both of one number. */
template <int I> int of_angle(mpfr_ptr sine, mpfr_ptr cosine, mpfr_srcptr x, mpfr_rnd_t round)
{
    tree a = noting ? constant_of(x) : NULL_TREE;
    int rounded = pass_on<I>(sine, cosine, x, round);
    if (is_taken(rounded)) {
        tree sin = constant_of(sine), cos = constant_of(cosine);
        note("sin", sin, a);
        note("cos", cos, a);
        if (!is_given("sin", sin, a) || !is_given("cos", cos, a))
            note_other(functions[I].name, cos, a);
    }
    return rounded;
}

enum { FIRST = __COUNTER__ + 1 }; /* the rows below count on: row n is of the functions of number n */
#define ROW(SYMBOL, NAME, ...) \
    { \
        SYMBOL, NAME, (void *)__VA_ARGS__, NULL \
    }
#define NUMBER (__COUNTER__ - FIRST)
#define REAL(NAME) ROW("mpfr_" #NAME, #NAME, of_one<NUMBER, Real>)
#define COMPLEX(NAME) ROW("mpc_" #NAME, "c" #NAME, of_one<NUMBER, Complex>)

Function functions[] = {
    REAL(acos),
    REAL(acosh),
    REAL(asin),
    REAL(asinh),
    REAL(atan),
    REAL(atanh),
    REAL(cbrt),
    REAL(cos),
    REAL(cosh),
    REAL(erf),
    REAL(erfc),
    REAL(exp),
    REAL(exp10),
    REAL(exp2),
    REAL(expm1),
    ROW("mpfr_gamma", "tgamma", of_one<NUMBER, Real>),
    REAL(j0),
    REAL(j1),
    REAL(log),
    REAL(log10),
    REAL(log1p),
    REAL(log2),
    REAL(sin),
    REAL(sinh),
    REAL(tan),
    REAL(tanh),
    REAL(y0),
    REAL(y1),
    ROW("mpfr_atan2", "atan2", of_two<NUMBER, Real>),
    ROW("mpfr_hypot", "hypot", of_two<NUMBER, Real>),
    ROW("mpfr_pow", "pow", of_two<NUMBER, Real>),
    ROW("mpfr_max", "fmax", of_two<NUMBER, Real>),
    ROW("mpfr_min", "fmin", of_two<NUMBER, Real>),
    ROW("mpfr_jn", "jn", of_whole<NUMBER>),
    ROW("mpfr_yn", "yn", of_whole<NUMBER>),
    ROW("mpfr_lgamma", "lgamma_r", of_sign<NUMBER>),
    ROW("mpfr_remquo", "remquo", of_quotient<NUMBER>),
    ROW("mpfr_sin_cos", "sincos", of_angle<NUMBER>),
    COMPLEX(acos),
    COMPLEX(acosh),
    COMPLEX(asin),
    COMPLEX(asinh),
    COMPLEX(atan),
    COMPLEX(atanh),
    COMPLEX(cos),
    COMPLEX(cosh),
    COMPLEX(exp),
    COMPLEX(log),
    COMPLEX(sin),
    COMPLEX(sinh),
    COMPLEX(sqrt),
    COMPLEX(tan),
    COMPLEX(tanh),
    ROW("mpc_pow", "cpow", of_two<NUMBER, Complex>),
    ROW("mpc_mul", PRODUCT, of_two<NUMBER, Complex>),
    ROW("mpc_div", QUOTIENT, of_two<NUMBER, Complex>),
};

/* ---- the jump table ---- */

/* The function itself. Asked for the name alone, the loader gives an entry of the compiler's jump table. */
void *in_library(const char *symbol)
{
    static void *mpfr = dlopen("libmpfr.so.6", RTLD_LAZY | RTLD_NOLOAD);
    static void *mpc = dlopen("libmpc.so.3", RTLD_LAZY | RTLD_NOLOAD);
    void *library = startswith(symbol, "mpfr") ? mpfr : mpc;
    return library ? dlsym(library, symbol) : NULL;
}

/* The functions that the compiler calls by this part of its jump table are called by way of those here. */
void replace(const ElfW(Rela) * entries, size_t bytes, const ElfW(Sym) * symbols, const char *names, ElfW(Addr) base)
{
    size_t page = sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < bytes / sizeof *entries; i++)
        for (Function &f : functions) {
            const ElfW(Sym) &s = symbols[ELF64_R_SYM(entries[i].r_info)];
            if (strcmp(names + s.st_name, f.symbol))
                continue;
            void **slot = (void **)(base + entries[i].r_offset);
            void *there = in_library(f.symbol);
            if (!there || mprotect((void *)((uintptr_t)slot & -page), page + sizeof *slot, PROT_READ | PROT_WRITE))
                continue;
            f.there = there;
            *slot = f.here;
        }
}

/* A callback of dl_iterate_phdr, which names the compiler itself first. */
int replace_in_compiler(struct dl_phdr_info *info, size_t, void *)
{
    std::map<ElfW(Sxword), ElfW(Addr)> of;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            for (auto d = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr); d->d_tag != DT_NULL; d++)
                of[d->d_tag] = d->d_un.d_ptr;
    auto part = [&of, info](int entries, int bytes) {
        replace((const ElfW(Rela) *)of[entries], of[bytes], (const ElfW(Sym) *)of[DT_SYMTAB],
                (const char *)of[DT_STRTAB], info->dlpi_addr);
    };
    part(DT_RELA, DT_RELASZ);
    part(DT_JMPREL, DT_PLTRELSZ);
    return 1;
}

} // namespace

bool note_constants()
{
    dl_iterate_phdr(replace_in_compiler, NULL);
    noting = true;
    for (const Function &f : functions)
        noting &= f.there != NULL;
    return noting;
}

void note_no_constants(bool pause)
{
    noting = !pause;
}

std::string noted_as(tree decl)
{
    static const std::map<std::string, std::string> aliases = {
        {"cabs", "hypot"}, {"carg", "atan2"}, {"cexpi", "sincos"}, {"pow10", "exp10"}};
    std::string name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
    if (startswith(name.c_str(), "__builtin_"))
        name = name.substr(strlen("__builtin_"));
    for (std::string letters : {"", "f", "l", "f32", "f64", "f128", "f32x", "f64x"}) {
        if (name.size() <= letters.size() || name.substr(name.size() - letters.size()) != letters)
            continue;
        std::string n = name.substr(0, name.size() - letters.size());
        n = aliases.count(n) ? aliases.at(n) : n;
        for (Function &f : functions)
            if (n == f.name)
                return n;
    }
    return "";
}

std::string name_of_computed(tree decl)
{
    switch (DECL_FUNCTION_CODE(decl)) {
        CASE_FLT_FN(BUILT_IN_POWI) : return POWI;
    default: return noted_as(decl);
    }
}

void note_power(gimple *g)
{
    cs_answered as = is_gimple_call(g) && gimple_call_lhs(g) ? cs_answered_as(g) : CS_ANSWERED_NEVER;
    bool whole = as == CS_ANSWERED_WHOLE_POWER && optimize_function_for_speed_p(cfun);
    if ((whole || as == CS_ANSWERED_POWER) && cs_multiplied_for(gimple_call_arg(g, 1)))
        constants[whole ? POWI : "pow"].insert({COMPUTED, COMPUTED, shown_constant(gimple_call_arg(g, 1))});
}

std::string constants_text()
{
    std::string text;
    for (auto &c : constants)
        for (auto &copy : c.second)
            text += "constant " + c.first + " 0" + copy_text(copy);
    return text;
}

} // namespace cs_fold

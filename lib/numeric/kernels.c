/* SPDX-License-Identifier: MIT */
/*
 * The choice of kernels. It is made at the first use, from what the processor has or by the environment variable
 * POSSE_ISA.
 */
#include "numeric/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "posse_inside.h"

/* Kernels take long to compile, so fuzz targets and the build for the thread sanitizer have few of them. */
#if defined(__x86_64__) && !defined(POSSE_FEW_KERNELS)
#define HAVE_AVX
#endif

extern const kernels kernels_scalar, kernels_baseline;

static bool kernels_always(void) {
    return true;
}

#ifdef HAVE_AVX
extern const kernels kernels_avx2, kernels_avx512;

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}
#endif

/* Slowest first. */
static const struct set {
    const kernels *kernels;
    bool (*runs)(void);
} sets[] = {
    {&kernels_scalar, kernels_always},
    {&kernels_baseline, kernels_always},
#ifdef HAVE_AVX
    {&kernels_avx2, has_avx2},
    {&kernels_avx512, has_avx512},
#endif
};

#define SETS (sizeof sets / sizeof *sets)

/* Threads that choose at the same time make the same choice. */
_Atomic(const kernels *) kernels_chosen;

static const kernels *kernels_fastest(void) {
    size_t i = SETS - 1;
    while (!sets[i].runs()) i--;
    return sets[i].kernels;
}

/* The set of this name, or NULL if it cannot run here. */
static const kernels *kernels_find(const char *name) {
    for (size_t i = 0; i < SETS; i++)
        if (strcmp(sets[i].kernels->name, name) == 0) return sets[i].runs() ? sets[i].kernels : NULL;
    return NULL;
}

const char *kernels_wanted(void) {
    const char *name = getenv("POSSE_ISA");
    return name != NULL && name[0] != '\0' ? name : NULL;
}

/* If POSSE_ISA cannot be honoured, space_make refuses it (model/space.c); until then some kernels have to run. */
static const kernels *first_choice(void) {
    const char *wanted = kernels_wanted();
    const kernels *found = wanted != NULL ? kernels_find(wanted) : NULL;
    return found != NULL ? found : kernels_fastest();
}

const kernels *kernels_choose(void) {
    /* This is not a plain store, because kernels_use may have been called in between. */
    const kernels *none = NULL;
    atomic_compare_exchange_strong(&kernels_chosen, &none, first_choice());
    return atomic_load_explicit(&kernels_chosen, memory_order_relaxed);
}

bool kernels_use(const char *name) {
    const kernels *found = kernels_find(name);
    if (found != NULL) atomic_store_explicit(&kernels_chosen, found, memory_order_relaxed);
    return found != NULL;
}

/* Whether POSSE_ISA could be honoured when it was first read. It is not read again. */
enum { WISH_UNREAD, WISH_MET, WISH_REFUSED };
static atomic_int wish;

static bool wish_is_met(void) {
    int unread = WISH_UNREAD;
    if (atomic_load(&wish) == WISH_UNREAD) {
        const char *wanted = kernels_wanted();
        bool met = wanted == NULL || kernels_find(wanted) != NULL;
        atomic_compare_exchange_strong(&wish, &unread, met ? WISH_MET : WISH_REFUSED);
    }
    return atomic_load(&wish) == WISH_MET;
}

void kernels_forget(void) {
    atomic_store(&wish, WISH_UNREAD);
    atomic_store(&kernels_chosen, NULL);
}

const char *posse_kernels(void) {
    return wish_is_met() ? kernels_active()->name : NULL;
}

const char *const *kernels_names(void) {
#ifdef HAVE_AVX
    static const char *const names[] = {"scalar", "baseline", "avx2", "avx512", NULL};
#else
    static const char *const names[] = {"scalar", "baseline", NULL};
#endif
    return names;
}

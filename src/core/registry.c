#include "core/registry.h"

#include <stdatomic.h>
#include <string.h>

#include "core/parameter.h"

/* Learners of the application's own. Appended under a lock, read without one: the count is published last. */
#define REGISTERED_MAX 256
static const posse_kind *registered[REGISTERED_MAX];
static atomic_int registered_count;
static atomic_flag registering = ATOMIC_FLAG_INIT;

static const char *const family_names[POSSE_FAMILIES] = {[POSSE_ENVIRONMENT] = "environment",
                                                         [POSSE_BELIEF] = "belief",
                                                         [POSSE_LEARNER] = "learner",
                                                         [POSSE_SELECTOR] = "selector"};

static bool is_family(posse_family family) {
    return (int)family >= 0 && (int)family < POSSE_FAMILIES;
}

int posse_kind_count(posse_family family) {
    if (!is_family(family)) return 0;
    return built_in_families[family].count + (family == POSSE_LEARNER ? atomic_load(&registered_count) : 0);
}

const posse_kind *registry_kind(posse_family family, int index) {
    if (index < 0 || index >= posse_kind_count(family)) return NULL;
    int built_in = built_in_families[family].count;
    return index < built_in ? built_in_families[family].kinds[index] : registered[index - built_in];
}

const char *posse_kind_name(posse_family family, int index) {
    const posse_kind *kind = registry_kind(family, index);
    return kind != NULL ? kind->name : NULL;
}

const char *posse_kind_help(posse_family family, int index) {
    const posse_kind *kind = registry_kind(family, index);
    return kind != NULL ? kind->help : NULL;
}

static const posse_param no_params[] = {PARAMETERS_END};

const posse_param *posse_kind_params(posse_family family, int index) {
    const posse_kind *kind = registry_kind(family, index);
    if (kind == NULL) return NULL;
    return kind->params != NULL ? kind->params : no_params;
}

const char *posse_family_name(posse_family family) {
    return is_family(family) ? family_names[family] : NULL;
}

const posse_param *posse_family_params(posse_family family) {
    if (!is_family(family)) return NULL;
    return built_in_families[family].params != NULL ? built_in_families[family].params : no_params;
}

static posse_error check_table(const posse_learner_ops *ops) {
    if (ops == NULL) return POSSE_ERROR_ARGUMENT;
    if (ops->version != POSSE_EXTENSION_VERSION) return POSSE_ERROR_VERSION;
    const posse_kind *kind = &ops->kind;
    if (kind->name == NULL || kind->prepare == NULL || kind->state_size == NULL) return POSSE_ERROR_ARGUMENT;
    if (ops->act == NULL || ops->learn == NULL) return POSSE_ERROR_ARGUMENT;
    return parameters_are_declared(kind->params) ? POSSE_OK : POSSE_ERROR_ARGUMENT;
}

static posse_error append(const posse_kind *kind) {
    for (int i = 0; i < posse_kind_count(POSSE_LEARNER); i++)
        if (strcmp(registry_kind(POSSE_LEARNER, i)->name, kind->name) == 0) return POSSE_ERROR_NAME;
    int count = atomic_load(&registered_count);
    if (count == REGISTERED_MAX) return POSSE_ERROR_FULL;
    registered[count] = kind;
    atomic_store(&registered_count, count + 1);
    return POSSE_OK;
}

posse_error posse_learner_register(const posse_learner_ops *ops) {
    posse_error error = check_table(ops);
    if (error != POSSE_OK) return error;
    while (atomic_flag_test_and_set(&registering)) {
    }
    error = append(&ops->kind);
    atomic_flag_clear(&registering);
    return error;
}

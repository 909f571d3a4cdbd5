/* SPDX-License-Identifier: MIT */
#include "model/registry.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/parameter.h"

/*
 * Kinds that the application registered. They are appended under a lock. Readers need no lock, because a kind is stored
 * before the count that includes it.
 */
#define REGISTERED_MAX 256
static const posse_kind *registered[POSSE_FAMILY_COUNT][REGISTERED_MAX];
static atomic_int registered_count[POSSE_FAMILY_COUNT];
static atomic_flag registering = ATOMIC_FLAG_INIT;

static const char *const family_names[POSSE_FAMILY_COUNT] = {[POSSE_FAMILY_ENVIRONMENT] = "environment",
                                                             [POSSE_FAMILY_BELIEF] = "belief",
                                                             [POSSE_FAMILY_LEARNER] = "learner",
                                                             [POSSE_FAMILY_SELECTOR] = "selector"};

/* --------------------------------------------------- looking up --------------------------------------------- */

static bool is_family(posse_family family) {
    return (int)family >= 0 && (int)family < POSSE_FAMILY_COUNT;
}

int posse_kind_count(posse_family family) {
    return is_family(family) ? built_in_families[family].count + atomic_load(&registered_count[family]) : 0;
}

const posse_kind *registry_kind(posse_family family, int index) {
    if (index < 0 || index >= posse_kind_count(family)) return NULL;
    int built_in = built_in_families[family].count;
    return index < built_in ? built_in_families[family].kinds[index] : registered[family][index - built_in];
}

int posse_kind_find(posse_family family, const char *name) {
    for (int i = 0; name != NULL && i < posse_kind_count(family); i++)
        if (strcmp(registry_kind(family, i)->name, name) == 0) return i;
    return -1;
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

const posse_param *posse_kind_param(posse_family family, int index, const char *name) {
    const posse_kind *kind = registry_kind(family, index);
    if (kind == NULL || name == NULL) return NULL;
    const posse_param *own = parameters_find(kind->params, name);
    return own != NULL ? own : parameters_find(posse_family_params(family), name);
}

static unsigned selector_traits(const posse_selector_ops *ops) {
    return (ops->belief != NULL ? POSSE_TRAIT_BELIEVES : 0u) | (ops->clipped != NULL ? POSSE_TRAIT_CLIPS : 0u);
}

static unsigned registry_environment_traits(const posse_environment_ops *ops) {
    return (ops->moves ? POSSE_TRAIT_MOVES : 0u) | (ops->logbook != NULL ? POSSE_TRAIT_LOGGED : 0u);
}

unsigned posse_kind_traits(posse_family family, int index) {
    const posse_kind *kind = registry_kind(family, index);
    if (kind == NULL) return 0;
    if (family == POSSE_FAMILY_SELECTOR) return selector_traits(OPS_OF(posse_selector_ops, kind));
    if (family == POSSE_FAMILY_LEARNER)
        return learner_is_external(OPS_OF(posse_learner_ops, kind)) ? POSSE_TRAIT_EXTERNAL : 0;
    return family == POSSE_FAMILY_ENVIRONMENT ? registry_environment_traits(OPS_OF(posse_environment_ops, kind)) : 0;
}

const char *posse_family_name(posse_family family) {
    return is_family(family) ? family_names[family] : NULL;
}

const posse_param *posse_family_params(posse_family family) {
    if (!is_family(family)) return NULL;
    return built_in_families[family].params != NULL ? built_in_families[family].params : no_params;
}

const posse_kind *registry_kind_in_contexts(posse_family family, const posse_kind *kind) {
    if (family == POSSE_FAMILY_BELIEF) {
        const posse_belief_ops *ops = OPS_OF(posse_belief_ops, kind)->in_contexts;
        return ops != NULL ? &ops->kind : kind;
    }
    if (family == POSSE_FAMILY_LEARNER) {
        const posse_learner_ops *ops = OPS_OF(posse_learner_ops, kind)->in_contexts;
        return ops != NULL ? &ops->kind : kind;
    }
    if (family == POSSE_FAMILY_SELECTOR) {
        const posse_selector_ops *ops = OPS_OF(posse_selector_ops, kind)->in_contexts;
        return ops != NULL ? &ops->kind : kind;
    }
    return kind;
}

posse_rewards (*registry_rewards(posse_family family, const posse_kind *kind))(const void *plan) {
    if (family == POSSE_FAMILY_BELIEF) return OPS_OF(posse_belief_ops, kind)->rewards;
    if (family == POSSE_FAMILY_LEARNER) return OPS_OF(posse_learner_ops, kind)->rewards;
    return family == POSSE_FAMILY_SELECTOR ? OPS_OF(posse_selector_ops, kind)->rewards : NULL;
}

/* --------------------------------------------------- registering -------------------------------------------- */

static bool learner_is_whole(const posse_kind *kind) {
    return OPS_OF(posse_learner_ops, kind)->learn != NULL;
}

static bool belief_is_whole(const posse_kind *kind) {
    const posse_belief_ops *ops = OPS_OF(posse_belief_ops, kind);
    return ops->shape != NULL && ops->update != NULL && ops->draw != NULL && ops->add_mean != NULL &&
           ops->evidence != NULL && (ops->vary != NULL) == (ops->variants > 0);
}

static bool has_range(const posse_param *params) {
    while (params != NULL && params->name != NULL && params->type != POSSE_TYPE_RANGE) params++;
    return params != NULL && params->name != NULL;
}

static bool selector_is_whole(const posse_kind *kind) {
    const posse_selector_ops *ops = OPS_OF(posse_selector_ops, kind);
    bool clips = ops->clipped != NULL;
    return ops->admit != NULL && ops->retire != NULL && ops->choose != NULL && ops->played != NULL &&
           ops->learn != NULL && ops->adopt != NULL && (!clips || has_range(kind->params));
}

static bool environment_is_whole(const posse_kind *kind) {
    const posse_environment_ops *ops = OPS_OF(posse_environment_ops, kind);
    bool log = ops->logbook != NULL;
    return ops->arms != NULL && ops->prior != NULL && ops->begin != NULL && ops->reward != NULL &&
           ops->regret != NULL && ops->means != NULL &&
           (!log || (ops->bring != NULL && ops->logged != NULL && ops->expected != NULL));
}

static bool (*const is_whole[POSSE_FAMILY_COUNT])(const posse_kind *kind) = {
    [POSSE_FAMILY_ENVIRONMENT] = environment_is_whole,
    [POSSE_FAMILY_BELIEF] = belief_is_whole,
    [POSSE_FAMILY_LEARNER] = learner_is_whole,
    [POSSE_FAMILY_SELECTOR] = selector_is_whole};

/* All options of a part must fit into its description (posse_part). */
static bool options_fit(posse_family family, const posse_kind *kind) {
    int count = parameters_count(kind->params);
    for (const posse_param *p = posse_family_params(family); p->name != NULL; p++)
        count += parameters_find(kind->params, p->name) == NULL;
    return count <= POSSE_OPTIONS_MAX;
}

/* The sizes of version 2 tables and of current tables in bytes. */
#define VERSION_WITHOUT_CONTEXTS 2
static const size_t sizes_without_contexts[POSSE_FAMILY_COUNT] = {
    [POSSE_FAMILY_ENVIRONMENT] = offsetof(posse_environment_ops, bring),
    [POSSE_FAMILY_BELIEF] = offsetof(posse_belief_ops, model),
    [POSSE_FAMILY_LEARNER] = offsetof(posse_learner_ops, act_in),
    [POSSE_FAMILY_SELECTOR] = offsetof(posse_selector_ops, played_in)};
static const size_t sizes[POSSE_FAMILY_COUNT] = {[POSSE_FAMILY_ENVIRONMENT] = sizeof(posse_environment_ops),
                                                 [POSSE_FAMILY_BELIEF] = sizeof(posse_belief_ops),
                                                 [POSSE_FAMILY_LEARNER] = sizeof(posse_learner_ops),
                                                 [POSSE_FAMILY_SELECTOR] = sizeof(posse_selector_ops)};
_Static_assert(offsetof(posse_environment_ops, kind) == 0 && offsetof(posse_belief_ops, kind) == 0 &&
                   offsetof(posse_learner_ops, kind) == 0 && offsetof(posse_selector_ops, kind) == 0,
               "a table begins with its kind");

/* Widens a version 2 table to the current size, new fields zero. Once it is registered, the copy is never freed. */
static const posse_kind *of_today(posse_family family, const posse_kind *kind) {
    if (kind->version != VERSION_WITHOUT_CONTEXTS) return kind;
    posse_kind *copy = calloc(1, sizes[family]);
    if (copy == NULL) return NULL;
    memcpy(copy, kind, sizes_without_contexts[family]);
    return copy;
}

posse_error registry_check(posse_family family, const posse_kind *kind) {
    if (kind->version != POSSE_EXTENSION_VERSION && kind->version != VERSION_WITHOUT_CONTEXTS)
        return POSSE_ERROR_VERSION;
    if (kind->name == NULL || kind->prepare == NULL || kind->state_size == NULL) return POSSE_ERROR_ARGUMENT;
    if (!is_whole[family](kind) || !parameters_are_declared(kind->params)) return POSSE_ERROR_ARGUMENT;
    if (!parameters_agree(kind->params, posse_family_params(family))) return POSSE_ERROR_ARGUMENT;
    return options_fit(family, kind) ? POSSE_OK : POSSE_ERROR_OPTION;
}

static posse_error registry_append(posse_family family, const posse_kind *kind) {
    if (posse_kind_find(family, kind->name) >= 0) return POSSE_ERROR_NAME;
    int count = atomic_load(&registered_count[family]);
    if (count == REGISTERED_MAX) return POSSE_ERROR_FULL;
    registered[family][count] = kind;
    atomic_store(&registered_count[family], count + 1);
    return POSSE_OK;
}

static posse_error append_locked(posse_family family, const posse_kind *kind) {
    while (atomic_flag_test_and_set(&registering)) {
    }
    posse_error error = registry_append(family, kind);
    atomic_flag_clear(&registering);
    return error;
}

/* The table is widened before it is checked, because the checks read all of it. */
static posse_error registry_register_kind(posse_family family, const posse_kind *kind) {
    const posse_kind *today = of_today(family, kind);
    if (today == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = registry_check(family, today);
    if (error == POSSE_OK) error = append_locked(family, today);
    if (error != POSSE_OK && today != kind) free((void *)(uintptr_t)today);
    return error;
}

posse_error posse_learner_register(const posse_learner_ops *ops) {
    return ops != NULL ? registry_register_kind(POSSE_FAMILY_LEARNER, &ops->kind) : POSSE_ERROR_ARGUMENT;
}

posse_error posse_belief_register(const posse_belief_ops *ops) {
    return ops != NULL ? registry_register_kind(POSSE_FAMILY_BELIEF, &ops->kind) : POSSE_ERROR_ARGUMENT;
}

posse_error posse_selector_register(const posse_selector_ops *ops) {
    return ops != NULL ? registry_register_kind(POSSE_FAMILY_SELECTOR, &ops->kind) : POSSE_ERROR_ARGUMENT;
}

posse_error posse_environment_register(const posse_environment_ops *ops) {
    return ops != NULL ? registry_register_kind(POSSE_FAMILY_ENVIRONMENT, &ops->kind) : POSSE_ERROR_ARGUMENT;
}

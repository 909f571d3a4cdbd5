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

bool registry_is_built_in(posse_family family, const char *name) {
    int index = posse_kind_find(family, name);
    return index >= 0 && index < built_in_families[family].count;
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

/* The robust form is a mixture of the belief and its variants, and mixtures have at most 64 components. */
#define VARIANTS_MAX 63

static bool belief_is_whole(const posse_kind *kind) {
    const posse_belief_ops *ops = OPS_OF(posse_belief_ops, kind);
    return ops->shape != NULL && ops->update != NULL && ops->draw != NULL && ops->add_mean != NULL &&
           ops->evidence != NULL && ops->variants >= 0 && ops->variants <= VARIANTS_MAX &&
           (ops->vary != NULL) == (ops->variants > 0) && ops->reward_kind >= POSSE_REWARDS_NUMBERS &&
           ops->reward_kind <= POSSE_REWARDS_COUNTS;
}

static bool has_range(const posse_param *params) {
    while (params != NULL && params->name != NULL && params->type != POSSE_TYPE_RANGE) params++;
    return params != NULL && params->name != NULL;
}

/*
 * Regrets are those in a world of the belief, so a selector with `regrets` has a belief. With `played_in` alone, a
 * selector is for rounds with features (chooser.c).
 */
static bool selector_is_whole(const posse_kind *kind) {
    const posse_selector_ops *ops = OPS_OF(posse_selector_ops, kind);
    bool clips = ops->clipped != NULL;
    return ops->admit != NULL && ops->retire != NULL && ops->choose != NULL &&
           (ops->played != NULL || ops->played_in != NULL) && ops->learn != NULL && ops->adopt != NULL &&
           (!clips || has_range(kind->params)) && (ops->considers == NULL || ops->considered != NULL) &&
           (ops->regrets == NULL || ops->belief != NULL);
}

/* Whether all features are shared is asked only where rounds have features, and logs always have them. */
static bool environment_is_whole(const posse_kind *kind) {
    const posse_environment_ops *ops = OPS_OF(posse_environment_ops, kind);
    bool log = ops->logbook != NULL;
    return ops->arms != NULL && ops->prior != NULL && ops->begin != NULL && ops->reward != NULL &&
           ops->regret != NULL && ops->means != NULL && (ops->shares == NULL || ops->bring != NULL) &&
           (ops->episode == NULL || ops->bring == NULL) &&
           (!log || (ops->bring != NULL && ops->logged != NULL && ops->expected != NULL));
}

static bool (*const is_whole[POSSE_FAMILY_COUNT])(const posse_kind *kind) = {
    [POSSE_FAMILY_ENVIRONMENT] = environment_is_whole,
    [POSSE_FAMILY_BELIEF] = belief_is_whole,
    [POSSE_FAMILY_LEARNER] = learner_is_whole,
    [POSSE_FAMILY_SELECTOR] = selector_is_whole};

static bool kind_is_whole(posse_family family, const posse_kind *kind) {
    return kind->name != NULL && kind->prepare != NULL && kind->state_size != NULL && is_whole[family](kind);
}

/* All options of a part must fit into its description (posse_part). */
static bool options_fit(posse_family family, const posse_kind *kind) {
    int count = parameters_count(kind->params);
    for (const posse_param *p = posse_family_params(family); p->name != NULL; p++)
        count += parameters_find(kind->params, p->name) == NULL;
    return count <= POSSE_OPTIONS_MAX;
}

/* The sizes of tables in bytes: of version 2, of version 3, and of the current version. */
#define VERSION_WITHOUT_CONTEXTS 2
#define VERSION_WITHOUT_EPISODES 3
static const size_t sizes_without_contexts[POSSE_FAMILY_COUNT] = {
    [POSSE_FAMILY_ENVIRONMENT] = offsetof(posse_environment_ops, bring),
    [POSSE_FAMILY_BELIEF] = offsetof(posse_belief_ops, model),
    [POSSE_FAMILY_LEARNER] = offsetof(posse_learner_ops, act_in),
    [POSSE_FAMILY_SELECTOR] = offsetof(posse_selector_ops, played_in)};
static const size_t sizes_without_episodes[POSSE_FAMILY_COUNT] = {
    [POSSE_FAMILY_ENVIRONMENT] = offsetof(posse_environment_ops, episode),
    [POSSE_FAMILY_BELIEF] = offsetof(posse_belief_ops, reward_kind),
    [POSSE_FAMILY_LEARNER] = offsetof(posse_learner_ops, same_model),
    [POSSE_FAMILY_SELECTOR] = offsetof(posse_selector_ops, learn_by)};
static const size_t sizes[POSSE_FAMILY_COUNT] = {[POSSE_FAMILY_ENVIRONMENT] = sizeof(posse_environment_ops),
                                                 [POSSE_FAMILY_BELIEF] = sizeof(posse_belief_ops),
                                                 [POSSE_FAMILY_LEARNER] = sizeof(posse_learner_ops),
                                                 [POSSE_FAMILY_SELECTOR] = sizeof(posse_selector_ops)};

static size_t registry_table_size(posse_family family, int version) {
    if (version == VERSION_WITHOUT_CONTEXTS) return sizes_without_contexts[family];
    return version == VERSION_WITHOUT_EPISODES ? sizes_without_episodes[family] : sizes[family];
}

static bool version_is_known(int version) {
    return version >= VERSION_WITHOUT_CONTEXTS && version <= POSSE_EXTENSION_VERSION;
}

_Static_assert(offsetof(posse_environment_ops, kind) == 0 && offsetof(posse_belief_ops, kind) == 0 &&
                   offsetof(posse_learner_ops, kind) == 0 && offsetof(posse_selector_ops, kind) == 0,
               "a table begins with its kind");

/* The table that replaces that of a kind if rounds have features, or NULL. */
static const posse_kind *registry_replacement(posse_family family, const posse_kind *kind) {
    const posse_kind *other = registry_kind_in_contexts(family, kind);
    return other != kind ? other : NULL;
}

/* Settings are looked up by index, so the parameters of a replacement are the first ones of its kind. */
static bool are_first(const posse_param *first, const posse_param *all) {
    int count = parameters_count(first);
    bool same = count <= parameters_count(all);
    for (int i = 0; i < count && same; i++)
        same = first[i].type == all[i].type && strcmp(first[i].name, all[i].name) == 0;
    return same;
}

/* A replacement is of a version with contexts, and is not replaced in its turn. */
static bool replacement_is_whole(posse_family family, const posse_kind *kind) {
    const posse_kind *other = registry_replacement(family, kind);
    return other == NULL || (version_is_known(other->version) && other->version != VERSION_WITHOUT_CONTEXTS &&
                             kind_is_whole(family, other) && are_first(other->params, kind->params) &&
                             registry_replacement(family, other) == NULL);
}

posse_error registry_check(posse_family family, const posse_kind *kind) {
    if (!version_is_known(kind->version)) return POSSE_ERROR_VERSION;
    if (!kind_is_whole(family, kind) || !replacement_is_whole(family, kind)) return POSSE_ERROR_ARGUMENT;
    if (!parameters_are_declared(kind->params)) return POSSE_ERROR_ARGUMENT;
    if (!parameters_agree(kind->params, posse_family_params(family))) return POSSE_ERROR_ARGUMENT;
    return options_fit(family, kind) ? POSSE_OK : POSSE_ERROR_OPTION;
}

/*
 * Copies a table of any version into one of the current size, new fields zero. NULL: there is no memory left.
 * `reserved` is for the library's own kinds (abreast_form.h), so that of an extension is ignored.
 */
static posse_kind *registry_copy(posse_family family, const posse_kind *kind) {
    posse_kind *copy = calloc(1, sizes[family]);
    if (copy == NULL) return NULL;
    memcpy(copy, kind, registry_table_size(family, kind->version));
    copy->reserved = NULL;
    return copy;
}

static posse_error registry_append(posse_family family, const posse_kind *kind) {
    if (posse_kind_find(family, kind->name) >= 0) return POSSE_ERROR_NAME;
    int count = atomic_load(&registered_count[family]);
    if (count == REGISTERED_MAX) return POSSE_ERROR_FULL;
    registered[family][count] = kind;
    atomic_store(&registered_count[family], count + 1);
    return POSSE_OK;
}

void registry_remove_last(posse_family family) {
    int last = atomic_load(&registered_count[family]) - 1;
    if (last < 0) return;
    atomic_store(&registered_count[family], last);
    free((void *)(uintptr_t)registered[family][last]);
}

static posse_error append_locked(posse_family family, const posse_kind *kind) {
    while (atomic_flag_test_and_set(&registering)) {
    }
    posse_error error = registry_append(family, kind);
    atomic_flag_clear(&registering);
    return error;
}

/*
 * The version is checked before the table is copied, because it says how long the table is. The copy is checked,
 * because it has all fields. Once it is registered, it is never freed.
 */
static posse_error registry_register_kind(posse_family family, const posse_kind *kind) {
    if (!version_is_known(kind->version)) return POSSE_ERROR_VERSION;
    posse_kind *copy = registry_copy(family, kind);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = registry_check(family, copy);
    if (error == POSSE_OK) error = append_locked(family, copy);
    if (error != POSSE_OK) free(copy);
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

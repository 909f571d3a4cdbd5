/* SPDX-License-Identifier: MIT */
#include "describe/trial.h"
#include "posse_inside.h"

#include <string.h>

/* The numbers of instances, and of rounds on each, in which a part that accepts only rewards of a range is tried. */
enum { TRIAL_RUNS = 4, TRIAL_ROUNDS = 64 };

/* ---------------------------------------------------- places ----------------------------------------------------- */

/* One step down. The options of a component of a mixture are inside its `belief`. */
static const node *step_down(const node *from, const posse_place *step) {
    const node *n = node_find_option(from, step->name);
    if (n == NULL) n = node_find_option(node_find(from, "belief"), step->name);
    return n != NULL && step->index >= 0 ? node_entry(n, (size_t)step->index) : n;
}

/*
 * The innermost node that a place leads to from a node. *left is set to the first step without a node, or to NULL if
 * every step has one.
 */
static const node *trial_follow(const node *from, const posse_place *place, const posse_place **left) {
    *left = NULL;
    if (place == NULL) return from;
    const node *outer = trial_follow(from, place->outer, left);
    if (*left != NULL) return outer;
    const node *n = step_down(outer, place);
    if (n == NULL) *left = place;
    return n != NULL ? n : outer;
}

/* Messages about a part as a whole are placed at its kind, and those about a component at the kind of its belief. */
static const node *trial_representative(const node *n) {
    const node *belief = node_find(n, "belief"), *kind = node_find(n, "kind");
    if (kind == NULL) kind = node_kind(belief);
    return kind != NULL ? kind : n;
}

static const char *place_text(const posse_place *place, pool *memory) {
    size_t length = posse_place_text(place, NULL, 0);
    char *text = length > 0 ? pool_allocate(memory, length + 1) : NULL;
    if (text != NULL) posse_place_text(place, text, length + 1);
    return text;
}

/* The steps from `left` on, which have no nodes, as a name below the last node. */
static const char *name_below(const posse_place *place, const posse_place *left, pool *memory) {
    if (place == left) return place_text(&(posse_place){NULL, place->name, place->index}, memory);
    const char *outer = name_below(place->outer, left, memory);
    return outer != NULL ? pool_format(memory, "%s.%s", outer, place->name) : NULL;
}

location trial_locate(const node *from, const posse_place *place, pool *memory) {
    if (from == NULL) return (location){.below = place_text(place, memory)};
    const posse_place *left;
    const node *n = trial_follow(from, place, &left);
    location where = at_node(left == NULL ? trial_representative(n) : n);
    if (left != NULL) where.below = name_below(place, left, memory);
    where.label = place_text(place, memory);
    return where;
}

#define STEPS_MAX 16

/*
 * The library names a part by a place, learners[0]. Here that is the part on trial, and places begin below it. Returns
 * a copy of the place without its first step, NULL if nothing is left.
 */
static const posse_place *below_part(const posse_place *place, posse_place steps[STEPS_MAX]) {
    int count = 0;
    for (; place != NULL && place->outer != NULL && count < STEPS_MAX; place = place->outer) {
        steps[count] = (posse_place){NULL, place->name, place->index};
        if (count > 0) steps[count - 1].outer = &steps[count];
        count++;
    }
    return count > 0 ? &steps[0] : NULL;
}

location trial_locate_inside(const node *part, const posse_place *place, pool *memory) {
    posse_place steps[STEPS_MAX];
    return trial_locate(part, below_part(place, steps), memory);
}

/* -------------------------------------------- messages of the library ------------------------------------------ */

/*
 * Whether an option is in the file but not in the part. It was left out because it is wrong, which has been reported.
 */
static bool was_left_out(const reading *r, const posse_place *place) {
    return r->listening_part != NULL && place != NULL && place->outer == NULL &&
           node_find_option(r->listening, place->name) != NULL &&
           posse_part_option(r->listening_part, place->name) == NULL;
}

/*
 * Whether the value already has a problem, which is enough: `means` beside both prior.mean and prior.sd would be
 * refused twice.
 */
static bool was_said(const reading *r, const posse_place *place, location where) {
    const posse_place *left;
    const node *n = trial_follow(r->listening, place, &left);
    return left == NULL && n->type != NODE_MAP && problem_known(r->found, where);
}

static void hear_of_options(void *context, const posse_place *place, const char *message) {
    reading *r = context;
    r->heard = true;
    location where = trial_locate(r->listening, place, r->memory);
    if (!was_left_out(r, place) && !was_said(r, place, where)) problem_at(r->found, where, "%s", message);
}

static void trial_hear(void *context, const posse_place *place, const char *message) {
    posse_place steps[STEPS_MAX];
    hear_of_options(context, below_part(place, steps), message);
}

void trial_listen(reading *r) {
    r->host = (posse_host){.allocator = pool_allocator(r->memory), .log = {trial_hear, r}};
}

static void listen_for(reading *r, const node *map, const posse_part *options) {
    r->listening = map;
    r->listening_part = options;
    r->heard = false;
}

/* Reports an error for which the library has logged no message, which is mostly want of memory. */
static void trial_explain(reading *r, const node *map, posse_error error) {
    if (error == POSSE_ERROR_MEMORY) r->out_of_memory = true;
    if (error == POSSE_OK || r->heard) return;
    problem_at(r->found, at_node(trial_representative(map)), "it cannot be made: %s", posse_error_text(error));
}

/* ---------------------------------------------------- trials ----------------------------------------------------- */

bool trial_options(reading *r, const node *map, posse_family family, const posse_part *part) {
    listen_for(r, map, part);
    return posse_part_check(family, part, &(posse_logger){hear_of_options, r}) == POSSE_OK;
}

bool trial_environment(reading *r, const node *map, const posse_part *part, uint64_t seed) {
    listen_for(r, map, NULL);
    posse_error error = posse_environment_create(part, seed, &r->host, &r->environment);
    trial_explain(r, map, error);
    if (error != POSSE_OK) return false;
    r->def = posse_environment_def(r->environment);
    return true;
}

/*
 * Whether a short play meets a reward that cannot be learned from. Only playing shows which rewards an environment
 * pays.
 */
static bool meets_wrong_reward(posse *p, posse_environment *e) {
    posse_trace none = {0};
    posse_logbook log;
    if (posse_environment_logbook(e, &log) == POSSE_OK) return log.least_reward < 0.0 || log.largest_reward > 1.0;
    for (uint32_t run = 0; run < TRIAL_RUNS; run++) {
        posse_environment_begin(e, run);
        if (posse_restart(p, run) == POSSE_OK && posse_play(p, e, TRIAL_ROUNDS, &none) == POSSE_ERROR_REWARD)
            return true;
    }
    return false;
}

static bool try_posse(reading *r, const node *map, const posse_def *def) {
    posse *p;
    listen_for(r, map, NULL);
    posse_error error = posse_create(def, &p);
    trial_explain(r, map, error);
    if (error != POSSE_OK) return false;
    bool picky = posse_reward_range(p).low >= 0.0, wrong = picky && meets_wrong_reward(p, r->environment);
    if (wrong) {
        const node *belief = node_find(map, "belief");
        problem_at(r->found, at_node(belief != NULL ? belief : trial_representative(map)),
                   "%s learns only from rewards %s, and this environment pays others",
                   belief != NULL ? "this belief" : node_kind(map)->text,
                   posse_unit_rewards(p) ? "between 0 and 1" : "of at least 0");
    }
    posse_free(p);
    return !wrong;
}

bool trial_learner(reading *r, const node *map, const posse_part *learner) {
    posse_def def = r->def;
    def.selector = (posse_part){0};
    def.learners = learner;
    def.learner_count = 1;
    return try_posse(r, map, &def);
}

bool trial_selector(reading *r, const node *map, const posse_part *selector, const posse_part *learners, int count) {
    posse_def def = r->def;
    def.selector = *selector;
    def.learners = learners;
    def.learner_count = count;
    return try_posse(r, map, &def);
}

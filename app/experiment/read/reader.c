/* SPDX-License-Identifier: MIT */
/*
 * The experiment as a whole: its simple keys, and the order in which the rest is read. Reading continues after a
 * problem as long as the rest can be checked in spite of it.
 */
#include "experiment/read/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "common/file.h"
#include "describe/convert.h"
#include "describe/document.h"
#include "describe/prior_file.h"
#include "describe/recommend.h"
#include "describe/scalar.h"
#include "describe/sweep.h"
#include "describe/trial.h"
#include "experiment/read/claims.h"
#include "experiment/read/competitors.h"

#define NAME_MAX_BYTES 100

static const char *const keys[] = {"name",        "title",    "rounds",    "runs", "seed",   "tasks",
                                   "environment", "learners", "selectors", "solo", "claims", "rewards"};

/* ------------------------------------------------ simple keys -------------------------------------------------- */

static void reader_check_keys(problems *found, const node *root) {
    for (const node *n = root->first; n != NULL; n = n->next) {
        suggestion near = {.word = n->key};
        bool known = false;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            known = known || strcmp(n->key, keys[i]) == 0;
            suggestion_consider(&near, keys[i]);
        }
        if (!known)
            problem_at(found, at_key(n), "an experiment has no key \"%.80s\"%s", n->key, suggestion_text(&near));
    }
}

/* The node of a key that must be in the file. */
static const node *reader_require(problems *found, const node *root, const char *key, const char *wanted) {
    const node *n = node_find(root, key);
    if (n == NULL) problem_missing(found, root, key, wanted);
    return n;
}

static bool reader_read_whole(problems *found, const node *root, const char *key, uint64_t low, uint64_t high,
                              uint64_t *out) {
    const node *n = reader_require(found, root, key, "a whole number");
    return n != NULL && take_whole(found, n, low, high, out);
}

/* The name is also that of the folder of results, so only some characters are allowed. */
static void reader_read_name(reading *r, const node *root, experiment *e) {
    const char *name;
    const node *n = reader_require(r->found, root, "name", "made of a-z, 0-9 and -");
    if (n == NULL || !take_text(r->found, n, &name)) return;
    if (*name == '\0' || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0')
        problem_at(r->found, at_node(n), "\"%.80s\" cannot be the name: it must be made of a-z, 0-9 and -", name);
    else if (strlen(name) > NAME_MAX_BYTES)
        problem_at(r->found, at_node(n), "the name is too long; at most %d characters", NAME_MAX_BYTES);
    e->name = pool_copy(r->memory, name, strlen(name));
}

static void read_simple_keys(reading *r, const node *root, experiment *e) {
    uint64_t runs = 1, tasks_ = 1;
    const node *title = node_find(root, "title"), *solo = node_find(root, "solo"), *tasks = node_find(root, "tasks");
    reader_read_name(r, root, e);
    e->title = e->name;
    const char *text;
    if (title != NULL && take_text(r->found, title, &text)) e->title = pool_copy(r->memory, text, strlen(text));
    e->rounds = 1;
    r->rounds_wrong = !reader_read_whole(r->found, root, "rounds", 1, EXPERIMENT_ROUNDS_MAX, &e->rounds);
    if (tasks != NULL && !take_whole(r->found, tasks, 1, EXPERIMENT_TASKS_MAX, &tasks_)) r->rounds_wrong = true;
    reader_read_whole(r->found, root, "runs", 1, EXPERIMENT_RUNS_MAX, &runs);
    reader_read_whole(r->found, root, "seed", 0, UINT64_MAX, &e->seed);
    e->runs = (uint32_t)runs;
    e->tasks = (uint32_t)tasks_;
    e->solo = true;
    if (solo != NULL) take_flag(r->found, solo, &e->solo);
}

static void apply_changes(problems *found, const experiment_changes *changes, experiment *e) {
    static const location rounds = {.below = "rounds", .label = "--rounds"},
                          runs = {.below = "runs", .label = "--runs"},
                          scale = {.below = "runs_scale", .label = "--runs-scale"};
    if (changes == NULL) return;
    if (changes->rounds > EXPERIMENT_ROUNDS_MAX) problem_at(found, rounds, "at most %u", EXPERIMENT_ROUNDS_MAX);
    if (changes->runs > EXPERIMENT_RUNS_MAX) problem_at(found, runs, "at most %u", EXPERIMENT_RUNS_MAX);
    if (!(changes->runs_scale >= 0.0) || e->runs * changes->runs_scale > EXPERIMENT_RUNS_MAX)
        problem_at(found, scale, "it must be above 0 and make at most %u runs", EXPERIMENT_RUNS_MAX);
    if (changes->rounds > 0) e->rounds = changes->rounds;
    if (changes->seed_given) e->seed = changes->seed;
    if (changes->runs > 0)
        e->runs = changes->runs;
    else if (changes->runs_scale > 0.0) {
        double count = floor(e->runs * changes->runs_scale + 0.5);
        e->runs = count < 2.0 ? 2 : count > EXPERIMENT_RUNS_MAX ? EXPERIMENT_RUNS_MAX : (uint32_t)count;
    }
}

/* The file has the rounds of a task; from here on they are those of a run. */
static void multiply_rounds(reading *r, const node *root, experiment *e) {
    uint64_t rounds = e->rounds * e->tasks;
    if (rounds > EXPERIMENT_ROUNDS_MAX && e->rounds <= EXPERIMENT_ROUNDS_MAX)
        problem_at(r->found, at_node(node_find(root, "tasks")),
                   "%" PRIu32 " tasks of %" PRIu64 " rounds are more than %u rounds", e->tasks, e->rounds,
                   EXPERIMENT_ROUNDS_MAX);
    else
        e->rounds = rounds;
}

/* -------------------------------------------------- the rest --------------------------------------------------- */

/* A log is a single task, with no more rounds than the log has rows. */
static void check_rows_of_log(reading *r, const node *root, const experiment *e) {
    posse_logbook log;
    const node *rounds = node_find(root, "rounds");
    if (posse_environment_logbook(r->environment, &log) != POSSE_OK) return;
    if (e->tasks > 1) problem_at(r->found, at_node(node_find(root, "tasks")), "a log is a single task");
    if (e->rounds <= log.rows || e->tasks > 1) return;
    problem_at(r->found, rounds != NULL ? at_node(rounds) : (location){0},
               "the log has %" PRIu64 " rows, and so there are at most that many rounds", log.rows);
}

static void read_environment(reading *r, const node *root, experiment *e) {
    const node *map = reader_require(r->found, root, "environment", "an environment");
    if (map == NULL || !convert_part(r, map, POSSE_FAMILY_ENVIRONMENT, &e->environment)) return;
    if (!trial_environment(r, map, &e->environment, e->seed)) return;
    r->def.rounds = experiment_task_rounds(e);
    check_rows_of_log(r, root, e);
    if (convert_check_rows(r, map, POSSE_FAMILY_ENVIRONMENT)) return;
    posse_environment_free(r->environment);
    r->environment = NULL;
}

static void check_something_runs(problems *found, const node *root, const experiment *e) {
    const node *learners = node_find(root, "learners"), *selectors = node_find(root, "selectors");
    if (learners != NULL && learners->type == NODE_LIST && learners->count == 0)
        problem_at(found, at_node(learners), "there must be at least one learner");
    if (selectors == NULL && !e->solo)
        problem_at(found, at_node(node_find(root, "solo")),
                   "without selectors and without learners alone there is nothing to run");
}

/*
 * If there are no problems, the experiment has all selectors of the list, in its order, so that teams and selectors
 * match.
 */
static void take_teams(reading *r, const competitor_drafts *selectors, experiment *e) {
    e->teams = pool_allocate(r->memory, ((size_t)selectors->count + 1) * sizeof *e->teams);
    for (int s = 0; e->teams != NULL && s < selectors->count; s++) e->teams[s] = selectors->list[s].team;
}

static void read_root(reading *r, const node *written, const experiment_changes *changes, experiment *e) {
    if (written->type != NODE_MAP) {
        refuse_node(r->found, written, "an experiment, {name: .., rounds: .., ..},");
        return;
    }
    const node *root = sweep_expand(written, r->memory, r->found);
    if (root == NULL) return;
    e->sweeps = root != written;
    competitor_drafts learners = {0}, selectors = {0};
    reader_check_keys(r->found, root);
    read_simple_keys(r, root, e);
    apply_changes(r->found, changes, e);
    multiply_rounds(r, root, e);
    read_environment(r, root, e);
    posse_reward_kind rewards = posse_reward_kind_of(POSSE_FAMILY_ENVIRONMENT, &e->environment);
    recommend_facts facts = {.arms = &r->def, .rewards = rewards, .failed = r->environment == NULL};
    const node *whole = recommend_expand(root, &facts, r->memory, r->found);
    if (whole == NULL) return;
    e->recommended = whole != root;
    root = whole;
    competitors_read(r, reader_require(r->found, root, "learners", "a list of learners"), POSSE_FAMILY_LEARNER,
                     &learners);
    competitors_read(r, node_find(root, "selectors"), POSSE_FAMILY_SELECTOR, &selectors);
    competitors_check_names(r, &learners, &selectors);
    check_something_runs(r->found, root, e);
    competitors_read_teams(r, &learners, &selectors);
    if (r->environment != NULL) competitors_try(r, &learners, &selectors);
    claims_read(r, node_find(root, "claims"), &learners, &selectors, e);
    e->learners = competitors_parts(r, &learners, &e->learner_count);
    e->selectors = competitors_parts(r, &selectors, &e->selector_count);
    take_teams(r, &selectors, e);
}

/* ---------------------------------------------------- ways in ---------------------------------------------------- */

/* A problem may have been found only because memory was missing, so want of memory is reported first. */
static experiment_status reader_status_of(const reading *r) {
    if (reading_failed(r)) return EXPERIMENT_MEMORY;
    return r->found->count > 0 ? EXPERIMENT_WRONG : EXPERIMENT_FINE;
}

/* Reads a tree. path: that of the file that the tree came from, "" without a file. */
static experiment_status reader_read_tree(const char *path, const node *root, pool *memory,
                                          const experiment_changes *changes, problems *found, experiment **out) {
    reading r = {.memory = memory,
                 .found = found,
                 .priors = prior_file_take,
                 .folder = pool_copy(memory, path, file_folder(path))};
    experiment *e = pool_allocate(memory, sizeof *e);
    *out = NULL;
    if (e != NULL && root != NULL && r.folder != NULL) {
        e->memory = memory;
        e->path = path;
        trial_listen(&r);
        read_root(&r, root, changes, e);
    }
    experiment_status status = reader_status_of(&r);
    if (status == EXPERIMENT_FINE && !experiment_resolve(e, &r.def)) status = EXPERIMENT_MEMORY;
    posse_environment_free(r.environment);
    if (status == EXPERIMENT_FINE)
        *out = e;
    else
        pool_free(memory);
    return status;
}

experiment_status experiment_read_tree(const node *root, pool *memory, const experiment_changes *changes,
                                       problems *found, experiment **out) {
    return reader_read_tree("", root, memory, changes, found, out);
}

experiment_status experiment_read_text(const char *path, const char *text, size_t length,
                                       const experiment_changes *changes, const posse_allocator *allocator,
                                       problems *found, experiment **out) {
    *out = NULL;
    pool *memory = pool_create(allocator);
    if (memory == NULL) return EXPERIMENT_MEMORY;
    const char *own_path = pool_copy(memory, path, strlen(path)), *source = pool_copy(memory, text, length);
    const node *root = document_read(text, length, memory, found);
    experiment_status status = reader_read_tree(own_path != NULL ? own_path : "", root, memory, changes, found, out);
    if (status == EXPERIMENT_FINE) (*out)->source = source;
    return status;
}

experiment_status experiment_read(const char *path, const experiment_changes *changes, problems *found,
                                  experiment **out) {
    size_t length;
    char *text = file_read(path, (size_t)DOCUMENT_BYTES_MAX + 1, &length); /* one byte more, to notice a longer file */
    *out = NULL;
    if (text == NULL && errno == ENOMEM) return EXPERIMENT_MEMORY;
    if (text == NULL) {
        problem_at(found, (location){0}, "cannot be read: %s", strerror(errno));
        return problems_failed(found) ? EXPERIMENT_MEMORY : EXPERIMENT_WRONG;
    }
    experiment_status status = experiment_read_text(path, text, length, changes, NULL, found, out);
    free(text);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "scenes.h"

#include <string.h>

#include "describe/part_copy.h"
#include "experiment/play/runner.h"
#include "menagerie.h"

static posse_part separate_learners[] = {{.kind = "ucb", .name = "timid", .options = {NUMBER("width", 0.1)}},
                                         {.kind = "ucb", .name = "fair, \"square\"", .options = {NUMBER("width", 1)}},
                                         {.kind = "ucb", .name = "bold", .options = {NUMBER("width", 5)}}};
static posse_part unit_learners[] = {{.kind = "thompson", .name = "thompson"},
                                     {.kind = "epsilon-greedy", .name = "greedy"},
                                     {.kind = "fixed", .name = "second", .options = {NUMBER("arm", 1)}}};
static posse_part linear_learners[] = {{.kind = "linear-thompson", .name = "narrow", .options = {NUMBER("width", 0.1)}},
                                       {.kind = "linear-thompson", .name = "wide"},
                                       {.kind = "linear-ucb", .name = "ucb"}};
static posse_part lock_learners[] = {{.kind = "information-lock", .name = "solver"}, {.kind = "ucb", .name = "ucb"}};

static posse_part selectors[] = {
    {.kind = "bms", .name = "B-MS"},
    {.kind = "bms", .name = "B-MS shared", .options = {NUMBER("share", 1)}},
    {.kind = "bms", .name = "B-MS in batches", .options = {NUMBER("batch", 3)}},
};

static const double wide_range[] = {-1.5, 2.5};
static posse_part ranged_selectors[] = {
    {.kind = "corral", .name = "Corral"},
    {.kind = "bms", .name = "B-MS"},
    {.kind = "exp3p", .name = "Exp3.P in batches", .options = {LIST("range", wide_range), NUMBER("batch", 3)}},
};

static posse_part patient_selectors[] = {
    {.kind = "bms", .name = "patience 2", .options = {NUMBER("patience", 2)}},
    {.kind = "bms-plus",
     .name = "in batches",
     .options = {NUMBER("patience", 2), NUMBER("share", 0), NUMBER("batch", 3)}},
    {.kind = "bms", .name = "forgetting", .options = {NUMBER("patience", 2), NUMBER("forgetting", 1)}},
};

/* For a world that drifts, with a belief that drifts: discounts with and without patience, and in batches. */
static posse_part fading_selectors[] = {
    {.kind = "bms", .name = "fades", .options = {NUMBER("discount", 0.9)}},
    {.kind = "bms", .name = "fades, patience 2", .options = {NUMBER("discount", 0.97), NUMBER("patience", 2)}},
    {.kind = "bms", .name = "in batches", .options = {NUMBER("discount", 0.95), NUMBER("batch", 3)}},
};

static const int places[] = {0, 1, 2}, last_and_first[] = {2, 0}, second[] = {1}, turned[] = {1, 2, 0};
static selector_team whole_teams[][3] = {{{places, 1}, {places, 1}, {places, 1}},
                                         {{places, 2}, {places, 2}, {places, 2}},
                                         {{places, 3}, {places, 3}, {places, 3}}};
static selector_team odd_teams[] = {{last_and_first, 2}, {second, 1}, {turned, 3}};

#define NAMED(name_) .name = (name_), .title = (name_), .path = (name_), .source = (name_)
#define LEARNERS(list) .learners = (list), .learner_count = LENGTH(list)
#define SELECTORS(count, team) .selectors = selectors, .selector_count = (count), .teams = (team)

static experiment scenes[] = {
    {NAMED("gaussian"), .rounds = 57, .runs = 141, .seed = 3, .solo = true,
     .environment = {.kind = "gaussian", .options = {NUMBER("arms", 3)}}, LEARNERS(separate_learners),
     SELECTORS(3, whole_teams[2])},
    {NAMED("bernoulli"), .rounds = 5003, .runs = 5, .seed = 0, .solo = true,
     .environment = {.kind = "bernoulli", .options = {NUMBER("arms", 4)}}, LEARNERS(unit_learners),
     SELECTORS(2, whole_teams[2])},
    {NAMED("linear"), .rounds = 30, .runs = 20, .seed = UINT64_MAX, .solo = true,
     .environment = {.kind = "linear",
                     .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), NUMBER("arms.count", 12)}},
     LEARNERS(linear_learners), SELECTORS(1, whole_teams[2])},
    {NAMED("ball"), .rounds = 40, .runs = 12, .seed = 1, .solo = true,
     .environment = {.kind = "linear",
                     .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), WORD("arms.count", "all")}},
     .learners = linear_learners, .learner_count = 2, /* linear-ucb needs separate arms */
     SELECTORS(1, whole_teams[1])},
    {NAMED("lock"), .rounds = 25, .runs = 9, .seed = 1, .solo = true,
     .environment = {.kind = "information-lock", .options = {NUMBER("arms", 4)}}, LEARNERS(lock_learners),
     SELECTORS(2, whole_teams[1])},
    {NAMED("moving"), .rounds = 80, .runs = 30, .seed = 4, .solo = true,
     .environment = {.kind = "drifting-coins", .options = {NUMBER("arms", 3), NUMBER("drift", 0.1)}},
     LEARNERS(unit_learners), SELECTORS(2, whole_teams[2])},
    {NAMED("teams"), .rounds = 61, .runs = 70, .seed = 5, .solo = true,
     .environment = {.kind = "gaussian", .options = {NUMBER("arms", 3)}}, LEARNERS(separate_learners),
     SELECTORS(3, odd_teams)},
    {NAMED("ranges"), .rounds = 64, .runs = 67, .seed = 2, .solo = true,
     .environment = {.kind = "gaussian", .options = {NUMBER("arms", 3)}}, LEARNERS(separate_learners),
     .selectors = ranged_selectors, .selector_count = 3, .teams = odd_teams},
    {NAMED("patience"), .rounds = 300, .runs = 40, .seed = 6, /* forgetting doubles weights in rounds 36 and 144 */
     .environment = {.kind = "gaussian", .options = {NUMBER("arms", 3)}}, LEARNERS(separate_learners),
     .selectors = patient_selectors, .selector_count = 3, .teams = whole_teams[2]},
    {NAMED("fading"), .rounds = 300, .runs = 40, .seed = 7,
     .environment = {.kind = "drifting", .options = {NUMBER("arms", 3), NUMBER("drift", 0.1)}},
     LEARNERS(separate_learners), .selectors = fading_selectors, .selector_count = 3, .teams = whole_teams[2]},
    {NAMED("tasks"), .rounds = 240, .tasks = 4, .runs = 50, .seed = 8, .solo = true,
     .environment = {.kind = "gaussian",
                     .options = {NUMBER("arms", 3), NUMBER("prior.mean-sd", 1.0), NUMBER("prior.sd", 0.3)}},
     LEARNERS(separate_learners), .selectors = patient_selectors, .selector_count = 3, .teams = whole_teams[2]},
    {NAMED("selectors-only"), .rounds = 1, .runs = 3, .seed = 1,
     .environment = {.kind = "gaussian", .options = {NUMBER("arms", 2)}}, LEARNERS(separate_learners),
     SELECTORS(3, whole_teams[2])},
    {NAMED("learners-only"), .rounds = 9, .runs = 1, .seed = 1, .solo = true,
     .environment = {.kind = "gaussian", .options = {NUMBER("arms", 2)}}, LEARNERS(separate_learners)},
};

int scene_count(void) {
    return LENGTH(scenes);
}

static posse_part *copies(pool *memory, const posse_part *parts, int count) {
    posse_part *own = pool_allocate(memory, ((size_t)count + 1) * sizeof *own);
    for (int i = 0; i < count; i++) assert_true(part_copy(memory, &parts[i], &own[i]));
    return own;
}

void scene_settle(experiment *e) {
    static pool *memory;
    if (memory == NULL) memory = pool_create(NULL);
    e->memory = memory;
    e->learners = copies(memory, e->learners, e->learner_count);
    e->selectors = copies(memory, e->selectors, e->selector_count);
    posse_environment *environment = environment_made(&e->environment, e->seed);
    posse_def def = posse_environment_def(environment);
    assert_true(experiment_resolve(e, &def));
    posse_environment_free(environment);
}

const experiment *scene(int index) {
    menagerie_add_examples();
    if (scenes[index].memory == NULL) scene_settle(&scenes[index]);
    return &scenes[index];
}

const experiment *scene_named(const char *name) {
    int i = 0;
    while (strcmp(scenes[i].name, name) != 0) i++;
    return scene(i);
}

selector_team *scene_teams(int learners) {
    return whole_teams[learners - 1];
}

results *scene_run(const experiment *e, int threads, agenda **a) {
    results *r = NULL;
    runner_message why;
    *a = agenda_make(e);
    assert_non_null(*a);
    runner_options how = {.threads = threads};
    runner_status status = experiment_run(*a, &how, &r, &why);
    assert_that(status == RUNNER_DONE, "%s: %s", e->name, why.text);
    return r;
}

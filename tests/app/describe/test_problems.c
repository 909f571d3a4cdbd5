/* SPDX-License-Identifier: MIT */
/*
 * Problems as data: each has its path in the words of the file, its position, and a text without either.
 */
#include "describe/problems.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/read/reader.h"
#include "keeping.h"
#include "law.h"

#define HEAD "name: x\nrounds: 10\nruns: 2\nseed: 1\n"
#define GAUSSIAN "environment: {kind: gaussian, arms: 2}\n"
#define LEARNER "learners: [{name: u, kind: ucb}]\n"

/* A problem, by its place and its text. */
typedef struct told {
    const char *path;
    int line, column;
    const char *label, *text;
} told;

static void assert_told(const problems *found, const told *expected, size_t count) {
    assert_int_equal(found->count, count);
    for (size_t i = 0; i < count; i++) {
        const problem *one = &found->list[i];
        assert_string_equal(one->path, expected[i].path);
        assert_int_equal(one->at.line, expected[i].line);
        assert_int_equal(one->at.column, expected[i].column);
        assert_true((one->label == NULL) == (expected[i].label == NULL));
        if (one->label != NULL) assert_string_equal(one->label, expected[i].label);
        assert_string_equal(one->text, expected[i].text);
    }
}

/* The problems of a text, in their order; to be closed. */
static void read_problems(const char *text, problems *found) {
    experiment *e;
    problems_open(found, NULL);
    assert_int_equal(experiment_read_text("x", text, strlen(text), NULL, NULL, found, &e), EXPERIMENT_WRONG);
    assert_null(e);
    problems_sort(found);
}

LAW(problems_have_paths_in_the_words_of_the_file) {
    problems found;
    read_problems("name: x\nrounds: 10\nruns: 2\n" GAUSSIAN "learners:\n"
                  "- {name: u, kind: ucb, width: -1}\n"
                  "- {kind: thompson, belief: {kind: gaussian, sd: [1, 2, 3]}}\n"
                  "- {name: u, kind: ucb, widht: 1}\n"
                  "selectors:\n"
                  "- name: B\n"
                  "  kind: bms\n"
                  "  belief: {kind: mixture, components: [{weight: 1, belief: {kind: gaussian, sd: -1, sd2: 1}},\n"
                  "    {weight: 2, belief: {kind: linear}}]}\n"
                  "claims: [{says: it, holds: regret(\"B\") < regret(\"C\")}]\n",
                  &found);
    const told expected[] = {
        {"seed", 1, 1, "seed", "is missing; it must be a whole number"},
        {"learners[0].width", 6, 31, "width", "-1 is out of range; it must be at least 0 and at most 1e+50"},
        {"learners[1].name", 7, 3, "name", "is missing; it must be a text"},
        {"learners[1].belief.sd", 7, 49, "belief.sd", "a list of 3 numbers, but there are 2 arms"},
        {"learners[2].name", 8, 10, NULL, "the name \"u\" is taken"},
        {"learners[2].widht", 8, 24, NULL, "learner \"ucb\" has no key \"widht\"; did you mean \"width\"?"},
        {"selectors[0].belief.components[0].belief.sd", 12, 81, "sd",
         "-1 is out of range; it must be at least 1e-50 and at most 1e+50"},
        {"selectors[0].belief.components[0].belief.sd2", 12, 85, NULL,
         "belief \"gaussian\" has no key \"sd2\"; did you mean \"sd\"?"},
        {"claims[0].holds", 14, 42, NULL, "there is no competitor \"C\""},
    };
    assert_told(&found, expected, sizeof expected / sizeof *expected);
    assert_string_equal(found.list[4].other_path, "learners[0].name");
    assert_int_equal(found.list[4].other_line, 6);
    assert_string_equal(found.list[4].rest, "; names must differ");
    problems_close(&found);
}

LAW(what_the_library_says_of_a_component_is_at_its_belief) {
    problems found;
    read_problems(HEAD GAUSSIAN LEARNER "selectors:\n"
                                        "- name: B\n"
                                        "  kind: bms\n"
                                        "  belief: {kind: mixture, components: [{weight: 1, belief: environment},\n"
                                        "    {weight: 2, belief: {kind: linear}}]}\n",
                  &found);
    const told expected[] = {{"selectors[0].belief.components[1].belief.kind", 11, 32, "belief.components[1]",
                              "a linear belief needs arms with coordinates, and these arms are independent"}};
    assert_told(&found, expected, 1);
    problems_close(&found);
}

LAW(problems_of_changes_have_the_name_of_the_key_and_of_the_option) {
    problems found;
    experiment *e;
    experiment_changes changes = {.rounds = 2000000000};
    problems_open(&found, NULL);
    const char *text = HEAD GAUSSIAN LEARNER;
    assert_int_equal(experiment_read_text("x", text, strlen(text), &changes, NULL, &found, &e), EXPERIMENT_WRONG);
    const told expected[] = {{"rounds", 0, 0, "--rounds", "at most 1000000000"}};
    assert_told(&found, expected, 1);
    problems_close(&found);
}

/* A kind with the largest number of options, POSSE_OPTIONS_MAX. */
static posse_error many_prepare(const posse_setup *setup, void **plan) {
    *plan = posse_setup_allocate(setup, 8);
    return *plan != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static size_t many_state_size(const void *plan) {
    (void)plan;
    return 0;
}

static int many_act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)plan, (void)state, (void)draw, (void)point;
    return 0;
}

static void many_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)state, (void)arm, (void)point, (void)reward;
}

LAW(every_one_of_many_options_is_looked_at) {
    static char names[POSSE_OPTIONS_MAX][16];
    static posse_param params[POSSE_OPTIONS_MAX + 1];
    for (int i = 0; i < POSSE_OPTIONS_MAX; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        params[i] = (posse_param){.name = names[i], .type = POSSE_TYPE_REAL, .high = 1.0, .help = "one of many"};
    }
    static const posse_learner_ops many = {.kind = {.version = POSSE_EXTENSION_VERSION,
                                                    .name = "many",
                                                    .help = "many options",
                                                    .params = params,
                                                    .prepare = many_prepare,
                                                    .state_size = many_state_size},
                                           .act = many_act,
                                           .learn = many_learn};
    assert_int_equal(posse_learner_register(&many), POSSE_OK);
    char text[2000] = HEAD GAUSSIAN "learners:\n- name: u\n  kind: many\n";
    for (int i = 0; i < POSSE_OPTIONS_MAX; i++) snprintf(text + strlen(text), 40, "  p%d: %d\n", i, i % 2 == 0 ? 2 : 1);
    problems found;
    read_problems(text, &found);
    assert_int_equal(found.count, POSSE_OPTIONS_MAX / 2);
    for (int i = 0; i < POSSE_OPTIONS_MAX / 2; i++) {
        char path[40];
        snprintf(path, sizeof path, "learners[0].p%d", 2 * i);
        assert_string_equal(found.list[i].path, path);
        assert_int_equal(found.list[i].at.line, 9 + 2 * i);
        assert_string_equal(found.list[i].text, "2 is out of range; it must be at least 0 and at most 1");
    }
    problems_close(&found);
}

/* The problem at the same place may be added again with the same text, with another text, or with none of it kept. */
LAW(problems_that_are_not_kept_take_no_memory) {
    purse own = {0};
    posse_allocator allocator = purse_host(&own).allocator;
    problems found;
    problems_open(&found, &allocator);
    for (int i = 0; i < PROBLEMS_MAX; i++) problem_at(&found, (location){.at = {i + 1, 1}, .label = "x"}, "no %d", i);
    size_t bytes = own.bytes;
    for (int i = 0; i < 1000; i++) {
        problem_at(&found, (location){.at = {i % PROBLEMS_MAX + 1, 1}, .label = "x"}, "no %d", i % PROBLEMS_MAX);
        assert_true(problem_known(&found, (location){.at = {i % PROBLEMS_MAX + 1, 1}}));
    }
    assert_int_equal(found.count, PROBLEMS_MAX);
    for (int i = 0; i < 1000; i++) problem_at(&found, (location){.at = {1, i + 2}, .label = "x"}, "no %d", i);
    assert_int_equal(found.count, PROBLEMS_MAX + 1000);
    assert_int_equal(own.bytes, bytes);
    assert_string_equal(found.list[PROBLEMS_MAX - 1].text, "no 99");
    problems_close(&found);
    assert_int_equal(own.blocks, 0);
}

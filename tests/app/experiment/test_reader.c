/* SPDX-License-Identifier: MIT */
/*
 * Reading experiment files: which texts are accepted with which meaning, and which are refused at which place. (Whole
 * wrong files with all their messages are in tests/wrong.)
 */
#include "experiment/read/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law.h"
#include "posse_kinds.h"

/* The lines that the program would print, to be freed. */
static char *lines_of(problems *found, const char *path) {
    char *said;
    size_t length;
    FILE *out = open_memstream(&said, &length);
    problems_print(found, path, out);
    fclose(out);
    return said;
}

static experiment *read_with(const char *text, const experiment_changes *changes, char **said) {
    problems found;
    experiment *e;
    problems_open(&found, NULL);
    experiment_status status = experiment_read_text("x", text, strlen(text), changes, NULL, &found, &e);
    *said = lines_of(&found, "x");
    assert_true((status == EXPERIMENT_FINE) == (e != NULL) && (status == EXPERIMENT_WRONG) == (found.count > 0));
    problems_close(&found);
    return e;
}

/* Reads an experiment that must be accepted. */
static experiment *fine(const char *text) {
    char *said;
    experiment *e = read_with(text, NULL, &said);
    assert_that(e != NULL, "refused: %s", said);
    free(said);
    return e;
}

/* The file must be refused with exactly these lines. */
static void refused(const char *text, const char *expected) {
    char *said;
    experiment *e = read_with(text, NULL, &said);
    assert_that(e == NULL, "taken, though %s", expected);
    assert_string_equal(said, expected);
    free(said);
}

static const posse_option *option(const posse_part *part, const char *key) {
    const posse_option *o = posse_part_option(part, key);
    assert_that(o != NULL, "%s has no %s", part->kind, key);
    return o;
}

static double number(const posse_part *part, const char *key) {
    const posse_option *o = option(part, key);
    assert_true(o->list == NULL && o->word == NULL && o->part == NULL);
    return o->number;
}

static int option_count(const posse_part *part) {
    int count = 0;
    while (count < POSSE_OPTIONS_MAX && part->options[count].key != NULL) count++;
    return count;
}

#define HEAD "name: x\nrounds: 10\nruns: 2\nseed: 1\n"
#define GAUSSIAN "environment: {kind: gaussian, arms: 2}\n"
#define LEARNER "learners: [{name: u, kind: ucb}]\n"

/* ------------------------------------------------ understanding ------------------------------------------------ */

LAW(the_file_of_the_specification_reads_as_it_says) {
    experiment *e = fine("name: ucb                       # [a-z0-9-]+, the result folder's name\n"
                         "title: B-MS over UCB learners   # optional, for plots and pages\n"
                         "rounds: 1000                    # T\n"
                         "runs: 100                       # R\n"
                         "seed: 1                         # 0 .. 2^64-1\n"
                         "environment: {kind: gaussian, arms: 5, prior: {mean: 0, sd: 1}, noise: 1}\n"
                         "learners:\n"
                         "  - {name: \"c=0.01\", kind: ucb, width: 0.01, delta: 0.05}\n"
                         "  - {name: \"c=10\",   kind: ucb, width: 10,   delta: 0.05}\n"
                         "selectors:\n"
                         "  - {name: B-MS, kind: bms}\n"
                         "  - {name: B-MS shared, kind: bms, share: true}\n"
                         "solo: true\n"
                         "claims:\n"
                         "  - says: B-MS keeps substantially lower regret than the over-exploring settings\n"
                         "    holds: regret(\"B-MS\") < regret(\"c=10\")\n");
    assert_string_equal(e->path, "x");
    assert_int_equal(strncmp(e->source, "name: ucb  ", 11), 0);
    assert_string_equal(e->name, "ucb");
    assert_string_equal(e->title, "B-MS over UCB learners");
    assert_int_equal(e->rounds, 1000);
    assert_int_equal(e->runs, 100);
    assert_int_equal(e->seed, 1);
    assert_true(e->solo);
    assert_string_equal(e->environment.kind, "gaussian");
    assert_close(number(&e->environment, "arms"), 5.0, 0.0);
    assert_close(number(&e->environment, "prior.sd"), 1.0, 0.0);
    assert_int_equal(e->learner_count, 2);
    assert_string_equal(e->learners[1].name, "c=10");
    assert_close(number(&e->learners[0], "width"), 0.01, 0.0);
    assert_int_equal(e->selector_count, 2);
    assert_string_equal(e->selectors[1].name, "B-MS shared");
    assert_close(number(&e->selectors[1], "share"), 1.0, 0.0);
    assert_int_equal(e->claim_count, 1);
    assert_int_equal(e->claims[0].term_count, 2);
    assert_string_equal(e->claims[0].terms[1].name, "c=10");
    experiment_free(e);
}

LAW(every_default_is_filled_in) {
    experiment *e = fine(HEAD GAUSSIAN LEARNER "selectors: [{name: B, kind: bms}]\n");
    assert_string_equal(e->title, "x");
    assert_true(e->solo);
    assert_int_equal(e->claim_count, 0);
    assert_int_equal(e->tasks, 1);
    assert_int_equal(option_count(&e->environment), 5); /* `means` has no default */
    assert_close(number(&e->environment, "prior.mean"), 0.0, 0.0);
    assert_close(number(&e->environment, "prior.sd"), 1.0, 0.0);
    assert_close(number(&e->environment, "prior.mean-sd"), 0.0, 0.0);
    assert_close(number(&e->environment, "noise"), 1.0, 0.0);
    assert_close(number(&e->learners[0], "width"), 1.0, 0.0);
    assert_close(number(&e->learners[0], "delta"), 0.05, 0.0);
    assert_string_equal(option(&e->selectors[0], "belief")->word, "environment");
    assert_close(number(&e->selectors[0], "share"), 0.0, 0.0);
    assert_close(number(&e->selectors[0], "batch"), 1.0, 0.0);
    experiment_free(e);
}

LAW(a_default_gives_way_to_what_excludes_it) {
    experiment *e = fine(HEAD "environment: {kind: gaussian, arms: 2, means: [0, 1]}\n" LEARNER);
    assert_int_equal(option_count(&e->environment), 3); /* arms, means, noise */
    assert_int_equal(option(&e->environment, "means")->count, 2);
    experiment_free(e);
}

LAW(an_inherited_default_is_the_environments) {
    experiment *e =
        fine(HEAD "environment: {kind: linear, dim: 2, arms: {set: ball, count: 9},\n"
                  "              prior: {precision: 3}, noise: 0.5}\n"
                  "learners: [{name: a, kind: linear-thompson}, {name: b, kind: linear-ucb, precision: 7}]\n");
    assert_string_equal(option(&e->environment, "arms.set")->word, "ball");
    assert_close(number(&e->learners[0], "precision"), 3.0, 0.0);
    assert_close(number(&e->learners[1], "precision"), 7.0, 0.0);
    experiment_free(e);
}

LAW(tables_are_flattened_row_by_row) {
    experiment *e =
        fine(HEAD "environment: {kind: linear, dim: 2, theta: [1, -1], arms: {points: [[1, 2], [3, 4], [5, 6]]}}\n"
                  "learners: [{name: a, kind: linear-ucb}]\n");
    const posse_option *points = option(&e->environment, "arms.points");
    assert_int_equal(points->count, 6);
    for (int i = 0; i < 6; i++) assert_close(points->list[i], i + 1.0, 0.0);
    assert_close(option(&e->environment, "theta")->list[1], -1.0, 0.0);
    experiment_free(e);
}

LAW(a_mixture_has_beliefs_with_weights) {
    experiment *e =
        fine(HEAD "environment: {kind: gaussian, arms: 2, prior: {mean: [0.5, 0], sd: 2}}\n" LEARNER "selectors:\n"
                  "- name: B\n"
                  "  kind: bms\n"
                  "  belief:\n"
                  "    kind: mixture\n"
                  "    components:\n"
                  "    - {weight: 2, belief: environment}\n"
                  "    - {weight: 1, belief: {kind: gaussian, mean: 3}}\n");
    const posse_part *mixture = option(&e->selectors[0], "belief")->part;
    assert_string_equal(mixture->kind, "mixture");
    const posse_option *components = option(mixture, "components");
    assert_int_equal(components->count, 2);
    assert_close(components->list[0], 2.0, 0.0);
    assert_string_equal(components->part[0].kind, "gaussian");
    assert_close(option(&components->part[0], "mean")->list[0], 0.5, 0.0);
    assert_close(number(&components->part[1], "mean"), 3.0, 0.0);
    assert_close(number(&components->part[1], "sd"), 1.0, 0.0);
    experiment_free(e);
}

static const char three[] = HEAD GAUSSIAN "learners:\n"
                                          "- {name: a, kind: ucb}\n"
                                          "- {name: bold, kind: thompson}\n"
                                          "- {name: \"c, d\", kind: fixed, arm: 1}\n"
                                          "selectors:\n";

static void assert_team(const selector_team *team, int count, const int *learners) {
    assert_int_equal(team->count, count);
    for (int k = 0; k < count; k++) assert_int_equal(team->learners[k], learners[k]);
}

/* The word of a kind stands for a part without options. For a learner or selector, the word is also its name. */
LAW(a_kind_alone_is_a_part) {
    experiment *e = fine(HEAD "environment: {kind: bernoulli, arms: 3}\n"
                              "learners: [ucb, {name: t, kind: thompson, belief: beta}, \"epsilon-greedy\"]\n"
                              "selectors: [bms, {name: m, kind: bms, belief: {kind: mixture, components: "
                              "[{weight: 1, belief: beta}, {weight: 2, belief: {kind: beta, alpha: 3}}]}}]\n");
    assert_string_equal(e->learners[0].kind, "ucb");
    assert_string_equal(e->learners[0].name, "ucb");
    assert_close(number(&e->learners[0], "width"), 1.0, 0.0);
    assert_string_equal(e->learners[2].name, "epsilon-greedy");
    assert_string_equal(posse_part_option(&e->learners[1], "belief")->part->kind, "beta");
    assert_string_equal(e->selectors[0].name, "bms");
    assert_int_equal(e->teams[0].count, 3);
    const posse_part *mixture = posse_part_option(&e->selectors[1], "belief")->part;
    assert_string_equal(posse_part_option(mixture, "components")->part[0].kind, "beta");
    experiment_free(e);
    refused(HEAD "environment: bernoulli\n" LEARNER, "x:5:14: arms: is missing; it must be a whole number\n");
}

LAW(a_selector_plays_the_learners_it_names) {
    char text[1000];
    snprintf(text, sizeof text,
             "%s- {name: all, kind: bms}\n"
             "- {name: two, kind: bms, learners: [\"c, d\", a]}\n"
             "- {learners: [bold], name: one, kind: bms, share: true}\n"
             "- name: turned\n"
             "  kind: bms\n"
             "  learners:\n"
             "  - bold\n"
             "  - 'c, d'\n"
             "  - a\n",
             three);
    experiment *e = fine(text);
    assert_int_equal(e->selector_count, 4);
    assert_team(&e->teams[0], 3, (int[]){0, 1, 2});
    assert_team(&e->teams[1], 2, (int[]){2, 0});
    assert_team(&e->teams[2], 1, (int[]){1});
    assert_team(&e->teams[3], 3, (int[]){1, 2, 0});
    /* `learners` is a key of the file and not an option of the selector. */
    assert_int_equal(option_count(&e->selectors[2]), option_count(&e->selectors[0]));
    experiment_free(e);
}

LAW(a_team_is_made_of_learners_of_the_file) {
    static const char *const cases[][2] = {
        {"blod", "there is no learner \"blod\"; did you mean \"bold\"?"},
        {"nobody at all", "there is no learner \"nobody at all\""},
        {"S", "there is no learner \"S\""},
        {"a, bold, a", "the learner \"a\" is named already; once is enough"},
        {"1", "a text is needed here; to make 1 one, put it in quotes: \"1\""},
        {"[a]", "a text is needed here, not a list"},
        {"", "a list without learners; a selector that plays all of them has no such key"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000], expected[200];
        snprintf(text, sizeof text, "%s- {name: S, kind: bms, learners: [%s]}\n", three, cases[i][0]);
        snprintf(expected, sizeof expected, "x:11:%d: %s\n", i == 3 ? 44 : *cases[i][0] != '\0' ? 35 : 34, cases[i][1]);
        refused(text, expected);
    }
    char text[1000];
    snprintf(text, sizeof text, "%s- {name: S, kind: bms, learners: a}\n- {name: T, kind: bms, learner: [a]}\n", three);
    refused(text, "x:11:34: a list of names of learners is needed here, not the word \"a\"\n"
                  "x:12:24: selector \"bms\" has no key \"learner\"; did you mean \"learners\"?\n");
    refused(HEAD GAUSSIAN "learners: [{name: a, kind: ucb, learners: [a]}]\n",
            "x:6:33: learner \"ucb\" has no key \"learners\"\n");
}

/* A posse has at most 4096 learners. A file may have more if each selector plays at most 4096 of them. */
LAW(a_selector_is_tried_with_its_own_team) {
    char *text = calloc(1, 300000), *end = text, *said;
    end = stpcpy(end, HEAD GAUSSIAN "learners:\n");
    for (int i = 0; i < 4097; i++) end += sprintf(end, "- {name: l%d, kind: fixed, arm: 0}\n", i);
    char *selectors = stpcpy(end, "selectors:\n");
    strcpy(selectors, "- {name: S, kind: bms, learners: [l4096, l0]}\n");
    experiment *e = fine(text);
    assert_team(&e->teams[0], 2, (int[]){4096, 0});
    experiment_free(e);
    strcpy(selectors, "- {name: S, kind: bms}\n");
    assert_null(read_with(text, NULL, &said));
    assert_non_null(strstr(said, "4097 are too many; at most 4096"));
    free(said);
    free(text);
}

LAW(there_are_not_too_many_learners) {
    char *text = calloc(1, 300000), *end = text, *said;
    end = stpcpy(end, HEAD GAUSSIAN "learners:\n");
    for (int i = 0; i <= 10000; i++) end = stpcpy(end, "- {}\n");
    assert_null(read_with(text, NULL, &said));
    assert_string_equal(said, "x:7:1: 10001 are too many; at most 10000\n");
    free(said);
    free(text);
}

/* The library accepts the parts that the reader returns as they are, with all defaults filled in. */
LAW(what_is_read_can_be_made) {
    static const char *const texts[] = {
        HEAD GAUSSIAN LEARNER "selectors: [{name: B, kind: bms, belief: {kind: gaussian, sd: [1, 2]}}]\n",
        HEAD "environment: {kind: bernoulli, arms: 3}\n"
             "learners: [{name: t, kind: thompson}, {name: f, kind: fixed, arm: 2}]\n"
             "selectors: [{name: B, kind: bms, batch: 3}]\n",
        HEAD "environment: {kind: information-lock, arms: 4}\nlearners: [{name: i, kind: information-lock}]\n"
             "selectors: [{name: B, kind: bms}]\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        experiment *e = fine(texts[i]);
        posse_environment *environment;
        assert_int_equal(posse_environment_create(&e->environment, e->seed, NULL, &environment), POSSE_OK);
        posse_def def = posse_environment_def(environment);
        def.selector = e->selectors[0];
        def.learners = e->learners;
        def.learner_count = e->learner_count;
        posse *p;
        assert_int_equal(posse_create(&def, &p), POSSE_OK);
        assert_int_equal(posse_play(p, environment, 20, &(posse_trace){0}), POSSE_OK);
        posse_free(p);
        posse_environment_free(environment);
        experiment_free(e);
    }
}

LAW(the_command_line_overrides_the_file) {
    char *said;
    experiment_changes changes = {.rounds = 7, .runs = 5, .seed_given = true};
    experiment *e = read_with(HEAD GAUSSIAN LEARNER, &changes, &said);
    assert_int_equal(e->rounds, 7);
    assert_int_equal(e->runs, 5);
    assert_int_equal(e->seed, 0);
    experiment_free(e);
    free(said);
    static const struct {
        double scale;
        uint32_t runs;
    } cases[] = {{0.0, 100}, {0.5, 50}, {1.234, 123}, {0.001, 2}, {3.0, 300}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        changes = (experiment_changes){.runs_scale = cases[i].scale};
        e = read_with("name: x\nrounds: 10\nruns: 100\nseed: 1\n" GAUSSIAN LEARNER, &changes, &said);
        assert_int_equal(e->runs, cases[i].runs);
        experiment_free(e);
        free(said);
    }
    changes = (experiment_changes){.rounds = 2000000000, .runs_scale = -1.0};
    assert_null(read_with(HEAD GAUSSIAN LEARNER, &changes, &said));
    assert_string_equal(
        said, "x: --rounds: at most 1000000000\nx: --runs-scale: it must be above 0 and make at most 100000000 runs\n");
    free(said);
}

/* -------------------------------------------------- scalars ---------------------------------------------------- */

LAW(seeds_are_exact_to_64_bits) {
    static const struct {
        const char *text;
        uint64_t seed;
    } cases[] = {{"0", 0},
                 {"9007199254740993", 9007199254740993u}, /* 2^53 + 1 is no double */
                 {"18446744073709551615", UINT64_MAX},
                 {"+5", 5},
                 {"1e4", 10000},
                 {"2.5e1", 25},
                 {"7.", 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "name: x\nrounds: 1\nruns: 1\nseed: %s\n" GAUSSIAN LEARNER, cases[i].text);
        experiment *e = fine(text);
        assert_true(e->seed == cases[i].seed);
        experiment_free(e);
    }
    static const char *const wrong[] = {
        "18446744073709551616", "-1", "1e20", "0.5", "\"1\"", "010", "0x1", "one", "", "[1]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200], *said;
        snprintf(text, sizeof text, "name: x\nrounds: 1\nruns: 1\nseed: %s\n" GAUSSIAN LEARNER, wrong[i]);
        assert_null(read_with(text, NULL, &said));
        assert_int_equal(strncmp(said, *wrong[i] != '\0' ? "x:4:7: " : "x:4:1: ", 7), 0);
        free(said);
    }
}

LAW(numbers_are_decimal_and_finite) {
    static const struct {
        const char *text;
        double value;
    } fine_ones[] = {{"1e1", 10},         {".5", 0.5},  {"+2", 2}, {"5.", 5},
                     {"1.25E-2", 0.0125}, {"0.1", 0.1}, {"0", 0},  {"0e9", 0}};
    for (size_t i = 0; i < sizeof fine_ones / sizeof *fine_ones; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD GAUSSIAN "learners: [{name: u, kind: ucb, width: %s}]\n", fine_ones[i].text);
        experiment *e = fine(text);
        assert_close(number(&e->learners[0], "width"), fine_ones[i].value, 0.0);
        experiment_free(e);
    }
    static const char *const wrong[] = {"1e400", "1e-400", ".nan", "-.inf",  ".INF", "0x1p3", "0o17",  "012", "-00.5",
                                        "1_0",   "\"1\"",  "'1'",  "1,5",    "1 2",  "e5",    ".",     "-",   "1e",
                                        "~",     "true",   "[]",   "{a: 1}", "nan",  "inf",   "1e5e5", "--1", "1.2.3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200], *said;
        snprintf(text, sizeof text, HEAD GAUSSIAN "learners:\n- name: u\n  kind: ucb\n  width: %s\n", wrong[i]);
        experiment *e = read_with(text, NULL, &said);
        assert_that(e == NULL, "%s is taken for a number", wrong[i]);
        assert_that(strncmp(said, "x:9:10: ", 8) == 0 && strchr(said, '\n') == strrchr(said, '\n'), "%s: %s", wrong[i],
                    said);
        free(said);
    }
}

LAW(yes_and_no_are_not_true_and_false) {
    refused(HEAD GAUSSIAN LEARNER "solo: yes\n", "x:7:7: true or false is needed here, not yes; write true\n");
}

LAW(quoting_makes_text) {
    experiment *e = fine("name: \"2024\"\ntitle: 'true'\nrounds: 1\nruns: 1\nseed: 1\n" GAUSSIAN
                         "learners: [{name: \"1e3\", \"kind\": 'ucb'}]\n");
    assert_string_equal(e->name, "2024");
    assert_string_equal(e->title, "true");
    assert_string_equal(e->learners[0].name, "1e3");
    experiment_free(e);
}

/* ------------------------------------------------ odd documents ------------------------------------------------ */

LAW(columns_count_characters) {
    refused(HEAD GAUSSIAN LEARNER
            "claims: [{says: \xc3\xa9\xc3\xa9, holds: 'regret(\"\xc3\xa9\") < optimal(\"z\")'}]\n",
            "x:7:29: there is no competitor \"\xc3\xa9\"\nx:7:43: there is no competitor \"z\"\n");
}

LAW(block_style_and_flow_style_are_one) {
    experiment *flow = fine(HEAD GAUSSIAN LEARNER);
    experiment *block = fine("\xef\xbb\xbf%YAML 1.2\n---\nname: x\r\nrounds: 10\r\nruns: 2\r\nseed: 1\r\n"
                             "environment:\n  arms: 2\n  kind: gaussian\nlearners:\n- kind: ucb\n  name: u\n...\n");
    assert_close(number(&block->environment, "arms"), number(&flow->environment, "arms"), 0.0);
    assert_string_equal(block->learners[0].name, flow->learners[0].name);
    experiment_free(flow);
    experiment_free(block);
}

LAW(what_yaml_offers_beyond_data_is_refused) {
    refused("a: &x 1\nb: *x\n? [c]\n: d\n", "x:1:5: anchors are not supported; write the value out\n"
                                            "x:2:5: aliases are not supported; write the value out\n"
                                            "x:3:3: a key must be a word\n");
    refused("name: \"a\\0b\"\n--- 2\n", "x:1:7: a text cannot hold the character \\0\n"
                                        "x:2:1: a second document begins here; an experiment is one\n");
    refused("", "x:1:1: the file is empty\n");
    refused("just words\n",
            "x:1:1: an experiment, {name: .., rounds: .., ..}, is needed here, not the word \"just words\"\n");
    refused("a: [1, 2\n", "x:2:1: not YAML: the \"[\" of line 1 is not closed, or a comma is missing\n");
}

/* Wherever the parser notices it: at the tab, behind it, or in the text before it. Comments and empty lines may have
 * tabs. */
LAW(a_tab_that_indents_is_the_mistake) {
    refused("name: x\n\trounds: 3\n", "x:2:1: not YAML: a tab indents nothing; use spaces\n");
    refused("name: x\n\t\n  \trounds: 3\n", "x:3:3: not YAML: a tab indents nothing; use spaces\n");
    refused("learners:\n  - kind: ucb\n\twidth: 3\n", "x:3:1: not YAML: a tab indents nothing; use spaces\n");
    refused("name: x y: z\n\t# a comment\nruns: 3\n",
            "x:1:10: not YAML: there is a second \": \" in the line; put the text into quotes\n");
}

/* The rows of a table are checked for equal length before memory is allocated for the table. */
LAW(a_hostile_table_is_refused) {
    size_t rows = 200000;
    char *text = calloc(1, 8 * rows + 300), *end = text, *said;
    end = stpcpy(end, HEAD LEARNER "environment: {kind: linear, dim: 2, arms: {points: [[0");
    for (size_t i = 0; i < rows; i++) end = stpcpy(end, ",0");
    end = stpcpy(end, "]");
    for (size_t i = 0; i < rows; i++) end = stpcpy(end, ",[]");
    strcpy(end, "]}}\n");
    assert_null(read_with(text, NULL, &said));
    assert_non_null(strstr(said, ": a row of 0 numbers, but the first has 200001\n"));
    free(said);
    free(text);
}

/* A problem stays on one line, whatever characters the file has. */
LAW(messages_show_no_control_characters) {
    refused(HEAD GAUSSIAN "learners: [{name: u, kind: \"u\\ncb\\e[31m\"}]\n",
            "x:6:28: there is no learner of kind \"u\\x0acb\\x1b[31m\"\n");
}

LAW(many_problems_are_counted) {
    char text[20000] = HEAD GAUSSIAN LEARNER, *said;
    for (int i = 0; i < 150; i++) snprintf(text + strlen(text), 40, "unknown-key-%d: 1\n", i);
    assert_null(read_with(text, NULL, &said));
    assert_non_null(strstr(said, "x:106:1: an experiment has no key \"unknown-key-99\"\nx: and 50 more problems\n"));
    free(said);
}

LAW(a_map_with_too_many_keys_is_refused) {
    char text[20000] = "", *said;
    for (int i = 0; i < 300; i++) snprintf(text + strlen(text), 40, "k%d: 1\n", i);
    assert_null(read_with(text, NULL, &said));
    assert_string_equal(said, "x:257:1: too many keys in one map\n");
    free(said);
}

/* -------------------------------------------- declarations and places ------------------------------------------- */

/* For every learner: a misspelt key is refused, and the message suggests the right one. */
LAW(every_kind_knows_its_keys) {
    for (int i = 0; i < posse_kind_count(POSSE_FAMILY_LEARNER); i++) {
        for (const posse_param *p = posse_kind_params(POSSE_FAMILY_LEARNER, i); p != NULL && p->name != NULL; p++) {
            char text[300], expected[120], *said;
            snprintf(text, sizeof text, HEAD GAUSSIAN "learners: [{name: u, kind: %s, %sx: 1}]\n",
                     posse_kind_name(POSSE_FAMILY_LEARNER, i), p->name);
            snprintf(expected, sizeof expected, "has no key \"%sx\"; did you mean \"%s\"?", p->name, p->name);
            assert_null(read_with(text, NULL, &said));
            assert_that(strstr(said, expected) != NULL, "%s: %s", expected, said);
            free(said);
        }
    }
}

/* The range that a kind declares for an option is the range that the reader enforces. */
LAW(every_range_is_the_declared_one) {
    for (int i = 0; i < posse_kind_count(POSSE_FAMILY_LEARNER); i++) {
        for (const posse_param *p = posse_kind_params(POSSE_FAMILY_LEARNER, i); p != NULL && p->name != NULL; p++) {
            if (p->type != POSSE_TYPE_REAL && p->type != POSSE_TYPE_COUNT) continue;
            char text[300], expected[80], *said;
            snprintf(text, sizeof text, HEAD GAUSSIAN "learners:\n- name: u\n  kind: %s\n  %s: %.17g\n",
                     posse_kind_name(POSSE_FAMILY_LEARNER, i), p->name, floor(p->low) - 1.0);
            snprintf(expected, sizeof expected, "x:9:%zu: %s: %.12g is out of range", 5 + strlen(p->name), p->name,
                     floor(p->low) - 1.0);
            assert_null(read_with(text, NULL, &said));
            assert_that(strstr(said, expected) != NULL, "%s: %s", expected, said);
            free(said);
        }
    }
}

/* A path is relative to the folder of the file, wherever the program was started. Names are a list or a single name. */
LAW(paths_begin_in_the_folder_of_the_file) {
    static const char text[] = HEAD "environment: {kind: table, file: %s, label: kind, features: %s}\n" LEARNER;
    static const struct {
        const char *path, *file, *features, *understood, *names;
    } files[] = {
        {TABLES_FOLDER "/x.yaml", "fruit.csv", "[weight, length]", TABLES_FOLDER "/fruit.csv", "weight,length"},
        {TABLES_FOLDER "/x.yaml", "../tables/fruit.csv", "length", TABLES_FOLDER "/../tables/fruit.csv", "length"},
        {"nowhere/x.yaml", TABLES_FOLDER "/fruit.csv", "\"*\"", TABLES_FOLDER "/fruit.csv", "*"},
        {"x.yaml", TABLES_FOLDER "/fruit.csv", "\"*\"", TABLES_FOLDER "/fruit.csv", "*"}};
    for (int i = 0; i < (int)(sizeof files / sizeof *files); i++) {
        char whole[1000];
        problems found;
        experiment *e;
        snprintf(whole, sizeof whole, text, files[i].file, files[i].features);
        problems_open(&found, NULL);
        assert_int_equal(experiment_read_text(files[i].path, whole, strlen(whole), NULL, NULL, &found, &e),
                         EXPERIMENT_FINE);
        assert_string_equal(posse_part_option(&e->environment, "file")->word, files[i].understood);
        assert_string_equal(posse_part_option(&e->environment, "features")->word, files[i].names);
        experiment_free(e);
        problems_close(&found);
    }
}

LAW(learners_are_checked_even_where_the_environment_is_wrong) {
    refused(HEAD "environment: {kind: gaussian, arms: 0}\nlearners: [{name: u, kind: ucb, width: -1}]\n",
            "x:5:37: arms: 0 is out of range; it must be at least 1 and at most 1000000\n"
            "x:6:40: width: -1 is out of range; it must be at least 0 and at most 1e+50\n");
}

/* ---------------------------------------------------- sweeps ----------------------------------------------------- */

#define COINS HEAD "environment: {kind: gaussian, arms: 3}\n"

/* Both texts must mean the same learners. */
static void reads_as(const char *swept, const char *written_out) {
    experiment *a = fine(swept), *b = fine(written_out);
    assert_true(a->sweeps && !b->sweeps);
    assert_int_equal(a->learner_count, b->learner_count);
    for (int i = 0; i < b->learner_count; i++) {
        assert_string_equal(a->learners[i].name, b->learners[i].name);
        assert_string_equal(a->learners[i].kind, b->learners[i].kind);
        for (int k = 0; k < POSSE_OPTIONS_MAX && b->learners[i].options[k].key != NULL; k++) {
            const posse_option *x = &a->learners[i].options[k], *y = &b->learners[i].options[k];
            assert_string_equal(x->key, y->key);
            assert_true(x->number == y->number && (x->word == NULL) == (y->word == NULL));
            if (y->word != NULL) assert_string_equal(x->word, y->word);
        }
    }
    experiment_free(a);
    experiment_free(b);
}

LAW(a_sweep_reads_as_its_learners_written_out) {
    reads_as(COINS "learners: [{name: c, kind: ucb, width: [0.1, 1.0, 1e1]}, thompson]\n",
             COINS "learners: [{name: c=0.1, kind: ucb, width: 0.1}, {name: c=1, kind: ucb, width: 1},\n"
                   "  {name: c=10, kind: ucb, width: 10}, thompson]\n");
    reads_as(COINS "learners: [{kind: epsilon-greedy, epsilon: [0.1]}]\n",
             COINS "learners: [{name: epsilon-greedy epsilon=0.1, kind: epsilon-greedy, epsilon: 0.1}]\n");
    reads_as(COINS "learners: [{name: u, width: [1, 2], kind: ucb, delta: [0.1, 0.2]}]\n",
             COINS "learners: [{name: u width=1 delta=0.1, kind: ucb, width: 1, delta: 0.1},\n"
                   "  {name: u width=1 delta=0.2, kind: ucb, width: 1, delta: 0.2},\n"
                   "  {name: u width=2 delta=0.1, kind: ucb, width: 2, delta: 0.1},\n"
                   "  {name: u width=2 delta=0.2, kind: ucb, width: 2, delta: 0.2}]\n");
}

/* An option that is a list by itself is no sweep. */
LAW(lists_of_features_are_no_sweep) {
    experiment *e = fine(HEAD "environment: {kind: contextual, model: disjoint, context: 3, arms: 2}\n"
                              "learners: [{name: u, kind: linear-ucb, features: [0, 2]}]\n");
    assert_true(e->learner_count == 1 && !e->sweeps);
    assert_int_equal(option(&e->learners[0], "features")->count, 2);
    experiment_free(e);
}

LAW(wrong_sweeps_are_refused_at_the_value) {
    refused(COINS "learners: [{name: u, kind: ucb, width: []}]\n",
            "x:6:40: a list without values; each value makes a learner\n");
    refused(COINS "learners: [{name: u, kind: ucb, width: [1, -2, [3], {a: 4}, x]}]\n",
            "x:6:44: width: -2 is out of range; it must be at least 0 and at most 1e+50\n"
            "x:6:48: a number or a word, which makes a learner, is needed here, not a list\n"
            "x:6:53: a number or a word, which makes a learner, is needed here, not a map\n"
            "x:6:61: a number is needed here, not the word \"x\"\n");
    refused(COINS "learners: [{name: u, kind: ucb, width: [1, 1.0]}]\n",
            "x:6:19: the name \"u=1\" is taken in line 6; names must differ\n");
    refused(COINS "learners: [{name: u, kind: ucb}]\nselectors: [{name: b, kind: bms, batch: [1, 2]}]\n",
            "x:7:41: a number is needed here, not a list\n");
}

/* A short text must not make a grid that fills the memory. */
LAW(a_grid_of_too_many_learners_is_refused) {
    char text[4000] = COINS "learners: [{name: u, kind: ucb, width: [";
    for (int i = 0; i < 65; i++) snprintf(text + strlen(text), 16, "%d, ", i + 1);
    strcat(text, "100], delta: [");
    for (int i = 0; i < 64; i++) snprintf(text + strlen(text), 16, "0.%d, ", i + 11);
    strcat(text, "0.9]}]\n");
    refused(text, "x:6:40: these lists make too many learners; at most 4096 with all others\n");
}

typedef struct miser {
    size_t largest;
} miser;

static void *miserly(void *context, void *block, size_t size) {
    if (size == 0) {
        free(block);
        return NULL;
    }
    return size <= ((miser *)context)->largest ? realloc(block, size) : NULL;
}

/* The message names the part that did not fit into memory, although the file may be right. */
LAW(parts_too_large_for_memory_are_told_apart_from_wrong_ones) {
    const char *text = HEAD "environment: {kind: gaussian, arms: 100000}\nlearners: [{name: u, kind: ucb}]\n";
    miser m = {1 << 16};
    problems found;
    experiment *e;
    problems_open(&found, NULL);
    assert_int_equal(experiment_read_text("x", text, strlen(text), NULL, &(posse_allocator){miserly, &m}, &found, &e),
                     EXPERIMENT_MEMORY);
    assert_null(e);
    char *said = lines_of(&found, "x");
    assert_int_equal(strncmp(said, "x:5:21: it cannot be made: ", 27), 0);
    free(said);
    problems_close(&found);
}

LAW(a_file_that_is_not_there_is_said_so) {
    static const char *const paths[][2] = {{"/nonexistent/x.yaml", "No such file or directory"},
                                           {"/", "Is a directory"}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char expected[100];
        problems found;
        experiment *e;
        problems_open(&found, NULL);
        assert_int_equal(experiment_read(paths[i][0], NULL, &found, &e), EXPERIMENT_WRONG);
        assert_null(e);
        char *said = lines_of(&found, paths[i][0]);
        snprintf(expected, sizeof expected, "%s: cannot be read: %s\n", paths[i][0], paths[i][1]);
        assert_string_equal(said, expected);
        free(said);
        problems_close(&found);
    }
}

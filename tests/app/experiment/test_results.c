/* SPDX-License-Identifier: MIT */
/*
 * Tests of the result files: numbers that read back exactly, columns as promised, defaults filled in, and nothing
 * half-written under a final name.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text.h"
#include "experiment/play/runner.h"
#include "experiment/record/doubt.h"
#include "experiment/store/csv.h"
#include "experiment/store/manifest.h"
#include "experiment/store/output.h"
#include "menagerie.h"
#include "scenes.h"

/* ---------------------------------------------- numbers and fields ----------------------------------------- */

LAW(numbers_read_back_exactly) {
    static const double special[] = {0.0,  -0.0, 1.0, -1.0, 0.1, 1e15, 1e15 + 0.125, 5e-324, 1.7976931348623157e308,
                                     1e300};
    char text[NUMBER_TEXT];
    uint64_t x = 1;
    for (int i = 0; i < 200000; i++) {
        double number;
        x = x * 6364136223846793005u + 1442695040888963407u;
        memcpy(&number, &x, sizeof number);
        if (i < LENGTH(special)) number = special[i];
        if (!isfinite(number)) continue;
        number_text(number, text);
        assert_that(strtod(text, NULL) == number, "%.17g becomes %s", number, text);
        assert_true(strlen(text) < NUMBER_TEXT - 1);
    }
    assert_string_equal(number_text(0.1, text), "0.1");
    assert_string_equal(number_text(250.0, text), "250");
    assert_string_equal(number_text(NAN, text), "");
}

/* The fields of one CSV record at *at, unquoted; *at moves behind it. Returns the number of fields. */
static int parse_record(const char **at, char fields[16][256]) {
    int count = 0;
    for (;; (*at)++) {
        char *out = fields[count++];
        bool quoted = **at == '"';
        if (quoted) (*at)++;
        for (; quoted || (**at != ',' && **at != '\n'); (*at)++) {
            assert_true(**at != '\0');
            if (quoted && **at == '"' && (*at)[1] != '"') {
                quoted = false;
                (*at)++;
                break;
            }
            if (quoted && **at == '"') (*at)++;
            *out++ = **at;
        }
        *out = '\0';
        if (**at == '\n') break;
        assert_true(**at == ',');
    }
    (*at)++;
    return count;
}

static char *written(table_id table, const results *r) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    csv_write(out, table, r);
    fclose(out);
    return text;
}

/* One name of the scenes has a comma and quotes in it. */
LAW(every_row_has_its_columns) {
    for (int i = 0; i < scene_count(); i++) {
        agenda *a;
        results *r = scene_run(scene(i), 1, &a);
        for (table_id table = 0; table < TABLE_COUNT; table++) {
            char *text = written(table, r), fields[16][256];
            const char *at = text;
            int columns = parse_record(&at, fields);
            while (*at != '\0') {
                assert_int_equal(parse_record(&at, fields), columns);
                bool known = strcmp(table_formats[table].file, "claims.csv") == 0 || agenda_find(a, fields[0]) >= 0;
                assert_that(known, "%s: \"%s\" is no competitor", table_formats[table].file, fields[0]);
            }
            free(text);
        }
        results_free(r);
        agenda_free(a);
    }
}

static int rows_of(const char *text, const char *selector, const char *learner, int column) {
    char fields[16][256];
    int count = 0;
    while (*text != '\0') {
        parse_record(&text, fields);
        count += strcmp(fields[0], selector) == 0 && (learner == NULL || strcmp(fields[column], learner) == 0);
    }
    return count;
}

/* The first row of a selector is that of the first learner of its team. */
LAW(files_list_the_learners_that_a_selector_plays) {
    agenda *a;
    results *r = scene_run(scene_named("teams"), 1, &a);
    const experiment *e = a->experiment;
    static const char *const names[] = {"selection.csv", "learners.csv", "matching.csv"};
    for (table_id table = 0; table < TABLE_COUNT; table++) {
        int which = 0;
        while (which < 3 && strcmp(table_formats[table].file, names[which]) != 0) which++;
        if (which == 3) continue;
        char *text = written(table, r), first[300];
        for (int s = 0; s < a->selectors; s++) {
            int column = which == 1 ? 1 : 2, each = which == 0 ? a->point_count : which == 1 ? 1 : a->matching_count[s];
            int rows = 0;
            for (int k = 0; k < e->teams[s].count; k++) {
                int found = rows_of(text, e->selectors[s].name, e->learners[e->teams[s].learners[k]].name, column);
                assert_int_equal(found, each);
                rows += found;
            }
            assert_int_equal(rows_of(text, e->selectors[s].name, NULL, 0), rows);
        }
        snprintf(first, sizeof first, which == 1 ? "\nB-MS,bold," : "\nB-MS,%llu,bold,",
                 (unsigned long long)(which == 0 ? a->points[0] : a->matching[0]));
        assert_ptr_equal(strstr(text, first), strchr(text, '\n'));
        assert_null(strstr(text, "nan"));
        free(text);
    }
    results_free(r);
    agenda_free(a);
}

LAW(files_have_the_columns_that_were_promised) {
    static const char *const promised[][2] = {
        {"summary.csv", "name,role,kind,runs,rounds,regret,regret_ci95,optimal_rate,optimal_ci95\n"},
        {"curves.csv", "name,round,regret,regret_ci95,optimal_rate,optimal_ci95\n"},
        {"selection.csv", "name,round,learner,share\n"},
        {"learners.csv", "name,learner,plays,regret,coefficient\n"},
        {"matching.csv", "name,round,learner,chosen,best,z\n"},
        {"pairs.csv", "a,b,difference,ci95\n"},
        {"claims.csv", "says,holds,verdict,margin,ci95\n"},
        {"tasks.csv", "name,task,regret,regret_ci95\n"}};
    agenda *a;
    results *r = scene_run(scene_named("ball"), 1, &a);
    assert_int_equal(LENGTH(promised), TABLE_COUNT);
    for (int i = 0; i < LENGTH(promised); i++) {
        assert_string_equal(table_formats[i].file, promised[i][0]);
        char *text = written((table_id)i, r);
        assert_memory_equal(text, promised[i][1], strlen(promised[i][1]));
        if (i == 0) assert_non_null(strstr(text, ",,\n")); /* no optimal rate on the ball */
        free(text);
    }
    results_free(r);
    agenda_free(a);
}

/* ------------------------------------------------- the manifest -------------------------------------------- */

static json_t *manifest_of(const results *r) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(manifest_write(out, r));
    fclose(out);
    json_error_t error;
    json_t *tree = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    assert_that(tree != NULL, "%s", error.text);
    free(text);
    return tree;
}

static const json_t *at(const json_t *tree, const char *key) {
    const json_t *value = json_object_get(tree, key);
    assert_that(value != NULL, "no %s", key);
    return value;
}

LAW(manifest_says_what_was_understood) {
    for (int i = 0; i < scene_count(); i++) {
        const experiment *e = scene(i);
        agenda *a;
        results *r = scene_run(e, 2, &a);
        json_t *tree = manifest_of(r);
        assert_string_equal(json_string_value(at(tree, "name")), e->name);
        assert_int_equal(json_integer_value(at(tree, "runs")), e->runs);
        assert_int_equal(json_integer_value(at(tree, "rounds")), e->rounds / e->tasks);
        assert_int_equal(json_integer_value(json_object_get(tree, "tasks")), e->tasks > 1 ? e->tasks : 0);
        char hash[17];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->hash);
        assert_string_equal(json_string_value(at(tree, "hash")), hash);
        assert_string_equal(json_string_value(at(tree, "version")), posse_version());
        assert_int_equal(json_array_size(at(tree, "learners")), e->learner_count);
        assert_int_equal(json_array_size(at(tree, "guarantee")), e->selector_count);
        assert_true(json_is_string(at(at(tree, "machine"), "cpu")));
        if (e->seed > INT64_MAX) assert_string_equal(json_string_value(at(tree, "seed")), "18446744073709551615");
        json_decref(tree);
        results_free(r);
        agenda_free(a);
    }
}

LAW(manifest_fills_defaults_in) {
    agenda *a;
    results *r = scene_run(scene_named("gaussian"), 1, &a);
    json_t *tree = manifest_of(r);
    const json_t *environment = at(tree, "environment"), *selector = json_array_get(at(tree, "selectors"), 0);
    const json_t *learner = json_array_get(at(tree, "learners"), 0);
    assert_int_equal(json_integer_value(at(at(environment, "prior"), "sd")), 1);
    assert_true(json_number_value(at(learner, "width")) == 0.1);
    assert_true(json_number_value(at(learner, "delta")) == 0.05);
    assert_string_equal(json_string_value(at(selector, "belief")), "environment");
    assert_true(json_is_false(at(selector, "share")));
    assert_int_equal(json_integer_value(at(selector, "batch")), 1);
    json_decref(tree);
    results_free(r);
    agenda_free(a);
}

/* The manifest lists the names of each selector's learners in the order of the file, even if the file omitted
 * `learners`. The guarantee has their number. */
LAW(manifest_says_who_plays) {
    static const char *const expected[2][3] = {
        {"[\"timid\", \"fair, \\\"square\\\"\", \"bold\"]"},
        {"[\"bold\", \"timid\"]", "[\"fair, \\\"square\\\"\"]", "[\"fair, \\\"square\\\"\", \"bold\", \"timid\"]"}};
    for (int i = 0; i < 2; i++) {
        const experiment *e = scene_named(i == 0 ? "gaussian" : "teams");
        agenda *a;
        results *r = scene_run(e, 1, &a);
        json_t *tree = manifest_of(r);
        for (int s = 0; s < e->selector_count; s++) {
            char *text = json_dumps(at(json_array_get(at(tree, "selectors"), (size_t)s), "learners"), 0);
            assert_string_equal(text, expected[i][i == 0 ? 0 : s]);
            free(text);
            const json_t *count = at(json_array_get(at(tree, "guarantee"), (size_t)s), "learners");
            assert_int_equal(json_integer_value(count), e->teams[s].count);
        }
        json_decref(tree), results_free(r), agenda_free(a);
    }
}

/* linear-thompson inherits the precision of the environment. A fixed instance has no prior, so the manifest shows
 * none. */
LAW(manifest_knows_what_is_inherited_and_what_is_ruled_out) {
    static const double means[] = {0.5, 0.25};
    const posse_part prior = {.kind = "gaussian"};
    posse_part fixed_learner = {.kind = "ucb", .name = "ucb"}, learner = {.kind = "linear-thompson", .name = "one"};
    posse_part selector = {.kind = "bms", .name = "B-MS", .options = {{.key = "belief", .part = &prior}}};
    experiment e = *scene_named("linear");
    ((posse_option *)posse_part_option(&e.environment, "prior.precision"))->number = 4;
    e.learners = &learner;
    e.learner_count = 1;
    e.teams = scene_teams(1);
    scene_settle(&e);
    agenda *a;
    results *r = scene_run(&e, 1, &a);
    json_t *tree = manifest_of(r);
    assert_int_equal(json_integer_value(at(json_array_get(at(tree, "learners"), 0), "precision")), 4);
    json_decref(tree), results_free(r), agenda_free(a);

    e.environment = (posse_part){.kind = "gaussian", .options = {NUMBER("arms", 2), LIST("means", means)}};
    e.learners = &fixed_learner;
    e.selectors = &selector;
    e.selector_count = 1;
    scene_settle(&e);
    r = scene_run(&e, 1, &a);
    tree = manifest_of(r);
    assert_null(json_object_get(at(tree, "environment"), "prior"));
    assert_int_equal(json_array_size(at(at(tree, "environment"), "means")), 2);
    assert_string_equal(json_string_value(at(at(json_array_get(at(tree, "selectors"), 0), "belief"), "kind")),
                        "gaussian");
    json_decref(tree), results_free(r), agenda_free(a);
}

/* Counts the rewards outside [low, high] when a selector plays its runs, with a new object for each run. */
static json_int_t count_outside(const experiment *e, int s, double low, double high) {
    posse_environment *environment = environment_made(&e->environment, e->seed);
    posse_part crew[3];
    json_int_t count = 0;
    for (uint32_t run = 0; run < e->runs; run++) {
        posse_def def = posse_environment_def(environment);
        for (int k = 0; k < e->teams[s].count; k++) crew[k] = e->learners[e->teams[s].learners[k]];
        def.selector = e->selectors[s];
        def.learners = crew;
        def.learner_count = e->teams[s].count;
        def.rounds = e->rounds;
        def.run = run;
        posse *p = posse_made(&def);
        posse_environment_begin(environment, run);
        for (uint64_t t = 0; t < e->rounds; t++) {
            posse_decision d;
            assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
            double reward = posse_environment_reward(environment, &d);
            assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
            count += reward < low || reward > high;
        }
        posse_free(p);
    }
    posse_environment_free(environment);
    return count;
}

static void assert_clipped(const json_t *entry, const experiment *e, int s, double low, double high) {
    json_int_t count = count_outside(e, s, low, high);
    assert_true(count > 0);
    assert_string_equal(json_string_value(at(entry, "selector")), e->selectors[s].name);
    assert_int_equal(json_integer_value(at(entry, "clipped")), count);
    assert_int_equal(json_integer_value(at(entry, "rewards")), e->runs * e->rounds);
}

LAW(manifest_counts_the_rewards_that_were_clipped) {
    const experiment *e = scene_named("ranges");
    for (int threads = 1; threads <= 3; threads++) {
        agenda *a;
        results *r = scene_run(e, threads, &a);
        json_t *tree = manifest_of(r);
        const json_t *list = at(tree, "clipped");
        assert_true(isnan(r->clipped[1]));
        assert_int_equal(json_array_size(list), 2);
        assert_clipped(json_array_get(list, 0), e, 0, 0.0, 1.0);
        assert_clipped(json_array_get(list, 1), e, 2, -1.5, 2.5);
        json_decref(tree), results_free(r), agenda_free(a);
    }
}

/* The mean surprise of a watched selector at the end of its first runs, with a new object for each run. */
static double mean_surprise(const experiment *e, int s, uint32_t runs) {
    posse_environment *environment = environment_made(&e->environment, e->seed);
    posse_def def = posse_environment_def(environment);
    def.selector = with_option(e->selectors[s], (posse_option)NUMBER("watch", 1));
    def.learners = e->learners;
    def.learner_count = e->learner_count;
    def.rounds = e->rounds;
    double sum = 0.0;
    for (def.run = 0; def.run < runs; def.run++) {
        posse *p = posse_made(&def);
        double surprise;
        posse_environment_begin(environment, def.run);
        assert_int_equal(posse_play(p, environment, e->rounds, NULL), POSSE_OK);
        assert_int_equal(posse_surprise(p, &surprise), POSSE_OK);
        sum += surprise;
        posse_free(p);
    }
    posse_environment_free(environment);
    return sum / runs;
}

/* Selectors with a right belief, a wrong one, a wrong but robust one, one without a robust form, and none. */
LAW(manifest_says_how_far_rewards_speak_against_beliefs) {
    static const double weight[] = {1.0};
    static const posse_part wrong = {.kind = "gaussian", .options = {NUMBER("sd", 0.1)}},
                            robust = {.kind = "gaussian", .options = {NUMBER("sd", 0.1), NUMBER("robust", 1)}},
                            mixture = {.kind = "mixture",
                                       .options = {{"components", .part = &wrong, .list = weight, .count = 1}}};
    static posse_part selectors[] = {
        {.kind = "bms", .name = "right"},
        {.kind = "bms", .name = "wrong", .options = {{"belief", .part = &wrong}, NUMBER("watch", 0)}},
        {.kind = "bms", .name = "robust", .options = {{"belief", .part = &robust}}},
        {.kind = "bms", .name = "mixture", .options = {{"belief", .part = &mixture}}},
        {.kind = "uniform", .name = "uniform"},
    };
    static posse_part learners[] = {{.kind = "ucb", .name = "a"}, {.kind = "thompson", .name = "b"}};
    static const int both[] = {0, 1};
    selector_team teams[] = {{both, 2}, {both, 2}, {both, 2}, {both, 2}, {both, 2}};
    experiment e = *scene_named("gaussian");
    e.environment = (posse_part){.kind = "gaussian", .options = {NUMBER("arms", 4)}};
    e.selectors = selectors, e.selector_count = LENGTH(selectors), e.teams = teams;
    e.learners = learners, e.learner_count = LENGTH(learners);
    e.claim_count = 0, e.solo = false, e.rounds = 200, e.runs = 101;
    scene_settle(&e);
    agenda *a;
    results *r = scene_run(&e, 2, &a);
    json_t *tree = manifest_of(r);
    const json_t *list = at(tree, "surprise");
    assert_int_equal(json_array_size(list), 3);
    for (int s = 0; s < 3; s++) {
        const json_t *entry = json_array_get(list, (size_t)s);
        assert_string_equal(json_string_value(at(entry, "selector")), selectors[s].name);
        assert_int_equal(json_integer_value(at(entry, "runs")), 2);
        assert_int_equal(json_integer_value(at(entry, "rounds")), 200);
        assert_true(r->surprise[s] == mean_surprise(&e, s, 2));
        assert_true(json_number_value(at(entry, "surprise")) == r->surprise[s]);
        assert_true(s == 2 ? json_is_null(at(entry, "limit"))
                           : json_number_value(at(entry, "limit")) == posse_log(20.0)); /* the third is robust */
    }
    assert_true(r->surprise[0] < 0.0 && r->surprise[1] > 3.0 && r->surprise[2] > 3.0);
    assert_true(isnan(r->surprise[3]) && isnan(r->surprise[4]));
    json_decref(tree), results_free(r), agenda_free(a);
}

/* The limit is the posse's own. The evidence of logistic beliefs is approximate where rounds have features. */
LAW(a_watched_belief_has_the_limit_of_its_posse) {
    static const posse_part environments[] = {
        {.kind = "logistic", .options = {NUMBER("dim", 2), WORD("arms.set", "sphere"), NUMBER("arms.count", 4)}},
        {.kind = "contextual", .options = {NUMBER("arms", 4), NUMBER("dim", 2), WORD("link", "logistic")}}};
    static posse_part selector = {.kind = "bms", .name = "B-MS"},
                      learners[] = {{.kind = "logistic-ucb", .name = "a"}, {.kind = "logistic-thompson", .name = "b"}};
    static const int both[] = {0, 1};
    selector_team pair = {both, 2};
    for (int k = 0; k < LENGTH(environments); k++) {
        experiment e = *scene_named("gaussian");
        e.environment = environments[k];
        e.selectors = &selector, e.selector_count = 1, e.teams = &pair;
        e.learners = learners, e.learner_count = LENGTH(learners);
        e.claim_count = 0, e.solo = false, e.rounds = 50, e.runs = 101;
        scene_settle(&e);
        agenda *a;
        results *r = scene_run(&e, 2, &a);
        assert_true(!isnan(r->surprise[0]));
        assert_true(doubt_limit(r, 0) == posse_log(20.0) + (k == 0 ? 0.0 : 20.0));
        results_free(r), agenda_free(a);
    }
}

/* Robust beliefs are never doubted. */
LAW(beliefs_are_doubted_beyond_their_limit) {
    static const posse_part robust = {.kind = "gaussian", .options = {NUMBER("sd", 0.1), NUMBER("robust", 1)}};
    experiment e = *scene_named("gaussian");
    posse_part selectors[] = {
        {.kind = "bms", .name = "exact"},
        {.kind = "bms", .name = "approximate"},
        {.kind = "bms", .name = "robust", .options = {{"belief", .part = &robust}}},
    };
    e.selectors = selectors;
    agenda a = {.experiment = &e, .selectors = 3};
    double surprise[3], limit[] = {3.0, 33.0, 3.0}, clipped[] = {NAN, NAN, NAN};
    results r = {.agenda = &a, .surprise = surprise, .surprise_limit = limit, .clipped = clipped, .watched_runs = 3};
    static const struct {
        double each;
        bool doubted[3];
    } cases[] = {{0.9, {false, false, false}},
                 {1.1, {true, false, false}},
                 {9.9, {true, false, false}},
                 {11.1, {true, true, false}}};
    for (int i = 0; i < LENGTH(cases); i++)
        for (int s = 0; s < 3; s++) {
            surprise[s] = cases[i].each;
            char *text = doubt_text(&r, s, DOUBT_BELIEF), *other = doubt_text(&r, s, DOUBT_CLIPPING);
            assert_true((text != NULL) == cases[i].doubted[s] && other == NULL);
            if (text != NULL) assert_non_null(strstr(text, "rewards contradict the belief of"));
            free(text);
        }
}

LAW(nothing_is_clipped_where_there_is_no_range) {
    agenda *a;
    results *r = scene_run(scene_named("gaussian"), 1, &a);
    json_t *tree = manifest_of(r);
    assert_true(json_is_array(at(tree, "clipped")));
    assert_int_equal(json_array_size(at(tree, "clipped")), 0);
    for (int s = 0; s < a->selectors; s++) assert_true(isnan(r->clipped[s]) && agenda_range(a, s) == NULL);
    json_decref(tree), results_free(r), agenda_free(a);
}

/* Selectors that clip rewards are those that declare a range. */
LAW(selectors_with_a_range_count_what_they_clip) {
    posse_environment *environment = environment_made(&scene_named("gaussian")->environment, 1);
    for (int i = 0; i < posse_kind_count(POSSE_FAMILY_SELECTOR); i++) {
        posse_part selector = {.kind = posse_kind_name(POSSE_FAMILY_SELECTOR, i), .name = "selector"};
        posse_def def = posse_environment_def(environment);
        int given = 0;
        for (const posse_param *p = posse_kind_params(POSSE_FAMILY_SELECTOR, i); p->name != NULL; p++)
            if (p->flags & POSSE_PARAM_REQUIRED) selector.options[given++] = (posse_option)NUMBER(p->name, 1.0);
        experiment e = *scene_named("gaussian");
        e.selectors = &selector;
        e.selector_count = 1;
        scene_settle(&e);
        agenda *a = agenda_make(&e);
        def.selector = selector;
        def.learners = e.learners;
        def.learner_count = e.learner_count;
        def.rounds = e.rounds;
        posse *p = posse_made(&def);
        uint64_t clipped;
        posse_error expected = agenda_range(a, 0) != NULL ? POSSE_OK : POSSE_ERROR_ABSENT;
        assert_that(posse_clipped(p, &clipped) == expected, "%s", selector.kind);
        posse_free(p);
        agenda_free(a);
    }
    posse_environment_free(environment);
}

/* -------------------------------------------------- the folder --------------------------------------------- */

static void in_scratch(char path[64]) {
    strcpy(path, "/tmp/posse-results-XXXXXX");
    assert_non_null(mkdtemp(path));
}

static bool there(const char *directory, const char *file) {
    char *path = text_format("%s/%s", directory, file);
    struct stat info;
    bool is = stat(path, &info) == 0;
    free(path);
    return is;
}

static void put(const char *directory, const char *file) {
    char *path = text_format("%s/%s", directory, file);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fclose(out);
    free(path);
}

static void remove_all(const char *directory) {
    char *command = text_format("rm -r '%s'", directory);
    assert_int_equal(system(command), 0);
    free(command);
}

static int entries(const char *directory) {
    char *command = text_format("exit $(ls -A '%s' | wc -l)", directory);
    int status = system(command);
    free(command);
    return WEXITSTATUS(status);
}

LAW(results_appear_when_all_are_whole) {
    char scratch[64], results_directory[80];
    in_scratch(scratch);
    snprintf(results_directory, sizeof results_directory, "%s/a/b", scratch);
    folder f;
    assert_true(folder_open(&f, results_directory, "name"));
    put(f.temporary, "summary.csv");
    put(f.temporary, "manifest.json");
    assert_false(there(results_directory, "name"));
    assert_true(folder_commit(&f));
    folder_close(&f);
    assert_true(there(results_directory, "name/summary.csv") && there(results_directory, "name/manifest.json"));
    assert_int_equal(entries(results_directory), 1);
    remove_all(scratch);
}

LAW(new_results_replace_old_ones_and_their_pictures) {
    static const char *const old[] = {"index.html",  "regret.svg",    "value.svg", "value.png", "value.pdf",
                                      "optimal.pdf", "selection.png", "tasks.svg", "tasks.png", "tasks.pdf"};
    char scratch[64];
    in_scratch(scratch);
    folder f;
    for (int i = 0; i < 2; i++) {
        assert_true(folder_open(&f, scratch, "name"));
        put(f.temporary, "summary.csv");
        put(f.temporary, "manifest.json");
        assert_true(folder_commit(&f));
        for (int k = 0; k < LENGTH(old) && i == 0; k++) put(f.final, old[k]);
        if (i == 0) put(f.final, "notes.txt");
        folder_close(&f);
    }
    assert_int_equal(entries(scratch), 1);
    char final[80];
    snprintf(final, sizeof final, "%s/name", scratch);
    for (int k = 0; k < LENGTH(old); k++) assert_that(!there(final, old[k]), "%s is still there", old[k]);
    assert_true(there(scratch, "name/notes.txt"));
    remove_all(scratch);
}

LAW(what_is_given_up_leaves_nothing_behind) {
    char scratch[64], results_directory[80];
    in_scratch(scratch);
    snprintf(results_directory, sizeof results_directory, "%s/results", scratch);
    agenda *a = agenda_make(scene_named("gaussian"));
    output o;
    output_options how = {.directory = results_directory};
    assert_true(output_open(&o, &how, a));
    output_close(&o);
    assert_int_equal(entries(scratch), 0);
    put(scratch, "results"); /* a file where the folder should be */
    assert_false(output_open(&o, &how, a));
    assert_non_null(strstr(o.problem, "cannot be written"));
    output_close(&o);
    agenda_free(a);
    remove_all(scratch);
}

/* SPDX-License-Identifier: MIT */
/*
 * Priors from data: each step of EM raises the likelihood, a single Gaussian has the moments of the data, clear
 * clusters are counted, plays with many rewards act as means, files are read as they were written, and problems are
 * reported with line and column.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "describe/prior_file.h"
#include "helpers.h"
#include "keeping.h"
#include "prior/choice.h"

/* --------------------------------------------------- tables ---------------------------------------------------- */

/* A file that exists while a test runs. */
typedef struct scrap {
    char path[40];
    FILE *file;
} scrap;

static scrap scrap_open(void) {
    scrap s = {.path = "/tmp/posse_prior_XXXXXX"};
    int handle = mkstemp(s.path);
    assert_true(handle >= 0);
    s.file = fdopen(handle, "w");
    assert_non_null(s.file);
    return s;
}

static void scrap_write(const scrap *s, const char *text) {
    FILE *file = fopen(s->path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#define ARMS 3

/* Rows of `count` clusters, far from each other. holes: every fifth cell is empty. */
static scrap clusters(int count, int rows, bool holes) {
    posse_draw draw;
    scrap s = scrap_open();
    draw_open(&draw, 11, 0, 1, 0);
    fputs("a,b,c\n", s.file);
    for (int i = 0; i < rows; i++)
        for (int a = 0; a < ARMS; a++) {
            double mean = 4.0 * (i % count == a % count) + (i % count), x = mean + 0.5 * draw_normal(&draw);
            if (!holes || (i + a) % 5 != 0) fprintf(s.file, "%.6g", x);
            fputs(a < ARMS - 1 ? "," : "\n", s.file);
        }
    assert_int_equal(fclose(s.file), 0);
    return s;
}

/* Rewards of tasks whose means are normal with sd 1, correlated by a half, with noise 0.7. */
static scrap plays(int tasks, int rewards) {
    posse_draw draw;
    scrap s = scrap_open();
    draw_open(&draw, 12, 0, 1, 0);
    fputs("reward,arm,task\n", s.file);
    for (int t = 0; t < tasks; t++) {
        double shared = draw_normal(&draw), means[ARMS];
        for (int a = 0; a < ARMS; a++) means[a] = a + sqrt(0.5) * (shared + draw_normal(&draw));
        for (int n = 0; n < rewards; n++) {
            int arm = (int)posse_draw_index(&draw, ARMS);
            fprintf(s.file, "%.6g,%d,t%d\n", means[arm] + 0.7 * draw_normal(&draw), arm, t);
        }
    }
    assert_int_equal(fclose(s.file), 0);
    return s;
}

static posse_prior *fitted(const scrap *s, const posse_fit *how) {
    posse_prior *p;
    assert_int_equal(posse_prior_fit(s->path, how, NULL, &p), POSSE_OK);
    return p;
}

static const double *list_of(const posse_part *part_, const char *key) {
    return posse_part_option(part_, key)->list;
}

/* ---------------------------------------------------- EM ------------------------------------------------------- */

static void take_samples(const scrap *s, bool of_plays, arena *memory, samples *out) {
    csv c;
    const play_columns columns = {"task", "arm", "reward"};
    assert_int_equal(csv_open(&c, s->path, NULL), POSSE_OK);
    assert_int_equal(of_plays ? samples_of_plays(&c, &columns, memory, out) : samples_of_means(&c, true, memory, out),
                     POSSE_OK);
    csv_close(&c);
}

/* Every step of EM raises its objective, also with missing cells or noise. */
static void assert_climbs(const scrap *s, bool of_plays, int components) {
    arena memory = {0};
    samples rows;
    normals single, several;
    em *e;
    posse_draw draw;
    take_samples(s, of_plays, &memory, &rows);
    assert_int_equal(em_make(&rows, components, &memory, &e), POSSE_OK);
    assert_int_equal(normals_make(1, ARMS, &memory, &single), POSSE_OK);
    assert_int_equal(normals_make(components, ARMS, &memory, &several), POSSE_OK);
    draw_open(&draw, 3, 0, 1, 0);
    em_start_single(e, of_plays ? samples_noise(&rows) : 0.0, &single);
    em_start(e, &single, &draw, &several);
    const em_course step = {.steps_max = 1, .enough = -1e300};
    em_climb(e, &step, &several);
    for (int i = 0; i < 50; i++) {
        double before = several.objective;
        em_climb(e, &step, &several);
        assert_that(several.objective >= before - 1e-9 * fabs(before), "step %d falls from %.12g to %.12g", i, before,
                    several.objective);
    }
    arena_release(&memory);
}

LAW(em_never_falls) {
    scrap full = clusters(3, 60, false), holes = clusters(3, 60, true), log = plays(30, 12);
    for (int components = 1; components <= 4; components++) {
        assert_climbs(&full, false, components);
        assert_climbs(&holes, false, components);
        assert_climbs(&log, true, components);
    }
    unlink(full.path), unlink(holes.path), unlink(log.path);
}

/* Without missing cells, the moments are those of the rows and one more row, which has their mean and their
 * variances and no correlation. */
LAW(one_gaussian_is_its_moments) {
    scrap s = clusters(2, 40, false);
    arena memory = {0};
    samples rows;
    take_samples(&s, false, &memory, &rows);
    posse_fit how = posse_default_fit();
    how.kind = "gaussian";
    how.noise = 0.25;
    posse_prior *p = fitted(&s, &how);
    const double *mean = list_of(posse_prior_part(p), "mean"), *covariance = list_of(posse_prior_part(p), "covariance");
    long double m[ARMS] = {0}, c[ARMS][ARMS] = {{0}}, n = (long double)rows.rows;
    for (size_t i = 0; i < rows.rows; i++)
        for (int a = 0; a < ARMS; a++) m[a] += sample_row(&rows, i)[a] / n;
    for (size_t i = 0; i < rows.rows; i++)
        for (int a = 0; a < ARMS; a++)
            for (int b = 0; b < ARMS; b++)
                c[a][b] += (sample_row(&rows, i)[a] - m[a]) * (sample_row(&rows, i)[b] - m[b]);
    for (int a = 0; a < ARMS; a++) {
        assert_close(mean[a], (double)m[a], 1e-8);
        for (int b = 0; b < ARMS; b++) {
            long double more = a == b ? c[a][a] / n : 0.0L;
            assert_close(covariance[a * ARMS + b], (double)((c[a][b] + more) / (n + 1.0L)), 1e-8 * (double)c[a][a]);
        }
    }
    assert_true(posse_part_option(posse_prior_part(p), "noise")->number == 0.25);
    assert_int_equal(posse_prior_arm_count(p), ARMS);
    posse_prior_free(p);
    arena_release(&memory);
    unlink(s.path);
}

LAW(held_out_rows_count_clear_clusters) {
    static const int counts[] = {1, 2, 3};
    for (int i = 0; i < LENGTH(counts); i++)
        for (int holes = 0; holes < 2; holes++) {
            scrap s = clusters(counts[i], 240, holes == 1);
            posse_fit how = posse_default_fit();
            posse_prior *p = fitted(&s, &how);
            posse_fit_record record;
            assert_int_equal(posse_prior_record(p, &record), POSSE_OK);
            assert_that(record.size == counts[i], "%g components of %d, holes %d", record.size, counts[i], holes);
            assert_true(record.candidate_count >= 3 && record.rows == 240);
            assert_string_equal(posse_prior_part(p)->kind, counts[i] == 1 ? "joint-gaussian" : "mixture");
            posse_prior_free(p);
            unlink(s.path);
        }
}

LAW(few_rows_hold_none_out) {
    static const char *const tables[] = {"a,b\n1,2\n0,1\n3,4\n", "a,b\n1,2\n0,1\n3,4\n2,2\n",
                                         "a,b\n1,2\n0,1\n3,4\n2,2\n1,1\n"};
    for (int i = 0; i < LENGTH(tables); i++) {
        scrap s = scrap_open();
        fclose(s.file);
        scrap_write(&s, tables[i]);
        posse_fit how = posse_default_fit();
        posse_prior *p = fitted(&s, &how);
        posse_fit_record record;
        posse_prior_record(p, &record);
        assert_int_equal(record.candidate_count, i == 2);
        assert_true(record.size == 1.0 && (i < 2 || isfinite(record.candidates[0].score)));
        posse_prior_free(p);
        unlink(s.path);
    }
}

LAW(plays_tell_noise_and_prior) {
    scrap s = plays(400, 15);
    posse_fit how = posse_default_fit();
    how.plays = true;
    how.kind = "gaussian";
    posse_prior *p = fitted(&s, &how);
    posse_fit_record record;
    posse_prior_record(p, &record);
    assert_int_equal(record.rewards, 6000);
    assert_close(record.noise, 0.7, 0.02);
    const double *mean = list_of(posse_prior_part(p), "mean"), *covariance = list_of(posse_prior_part(p), "covariance");
    for (int a = 0; a < ARMS; a++) {
        assert_close(mean[a], a, 0.2);
        for (int b = 0; b < ARMS; b++) assert_close(covariance[a * ARMS + b], a == b ? 1.0 : 0.5, 0.25);
    }
    posse_prior_free(p);
    unlink(s.path);
}

/* -------------------------------------------------- files ------------------------------------------------------ */

static char heard[800];

static char *text_of(const posse_prior *p) {
    size_t length = posse_prior_text(p, NULL, 0);
    char *text = malloc(length + 1);
    assert_int_equal(posse_prior_text(p, text, length + 1), length);
    assert_int_equal(strlen(text), length);
    return text;
}

/* The text of the file of a prior, in YAML. */
static char *yaml_of(const posse_prior *p) {
    static char *text;
    static size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    prior_file_write(out, p, true);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Reads the file of a prior. On failure NULL, and `heard` has the first problem. */
static posse_prior *read_file(const char *path) {
    posse_prior *p;
    problems found;
    problems_open(&found, NULL);
    heard[0] = '\0';
    bool done = prior_file_read(path, &(posse_allocator){0}, &found, &p);
    assert_true(done == (found.count == 0) && done == (p != NULL));
    problems_sort(&found);
    if (found.count > 0) snprintf(heard, sizeof heard, "%s", problem_line(&found.list[0], path, found.memory));
    problems_close(&found);
    return p;
}

static void assert_same_part(const posse_part *a, const posse_part *b) {
    assert_string_equal(a->kind, b->kind);
    for (int i = 0; i < POSSE_OPTIONS_MAX && a->options[i].key != NULL; i++) {
        const posse_option *x = &a->options[i], *y = posse_part_option(b, x->key);
        assert_non_null(y);
        assert_true(x->number == y->number);
        assert_int_equal(x->count, y->count);
        if (x->list != NULL) assert_memory_equal(x->list, y->list, x->count * sizeof *x->list);
        for (size_t k = 0; x->part != NULL && k < x->count; k++) assert_same_part(&x->part[k], &y->part[k]);
    }
}

/* In C as JSON, and by programs from files of YAML and JSON. */
LAW(priors_are_read_as_they_were_written) {
    static const char *const kinds[] = {"gaussian", "mixture", "particles"};
    for (int i = 0; i < LENGTH(kinds); i++) {
        scrap s = clusters(3, 90, false);
        posse_fit how = posse_default_fit();
        how.kind = kinds[i];
        how.noise = 0.1;
        posse_prior *p = fitted(&s, &how), *q;
        char *json = text_of(p), *yaml = yaml_of(p), *second;
        assert_int_equal(posse_prior_read_text(json, strlen(json), NULL, &q), POSSE_OK);
        assert_same_part(posse_prior_part(p), posse_prior_part(q));
        assert_int_equal(posse_prior_arm_count(q), ARMS);
        assert_int_equal(posse_prior_record(q, &(posse_fit_record){0}), POSSE_ERROR_ABSENT);
        second = text_of(q);
        assert_string_equal(json, second);
        posse_prior_free(q);
        const char *const files[] = {json, yaml};
        for (int k = 0; k < 2; k++) {
            scrap_write(&s, files[k]);
            q = read_file(s.path);
            assert_that(q != NULL, "%s", heard);
            assert_same_part(posse_prior_part(p), posse_prior_part(q));
            assert_int_equal(posse_prior_arm_count(q), ARMS);
            posse_prior_free(q);
        }
        assert_int_equal(posse_prior_make(posse_prior_part(p), ARMS, NULL, &q), POSSE_OK);
        assert_same_part(posse_prior_part(p), posse_prior_part(q));
        posse_prior_free(p), posse_prior_free(q);
        free(json), free(yaml), free(second);
        unlink(s.path);
    }
}

/* As 0.2.0 has written them, and as people write them. */
LAW(earlier_files_of_priors_are_read) {
    static const char *const texts[] = {
        "# A prior of 2 arms, fitted by posse 0.2.0 to 9 instances.\n# Arms in order: a, b\nkind: mixture\ncomponents:\n"
        "- weight: 0.25\n  belief:\n    kind: joint-gaussian\n    mean: [0.5, -1]\n    covariance:\n      - [1, 0.5]\n"
        "      - [0.5, 2]\n    noise: 0.5\n- weight: 0.75\n  belief:\n    kind: joint-gaussian\n    mean: [0, 1e-3]\n"
        "    covariance:\n      - [1, 0]\n      - [0, 1]\n    noise: 0.5\n",
        "{kind: mixture, components: [{weight: 0.25, belief: {kind: joint-gaussian, mean: [0.5, -1],\n"
        "  covariance: [[1, 0.5], [0.5, 2]], noise: 0.5}}, {belief: {noise: 0.5, kind: joint-gaussian,\n"
        "  mean: [0, 0.001], covariance: [[1, 0], [0, 1]]}, weight: 0.75}]}\n",
        "{\"kind\":\"mixture\",\"components\":[{\"weight\":0.25,\"belief\":{\"kind\":\"joint-gaussian\",\"mean\":[0.5,-1],"
        "\"covariance\":[[1,0.5],[0.5,2]],\"noise\":0.5}},{\"weight\":0.75,\"belief\":{\"kind\":\"joint-gaussian\","
        "\"mean\":[0,0.001],\"covariance\":[[1,0],[0,1]],\"noise\":0.5}}]}",
    };
    scrap s = scrap_open();
    fclose(s.file);
    posse_prior *first = NULL;
    for (int i = 0; i < LENGTH(texts); i++) {
        scrap_write(&s, texts[i]);
        posse_prior *p = read_file(s.path);
        assert_that(p != NULL, "%s", heard);
        assert_int_equal(posse_prior_arm_count(p), 2);
        if (i == 0)
            first = p;
        else {
            assert_same_part(posse_prior_part(first), posse_prior_part(p));
            posse_prior_free(p);
        }
    }
    assert_true(posse_part_option(posse_prior_part(first), "components")->part[0].options[1].list[3] == 2.0);
    posse_prior_free(first);
    unlink(s.path);
}

/* A posse with a prior from a text is the same as one with that prior written in C. */
LAW(a_prior_is_what_every_belief_is) {
    static const char *const texts[] = {
        "{\"kind\": \"linear\", \"noise\": {\"shape\": 3, \"scale\": 2}, \"precision\": 4, \"robust\": true}",
        "{\"robust\": true, \"precision\": 4e0, \"noise.scale\": 2, \"noise.shape\": 3.0, \"kind\": \"linear\"}"};
    const posse_part same = {.kind = "linear",
                             .options = {NUMBER("noise.shape", 3.0), NUMBER("noise.scale", 2.0),
                                         NUMBER("precision", 4.0), NUMBER("robust", 1.0)}};
    for (int i = 0; i < LENGTH(texts); i++) {
        posse_prior *p;
        assert_int_equal(posse_prior_read_text(texts[i], strlen(texts[i]), NULL, &p), POSSE_OK);
        assert_same_part(&same, posse_prior_part(p));
        assert_int_equal(posse_prior_arm_count(p), 0);
        posse_prior_free(p);
    }
}

/* The same table gives the same bits under every compiler. */
LAW(fits_are_the_same_everywhere) {
    scrap s = clusters(3, 120, true), log = plays(40, 10);
    posse_fit how = posse_default_fit();
    posse_prior *p = fitted(&s, &how);
    how.plays = true;
    how.components = 2;
    posse_prior *q = fitted(&log, &how);
    char *one = yaml_of(p), *other = yaml_of(q);
    const char *first = strstr(one, "kind:"), *second = strstr(other, "kind:"); /* after the heading */
    uint64_t hash = hash_bytes(first, strlen(first)) ^ hash_bytes(second, strlen(second));
    assert_that(hash == 0xe7a697dae8e3fa4au, "the hash of fitted priors is 0x%016llx", (unsigned long long)hash);
    free(one), free(other);
    posse_prior_free(p), posse_prior_free(q);
    unlink(s.path), unlink(log.path);
}

/* -------------------------------------------------- wrong ------------------------------------------------------ */

static void hear(void *context, const posse_place *place, const char *message) {
    (void)context, (void)place;
    if (heard[0] == '\0') snprintf(heard, sizeof heard, "%s", message);
}

static const posse_host listener = {.log = {hear, NULL}};

/* The message about a file, without its name. */
static const char *after_path(const char *path) {
    size_t length = strlen(path);
    assert_true(strncmp(heard, path, length) == 0 && heard[length] == ':');
    return heard + length + 1;
}

static void assert_table_refused(const char *table, const posse_fit *how, const char *expected) {
    scrap s = scrap_open();
    fclose(s.file);
    scrap_write(&s, table);
    posse_prior *p;
    heard[0] = '\0';
    assert_int_equal(posse_prior_fit(s.path, how, &listener, &p), POSSE_ERROR_FIT);
    assert_null(p);
    assert_string_equal(after_path(s.path), expected);
    unlink(s.path);
}

LAW(wrong_tables_are_told_where) {
    posse_fit means = posse_default_fit(), rows = means, log = means;
    rows.kind = "particles";
    log.plays = true;
    assert_table_refused("a,b\n1,2\n3,x\n1,1\n", &means, "3:3: \"x\" is no number; \"b\" must be one");
    assert_table_refused("a,b\n1,2\n3,NaN\n1,1\n", &means, "3:3: \"NaN\" is no number; \"b\" must be one");
    assert_table_refused("user,offer,revenue\nu0,x,2\n", &means, " 1 rows are too few; at least 3 are needed");
    assert_table_refused(
        "user,offer,revenue\n1,x,2\n2,y,1\n3,x,2\n", &means,
        "2:3: \"x\" is no number; \"offer\" must be one. If a row is a reward of a task, the table has "
        "plays: --plays");
    assert_table_refused("a,b\n1,2\n,\n1,1\n", &means, "3:1: a row without any number");
    assert_table_refused("a,b\n1,2\n3,1e7\n1,1\n", &means,
                         "3:3: out of range; it must be at least -1e+06 and at most 1e+06");
    assert_table_refused("a,b\n1,2\n3\n", &means, "3:1: a row of 1 cells, but the header has 2");
    assert_table_refused("a,b\n", &means, " it has no rows");
    assert_table_refused("a\n1\n2\n3\n", &means, " it has one arm; a prior is about two or more");
    assert_table_refused("a,b\n1,2\n3,4\n", &means, " 2 rows are too few; at least 3 are needed");
    assert_table_refused("a,b\n1,2\n3,\n4,\n", &means,
                         " the arm \"b\" has a value in 1 of 3 rows; at least two are needed");
    assert_table_refused(
        "a,b\n1,2\n3,\n4,5\n", &rows,
        "3:3: an empty cell; particles have no holes: leave the row out, or fit a gaussian or a mixture");
    assert_table_refused("task,arms,reward\nx,0,1\n", &log, "1:1: there is no column \"arm\"; did you mean \"arms\"?");
    assert_table_refused("task,arm,reward\nx,0,1\ny,,1\n", &log, "3:3: an arm without a name");
    assert_table_refused("task,arm,reward\nx,0,1\ny,1,1\nz,3,1\n", &log,
                         " arms that are numbers are 0 to K - 1, each of them played; 2 is missing");
    assert_table_refused(
        "task,arm,reward\nx,0,1\nx,1,1\ny,0,1\ny,1,2\nz,0,1\nz,1,4\n", &log,
        " no arm was played twice in a task, so that the noise cannot be separated from the differences "
        "between tasks: give the noise");
    assert_table_refused(
        "task,arm,reward\nx,0,1\nx,0,1\nx,1,2\ny,0,3\ny,0,3\ny,1,2\nz,0,5\nz,0,5\nz,1,1\n", &log,
        " rewards of an arm hardly differ within a task, so that their noise is estimated as 0: give the "
        "noise, at least 1e-06");
    means.components = 5;
    assert_table_refused("a,b\n1,2\n3,4\n4,5\n", &means, " 3 rows are too few for 5 components");
}

LAW(wrong_fits_are_told_why) {
    posse_prior *p;
    posse_fit wrong[6];
    for (int i = 0; i < 6; i++) wrong[i] = posse_default_fit();
    wrong[0].kind = "poisson";
    wrong[1].kind = NULL;
    wrong[2].components = 65;
    wrong[3].components = 2, wrong[3].kind = "gaussian";
    wrong[4].noise = -1.0;
    wrong[5].plays = true, wrong[5].kind = "particles";
    for (int i = 0; i < 6; i++) {
        heard[0] = '\0';
        assert_int_equal(posse_prior_fit("x", &wrong[i], &listener, &p), POSSE_ERROR_ARGUMENT);
        assert_true(p == NULL && strlen(heard) > 5);
    }
    assert_int_equal(posse_prior_fit("/no/such/file", &(posse_fit){.kind = "mixture"}, &listener, &p), POSSE_ERROR_FIT);
    assert_int_equal(posse_prior_fit(NULL, wrong, NULL, &p), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_prior_fit("x", NULL, NULL, &p), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_prior_read_text(NULL, 0, NULL, &p), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_prior_make(NULL, 0, NULL, &p), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_prior_make(&(posse_part){.kind = "beta"}, -1, NULL, &p), POSSE_ERROR_ARGUMENT);
}

LAW(wrong_files_of_priors_are_told_where) {
    static const char *const texts[][2] = {
        {"", "1:1: the file is empty"},
        {"kind: gausian\n", "1:7: there is no belief of kind \"gausian\"; did you mean \"gaussian\"?"},
        {"mean: 1\n", "1:1: a belief, {kind: ..}, is needed here, not a map"},
        {"gaussian\n", "1:1: a belief, {kind: ..}, is needed here, not the word \"gaussian\""},
        {"file: other.yaml\n", "1:1: a belief, {kind: ..}, is needed here, not a map"},
        {"kind: mixture\ncomponents: [{weight: 1, belief: {file: other.yaml}}]\n",
         "2:35: the file of a prior cannot name that of another; write the belief itself"},
        {"kind: mixture\ncomponents: [{weight: 1, belief: environment}]\n",
         "2:34: the environment has no prior to take a belief from"},
        {"kind: gaussian\nsigma: 1\n", "2:1: belief \"gaussian\" has no key \"sigma\""},
        {"kind: gaussian\nsd: -1\n", "2:5: sd: -1 is out of range; it must be at least 1e-50 and at most 1e+50"},
        {"kind: gaussian\nmean: [0, one]\n", "2:11: a number is needed here, not the word \"one\""},
        {"kind: gaussian\nmean: [0, 1]\nsd: [1, 2, 3]\n", "3:5: sd: a list of 3 numbers, but there are 2 arms"},
        {"kind: joint-gaussian\nmean: [0, 0]\ncovariance:\n  - [1, 0]\n  - [0.5, 1]\n",
         "5:5: covariance[1]: row 2, column 1: it is not the same as in the other half of the table"},
        {"kind: joint-gaussian\ncovariance: [[1, 0], [0]]\n", "2:22: a row of 1 numbers, but the first has 2"},
        {"kind: mixture\ncomponents:\n- weight: 1\n  belief: {kind: gaussian, mean: [0, 1]}\n- weight: 1\n",
         "5:3: belief: is missing; it must be a belief"},
        {"kind: mixture\ncomponents:\n- weight: 1\n  belief: {kind: gaussian, mean: [0, 1]}\n- weight: 1\n  belief: "
         "{kind: gaussian, mean: [0]}\n",
         "6:34: components[1].mean: a list of 1 numbers, but there are 2 arms"},
        {"kind: particles\nfile: no-such.csv\n", NULL},
        {"kind: particles\ntable: [[1, 2]]\nkernel: true\n", "3:9: a number is needed here, not true"},
        {"kind: gaussian\nrobust: 1\n", "2:9: true or false is needed here, not the number 1"},
        {"kind: gaussian\nmean: 0\nmean: 1\n", "3:1: the key \"mean\" is given twice; the first is in line 2"},
    };
    scrap s = scrap_open();
    fclose(s.file);
    for (int i = 0; i < LENGTH(texts); i++) {
        scrap_write(&s, texts[i][0]);
        posse_prior *p = read_file(s.path);
        assert_int_equal(p != NULL, texts[i][1] == NULL); /* without a number of arms the file is not read */
        if (texts[i][1] != NULL) assert_string_equal(after_path(s.path), texts[i][1]);
        posse_prior_free(p);
    }
    unlink(s.path);
    assert_null(read_file(s.path));
    assert_string_equal(after_path(s.path), " cannot be read: No such file or directory");
}

LAW(wrong_texts_of_priors_are_told_where) {
    static const char *const texts[][2] = {
        {"", "line 1, column 1: the text is empty"},
        {"kind: gaussian\n", "line 1, column 1: a value is needed here"},
        {"[1]", "line 1, column 1: a belief, {\"kind\": ..}, is needed here"},
        {"{\"mean\": 1}", "line 1, column 1: a belief, {\"kind\": ..}, is needed here"},
        {"{\"kind\": 3}", "line 1, column 10: a kind of belief is needed here"},
        {"{\"kind\": \"gausian\"}", "there is no belief of kind \"gausian\"; did you mean \"gaussian\"?"},
        {"{\"kind\": \"gaussian\", \"sigma\": 1}", "there is no such option"},
        {"{\"kind\": \"gaussian\", \"mean\": 1e999}", "line 1, column 30: 1e999 is beyond the range of a number"},
        {"{\"kind\": \"gaussian\", \"mean\": [0, \"1\"]}", "line 1, column 35: a number is needed here"},
        {"{\"kind\": \"gaussian\", \"mean\": []}", "line 1, column 30: a list without entries"},
        {"{\"kind\": \"gaussian\", \"mean\": true}", "line 1, column 1: mean: not true or false"},
        {"{\"kind\": \"gaussian\", \"robust\": 1}", "line 1, column 1: robust: true or false is needed"},
        {"{\"kind\": \"gaussian\", \"sd\": 1, \"sd\": 1}", "line 1, column 31: the key \"sd\" is there twice"},
        {"{\"kind\": \"gaussian\", \"mean\": [0, 1], \"sd\": [1, 2, 3]}", "a list of 3 numbers, but there are 2 arms"},
        {"{\"kind\": \"joint-gaussian\", \"covariance\": [[1, 0], [0]]}",
         "line 1, column 51: a row of 1 numbers, but the first has 2"},
        {"{\"kind\": \"mixture\", \"components\": [{\"weight\": 1}]}",
         "line 1, column 37: a component is {\"weight\": .., \"belief\": ..}"},
        {"{\"kind\": \"mixture\", \"components\": [{\"weight\": 1, \"belief\": \"environment\"}]}",
         "line 1, column 61: a belief, {\"kind\": ..}, is needed"},
        {"{\"kind\": \"gaussian\"} x", "line 1, column 22: the text should end here"},
    };
    for (int i = 0; i < LENGTH(texts); i++) {
        posse_prior *p;
        heard[0] = '\0';
        assert_int_equal(posse_prior_read_text(texts[i][0], strlen(texts[i][0]), &listener, &p), POSSE_ERROR_FIT);
        assert_null(p);
        assert_that(strncmp(heard, texts[i][1], strlen(texts[i][1])) == 0, "%s: %s", texts[i][0], heard);
    }
}

/* --------------------------------------------------- memory ---------------------------------------------------- */

/* Reads the text, or without one fits to the table. *calls: the number of allocations. */
static posse_error with_little(const scrap *s, const char *text, size_t fail_at, size_t *calls) {
    purse mine = {.fail_at = fail_at};
    posse_host host = purse_host(&mine);
    posse_prior *p = NULL;
    posse_fit how = posse_default_fit();
    posse_error error =
        text != NULL ? posse_prior_read_text(text, strlen(text), &host, &p) : posse_prior_fit(s->path, &how, &host, &p);
    *calls = mine.calls;
    assert_true((error == POSSE_OK) == (p != NULL));
    posse_prior_free(p);
    assert_int_equal(mine.blocks, 0);
    return error;
}

/* Whichever allocation fails, the call fails and leaks nothing. */
LAW(priors_survive_no_memory) {
    static const char text[] =
        "{\"kind\": \"mixture\", \"components\": [{\"weight\": 1, \"belief\": {\"kind\": \"joint-gaussian\", \"mean\": "
        "[0, 1]}}, {\"weight\": 2, \"belief\": {\"kind\": \"particles\", \"table\": [[1, 2], [3, 4]]}}]}";
    scrap s = clusters(2, 60, true);
    for (int read = 0; read < 2; read++) {
        size_t needed, unused;
        assert_int_equal(with_little(&s, read ? text : NULL, 0, &needed), POSSE_OK);
        for (size_t n = 1; n <= needed; n++)
            assert_int_equal(with_little(&s, read ? text : NULL, n, &unused), POSSE_ERROR_MEMORY);
    }
    unlink(s.path);
}

/* SPDX-License-Identifier: MIT */
/* The report: the tables that it reads, and the numbers that it computes itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keeping.h"
#include "law.h"
#include "report/chart/axis.h"
#include "report/chart/build.h"
#include "report/chart/chart.h"
#include "report/chart/prominence.h"
#include "report/chart/style.h"
#include "report/data/comparison.h"
#include "report/data/result_table.h"
#include "report/data/scaling.h"
#include "report/draw/glyphs.h"
#include "report/draw/gnuplot.h"
#include "report/page/page.h"

static const table_format format = {"t.csv", {{"name", COLUMN_TEXT}, {"x", COLUMN_NUMBER}, {"y", COLUMN_OPTIONAL}}};

/* Reads a text as a table. Returns whether the table was right; the message is in `said`. */
static bool read_text(result_table *t, pool *memory, const char *text, size_t size, char said[256]) {
    char directory[] = "/tmp/posse-report-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/t.csv", directory);
    FILE *out = fopen(path, "wb"), *messages = fmemopen(said, 256, "w");
    assert_true(out != NULL && messages != NULL);
    fwrite(text, 1, size, out);
    fclose(out);
    bool right = result_table_read(t, directory, &format, memory, messages);
    fclose(messages);
    unlink(path);
    rmdir(directory);
    return right;
}

LAW(quoted_fields_read_back) {
    static const char text[] = "x,more,name,y\r\n1,?,\"a,\"\"b\"\"\nc\",\r\n-2.5e3,?,plain,7\n";
    char said[256] = "";
    pool *memory = pool_create(NULL);
    result_table t;
    assert_true(read_text(&t, memory, text, sizeof text - 1, said));
    assert_int_equal(t.rows, 2);
    assert_string_equal(result_table_row(&t, 0)[0].text, "a,\"b\"\nc");
    assert_true(result_table_row(&t, 0)[1].number == 1.0 && isnan(result_table_row(&t, 0)[2].number));
    assert_string_equal(result_table_row(&t, 1)[0].text, "plain");
    assert_true(result_table_row(&t, 1)[1].number == -2500.0 && result_table_row(&t, 1)[2].number == 7.0);
    assert_int_equal(t.lines[1], 4); /* a quoted line break counts */
    pool_free(memory);
}

LAW(garbled_tables_are_refused_with_a_line) {
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "t.csv: is empty"},
        {"name,x\n", "t.csv:1:1: there is no column \"y\""},
        {"name,x,y\na,1,2\nb,1\n", "t.csv:3:1: a row of 2 cells, but the header has 3"},
        {"name,x,y\na,,2\n", "t.csv:2:3: an empty cell; \"x\" must be a number"},
        {"name,x,y\na,1e999,2\n", "t.csv:2:3: \"1e999\" is beyond the range"},
        {"name,x,y\na,inf,2\n", "t.csv:2:3: \"inf\" is no number"},
        {"name,x,y\na,1 2,2\n", "t.csv:2:3: \"1 2\" is no number"},
        {"name,x,y\n\"a\nb,1,2\n", "t.csv:2:1: a quote that is never closed"},
        {"name,x,y\n\"a\"b,1,2\n", "t.csv:2:4: text behind a closing quote"},
        {"name,x,y\na,1,2\n\xc0\xaf,1,2\n", "t.csv:3:1: this is not UTF-8"},
        {"name,x,y\n\xed\xa0\x80,1,2\n", "t.csv:2:1: this is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char said[256] = "";
        pool *memory = pool_create(NULL);
        result_table t;
        assert_that(!read_text(&t, memory, wrong[i].text, strlen(wrong[i].text), said), "accepted: %s", wrong[i].text);
        assert_that(strstr(said, wrong[i].says) != NULL, "said \"%s\", not \"%s\"", said, wrong[i].says);
        pool_free(memory);
    }
}

LAW(exponent_of_a_power_is_its_exponent) {
    double rounds[1000];
    dossier_value regret[1000];
    for (double power = 0.0; power <= 1.0; power += 0.25) {
        for (int i = 0; i < 1000; i++) {
            rounds[i] = 15.0 * (i + 1);
            regret[i].mean = i < 400 ? 1.0 : 3.0 * pow(rounds[i], power); /* the first half does not count */
        }
        assert_close(dossier_exponent(rounds, regret, 1000), power, 1e-9);
    }
    regret[700].mean = 0.0;
    assert_true(isnan(dossier_exponent(rounds, regret, 1000)));
    assert_true(isnan(dossier_exponent(rounds, regret, 2)));
}

LAW(gnuplot_strings_hold_anything) {
    static const struct {
        const char *text, *string;
    } pairs[] = {
        {"c=1", "'c=1'"},           {"it's `x` \\", "'it’s `x` \\'"}, {"a\nb\tc", "'a b c'"},
        {"12345678", "'12345678'"}, {"123456789", "'12345678…'"},     {"ääääääääää", "'ääääääää…'"},
        {"'a''b", "'’a’’b'"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char made[64] = "";
        FILE *out = fmemopen(made, sizeof made, "w");
        gnuplot_string(out, pairs[i].text, strstr(pairs[i].text, "it") != NULL ? 20 : 8);
        fclose(out);
        assert_string_equal(made, pairs[i].string);
    }
}

/* No font has a character of the last private plane. */
LAW(characters_without_a_glyph_are_spelled_out) {
    static const struct {
        const char *text, *shown;
    } pairs[] = {
        {"c=1", "c=1"},          {"naïve’…", "naïve’…"}, {"a\U0010FFFD.", "a\\U0010fffd."},
        {"\uE9A7b", "\\ue9a7b"}, {"cut\xe5", "cut\xe5"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char made[64] = "";
        FILE *out = fmemopen(made, sizeof made, "w");
        glyphs_put(pairs[i].text, strlen(pairs[i].text), out);
        fclose(out);
        assert_string_equal(made, pairs[i].shown);
    }
}

static bool differ(const style *a, const style *b) {
    return strcmp(a->light, b->light) != 0 || memcmp(a->dash, b->dash, sizeof a->dash) != 0;
}

LAW(no_two_lines_look_the_same) {
    for (size_t i = 0; i < 40; i++)
        for (size_t j = 0; j < i; j++) {
            style a = style_of(DOSSIER_LEARNER, i), b = style_of(DOSSIER_LEARNER, j);
            assert_that(differ(&a, &b), "learners %zu and %zu look the same", j, i);
            a = style_of(DOSSIER_SELECTOR, i), b = style_of(DOSSIER_SELECTOR, j);
            assert_that(differ(&a, &b), "selectors %zu and %zu look the same", j, i);
        }
}

/* ---- over several experiments ------------------------------------------------------------------------------------ */

typedef struct entry {
    const char *name, *role;
    bool shares;
    double regret, ci95;
} entry;

static FILE *begin(const char *directory, const char *file, const char *header) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(header, out);
    return out;
}

/* Writes result files of one round, with the columns that the comparison reads. The names must not need quotes. */
static void write_results(const char *directory, const char *name, const entry *entries, const char *pairs) {
    FILE *summary =
        begin(directory, "summary.csv", "name,role,kind,runs,rounds,regret,regret_ci95,optimal_rate,optimal_ci95\n");
    FILE *curves = begin(directory, "curves.csv", "name,round,regret,regret_ci95,optimal_rate,optimal_ci95\n");
    FILE *selection = begin(directory, "selection.csv", "name,round,learner,share\n");
    FILE *manifest = begin(directory, "manifest.json", "");
    fprintf(manifest, "{\"name\": \"%s\", \"selectors\": [{}", name);
    for (const entry *e = entries; e->name != NULL; e++) {
        fprintf(summary, "%s,%s,kind,9,1,%.17g,%.17g,,\n", e->name, e->role, e->regret, e->ci95);
        fprintf(curves, "%s,1,%.17g,%.17g,,\n", e->name, e->regret, e->ci95);
        if (strcmp(e->role, "selector") != 0) continue;
        fprintf(selection, "%s,1,l,1\n", e->name);
        fprintf(manifest, ", {\"name\": \"%s\", \"share\": %s}", e->name, e->shares ? "true" : "false");
    }
    fputs("], \"learners\": [{\"name\": \"l\"}]}", manifest);
    FILE *all[] = {summary,
                   curves,
                   selection,
                   manifest,
                   begin(directory, "learners.csv", "name,learner,plays,regret,coefficient\n"),
                   begin(directory, "matching.csv", "name,round,learner,chosen,best,z\n"),
                   begin(directory, "claims.csv", "says,holds,verdict,margin,ci95\n"),
                   begin(directory, "pairs.csv", pairs)};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) fclose(all[i]);
}

static void remove_files(const char *directory, const char *const *files, size_t count) {
    char path[96];
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[i]);
        unlink(path);
    }
    rmdir(directory);
}

static void remove_results(const char *directory) {
    static const char *const files[] = {"summary.csv",  "curves.csv", "selection.csv", "manifest.json",
                                        "learners.csv", "claims.csv", "matching.csv",  "pairs.csv"};
    remove_files(directory, files, sizeof files / sizeof files[0]);
}

static dossier *hand_made(const char *name, const entry *entries, const char *pairs, pool *memory) {
    char directory[] = "/tmp/posse-report-XXXXXX";
    assert_non_null(mkdtemp(directory));
    write_results(directory, name, entries, pairs);
    dossier *r = dossier_read(directory, memory, stderr);
    assert_non_null(r);
    remove_results(directory);
    return r;
}

/* Reads the file that comparison_write or scaling_write has written. */
static void read_written(char text[2048], const char *directory, const char *file) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    text[fread(text, 1, 2047, in)] = '\0';
    fclose(in);
    unlink(path);
    rmdir(directory);
}

LAW(winners_are_told_within_their_group) {
    /* "two shared" does not share, in spite of its name. "five" beats all, but in its own group. */
    static const entry entries[] = {{"one", "selector", false, 10, 1},
                                    {"two shared", "selector", false, 10.5, 1},
                                    {"three", "selector", false, 20.1, 2},
                                    {"four", "selector", true, 7, 2},
                                    {"five", "selector", true, 5, 1},
                                    {"l", "learner", false, 1, 0.5},
                                    {NULL, NULL, false, 0, 0}};
    static const char pairs[] = "a,b,difference,ci95\none,two shared,-0.5,0.75\nthree,one,10.1,3\nfour,five,2,2\n"
                                "five,one,-5,1\n";
    static const char expected[] =
        "experiment,share,name,kind,regret,regret_ci95,best,difference,difference_ci95,verdict\n"
        "x,false,one,kind,10,1,one,0,0,best\n"
        "x,false,two shared,kind,10.5,1,one,0.5,0.75,tied\n"
        "x,false,three,kind,20.1,2,one,10.1,3,loses\n"
        "x,true,four,kind,7,2,five,2,2,tied\n"
        "x,true,five,kind,5,1,five,0,0,best\n";
    char directory[] = "/tmp/posse-report-XXXXXX", text[2048];
    pool *memory = pool_create(NULL);
    const dossier *r = hand_made("x", entries, pairs, memory);
    comparison compared, *c = &compared;
    assert_true(comparison_make(c, &r, 1, memory));
    assert_int_equal(c->row_count, 5);
    for (size_t i = 0; i < 5; i++) assert_int_equal(c->rows[i].wins, i == 2 ? 0 : 1);
    assert_non_null(mkdtemp(directory));
    assert_true(comparison_write(c, directory, stderr));
    read_written(text, directory, "comparison.csv");
    assert_string_equal(text, expected);
    dossier_free((dossier *)r);
    pool_free(memory);
}

/* Two groups with a gap between them; every selector is in the series of its group and verdict, and in no other. */
LAW(a_contest_marks_every_selector_once) {
    static const entry entries[] = {{"one", "selector", false, 10, 1},
                                    {"two", "selector", false, 20, 2},
                                    {"three", "selector", true, 7, 2},
                                    {"l", "learner", false, 1, 0.5},
                                    {NULL, NULL, false, 0, 0}};
    static const char *const names[] = {"best or tied, own plays", "loses, own plays", "best or tied, every play",
                                        "loses, every play"};
    static const size_t places[] = {0, 1, 2}; /* of the series that has the selector */
    static const double at[] = {0, 1, 3};
    pool *memory = pool_create(NULL);
    const dossier *r = hand_made("x", entries, "a,b,difference,ci95\none,two,-10,3\n", memory);
    comparison c;
    chart contest;
    assert_true(style_load() && comparison_make(&c, &r, 1, memory) && contest_of_selectors(&c, 0, &contest, memory));
    const chart_panel *p = contest.panels;
    assert_true(contest.lying && p->count == 3 && p->series_count == 4);
    for (size_t i = 0; i < 3; i++) {
        assert_true(p->at[i] == at[i] && strcmp(p->rows[i], c.rows[i].name) == 0);
        for (size_t s = 0; s < 4; s++) assert_true(isnan(p->series[s].values[i].mean) == (s != places[i]));
    }
    for (size_t s = 0; s < 4; s++) {
        assert_string_equal(p->series[s].name, names[s]);
        assert_true(p->series[s].marked && p->series[s].hollow == (s < 2));
    }
    assert_true(p->line_count == 1 && p->lines->from[1] == 1.0 && p->lines->to[1] == 1.0);
    dossier_free((dossier *)r);
    pool_free(memory);
}

LAW(selectors_are_matched_by_name_and_sharing) {
    static const entry first[] = {{"a", "selector", false, 1, 1},
                                  {"b", "selector", false, 2, 1},
                                  {"c", "selector", true, 2, 1},
                                  {NULL, NULL, false, 0, 0}};
    static const entry second[] = {{"b", "selector", false, 1, 1},
                                   {"c", "selector", false, 3, 1},
                                   {"d", "selector", false, 3, 1},
                                   {NULL, NULL, false, 0, 0}};
    pool *memory = pool_create(NULL);
    const dossier *dossiers[] = {hand_made("x", first, "a,b,difference,ci95\na,b,-1,0.5\n", memory),
                                 hand_made("y", second, "a,b,difference,ci95\nb,c,-2,\n", memory),
                                 hand_made("few", first + 1, "a,b,difference,ci95\n", memory)};
    comparison compared, *c = &compared;
    assert_true(comparison_make(c, dossiers, 3, memory));
    static const char *const names[] = {"a", "b", "c", "d", "c"};
    static const size_t wins[] = {1, 1, 0, 0, 1}, met[] = {1, 2, 1, 1, 1}; /* without an interval there is no winner */
    assert_int_equal(c->experiment_count, 2);                              /* two selectors need no table */
    assert_int_equal(c->row_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(c->rows[i].name, names[i]);
        assert_that(c->rows[i].wins == wins[i] && c->rows[i].met == met[i], "row %zu: %zu of %zu", i, c->rows[i].wins,
                    c->rows[i].met);
    }
    assert_true(c->rows[4].shares && !c->rows[2].shares);
    assert_true(comparison_make(c, dossiers + 2, 1, memory));
    assert_int_equal(c->experiment_count, 0);
    for (int i = 0; i < 3; i++) dossier_free((dossier *)dossiers[i]);
    pool_free(memory);
}

LAW(families_are_three_of_one_stem) {
    static const char *const names[] = {"arms-16", "arms-2", "arms-4", "arms", "two-1",    "two-2",
                                        "arms-x",  "-1",     "-2",     "-3",   "arms-x-0", "../p-1"};
    static const entry one[] = {{"a", "selector", false, 1, 1}, {NULL, NULL, false, 0, 0}};
    pool *memory = pool_create(NULL);
    const dossier *dossiers[12];
    for (int i = 0; i < 12; i++) dossiers[i] = hand_made(names[i], one, "a,b,difference,ci95\n", memory);
    const scaling *s = scaling_make(dossiers, 12, memory);
    assert_non_null(s);
    assert_int_equal(s->family_count, 1);
    assert_string_equal(s->families[0].stem, "arms");
    assert_int_equal(s->families[0].member_count, 3);
    assert_true(s->families[0].members[0].size == 2.0 && s->families[0].members[2].size == 16.0);
    for (int i = 0; i < 12; i++) assert_true((scaling_family_of(s, dossiers[i]) != NULL) == (i < 3));
    for (int i = 0; i < 12; i++) dossier_free((dossier *)dossiers[i]);
    pool_free(memory);
}

/* A panel for each kind of learning. Lines to compare with begin in the corner, have their slope, and stay within. */
LAW(growth_has_a_panel_for_each_kind_of_learning) {
    static const char *const names[] = {"arms-2", "arms-4", "arms-16"};
    static const entry entries[] = {{"own", "selector", false, 10, 1},
                                    {"shared", "selector", true, 5, 1},
                                    {"other", "selector", true, 90, 1},
                                    {NULL, NULL, false, 0, 0}};
    pool *memory = pool_create(NULL);
    const dossier *dossiers[3];
    chart growth;
    for (int i = 0; i < 3; i++) dossiers[i] = hand_made(names[i], entries, "a,b,difference,ci95\n", memory);
    const scaling *s = scaling_make(dossiers, 3, memory);
    assert_true(style_load() && s != NULL && growth_of_family(s->families, &growth, memory));
    assert_int_equal(growth.panel_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const chart_panel *p = &growth.panels[i];
        assert_true(p->series_count == i + 1 && p->count == 3 && p->at[2] == 16.0 && p->line_count == 2);
        for (size_t l = 0; l < 2; l++) {
            const double *from = p->lines[l].from, *to = p->lines[l].to;
            double slope = log(to[1] / from[1]) / log(to[0] / from[0]);
            assert_true(from[0] == p->x.low && from[1] == growth.y.low && fabs(slope - (l == 0 ? 0.5 : 1)) < 1e-9);
            assert_true(to[0] < p->x.high * (1 + 1e-9) && to[1] < growth.y.high * (1 + 1e-9));
        }
    }
    for (int i = 0; i < 3; i++) dossier_free((dossier *)dossiers[i]);
    pool_free(memory);
}

/* A standard normal, approximated by the sum of twelve uniforms. */
static double rough_normal(uint64_t *seed) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*seed >> 11) * 0x1p-53;
    }
    return sum;
}

LAW(exponents_of_a_family_are_fitted_by_weight) {
    scaling_member members[] = {{NULL, 2}, {NULL, 4}, {NULL, 8}, {NULL, 16}, {NULL, 32}};
    static const double errors[] = {0.01, 0.03, 0.02, 0.05, 0.01}; /* relative standard errors */
    dossier_value exact[5], noisy[5];
    double weight = 0, mean = 0, spread = 0;
    for (int i = 0; i < 5; i++) {
        double regret = 7 * pow(members[i].size, 0.5);
        exact[i] = (dossier_value){regret, 1.96 * errors[i] * regret};
        weight += 1 / (errors[i] * errors[i]), mean += log(members[i].size) / (errors[i] * errors[i]);
    }
    mean /= weight;
    for (int i = 0; i < 5; i++) spread += pow((log(members[i].size) - mean) / errors[i], 2);
    dossier_value got = scaling_fit(members, exact, 5);
    assert_close(got.mean, 0.5, 1e-12);
    assert_close(got.ci95, 1.96 / sqrt(spread), 1e-12);

    uint64_t seed = 1;
    int covered = 0, times = 4000;
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < 5; i++) {
            double regret = exact[i].mean * (1 + errors[i] * rough_normal(&seed));
            noisy[i] = (dossier_value){regret, exact[i].ci95};
        }
        got = scaling_fit(members, noisy, 5);
        covered += fabs(got.mean - 0.5) <= got.ci95;
    }
    assert_that(abs(covered - times * 95 / 100) < 50, "%d of %d intervals hold the exponent", covered, times);

    exact[1].ci95 = NAN; /* then all weights are equal, and there is no interval */
    got = scaling_fit(members, exact, 5);
    assert_close(got.mean, 0.5, 1e-12);
    assert_true(isnan(got.ci95));
    exact[1].mean = exact[2].mean = exact[3].mean = NAN; /* two sizes are too few for a fit */
    assert_true(isnan(scaling_fit(members, exact, 5).mean));
    exact[1].mean = 0; /* 0 has no logarithm */
    assert_true(isnan(scaling_fit(members, exact, 5).mean));
}

LAW(logarithmic_axes_have_ticks_within_them) {
    for (double low = 1e-5; low < 1e7; low *= 1.37)
        for (double ratio = 1; ratio < 1e12; ratio *= 1.9) {
            axis a = {0};
            axis_hold(&a, (dossier_value){0, NAN});
            axis_hold(&a, (dossier_value){low, NAN});
            axis_hold(&a, (dossier_value){low * ratio, low * ratio / 10});
            axis_finish(&a, 0.05, 3);
            assert_true(a.low < low && a.high > 1.1 * low * ratio);
            assert_that(a.tick_count >= 3 && a.tick_count <= AXIS_TICKS_MAX, "%zu ticks within %g and %g", a.tick_count,
                        a.low, a.high);
            for (size_t i = 0; i < a.tick_count; i++) {
                assert_true(a.ticks[i] >= a.low && a.ticks[i] <= a.high);
                assert_true(i == 0 || a.ticks[i] > a.ticks[i - 1]);
            }
        }
}

/* ---- without memory ---------------------------------------------------------------------------------------------- */

static purse *json_purse; /* jansson's allocator has no context */

static void *json_allocate(size_t size) {
    posse_allocator a = purse_host(json_purse).allocator;
    return a.resize(a.context, NULL, size);
}

static void json_release(void *block) {
    posse_allocator a = purse_host(json_purse).allocator;
    if (block != NULL) a.resize(a.context, block, 0);
}

/* Compares a dossier, and traces a family of it under three names; describes charts of both. */
static bool overview_of(const dossier *r, pool *memory) {
    chart growth, contest;
    dossier named[] = {*r, *r, *r};
    const dossier *dossiers[] = {&named[0], &named[1], &named[2]};
    comparison c;
    named[0].name = "x-1", named[1].name = "x-2", named[2].name = "x-4";
    const scaling *s = scaling_make(dossiers, 3, memory);
    bool made = s != NULL && comparison_make(&c, dossiers, 3, memory);
    assert_true(!made || (s->family_count == 1 && c.row_count == 3));
    return made && growth_of_family(s->families, &growth, memory) && contest_of_selectors(&c, 0, &contest, memory);
}

/* Reads results and describes their charts, with the memory of a purse. NULL: it failed. */
static char *described(const char *directory, purse *p, FILE *messages) {
    posse_allocator allocator = purse_host(p).allocator;
    pool *memory = pool_create(&allocator);
    dossier *r = dossier_read(directory, memory, messages);
    const charts *all = r != NULL && prominence_set(r) ? charts_make(r, memory) : NULL;
    json_t *json = all != NULL && overview_of(r, memory) ? charts_json(all) : NULL;
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    dossier_free(r);
    pool_free(memory);
    return text;
}

static const entry three_and_learners[] = {{"a", "selector", false, 10, 1},
                                           {"b", "selector", false, 10.5, 1},
                                           {"c", "selector", true, 20.1, 2},
                                           {"l", "learner", false, 1, 0.5},
                                           {NULL, NULL, false, 0, 0}};

/* The n-th allocation fails and so do all after it: the report fails, and everything else is released. */
LAW(charts_that_lack_memory_fail_and_leak_nothing) {
    char directory[] = "/tmp/posse-report-XXXXXX";
    FILE *messages = fopen("/dev/null", "w");
    assert_true(messages != NULL && style_load() && mkdtemp(directory) != NULL);
    write_results(directory, "x", three_and_learners, "a,b,difference,ci95\na,b,-0.5,0.75\n");
    json_set_alloc_funcs(json_allocate, json_release);
    purse whole = {0};
    json_purse = &whole;
    char *text = described(directory, &whole, messages);
    assert_non_null(text);
    json_release(text);
    assert_int_equal(whole.blocks, 0);
    for (size_t n = 1; n <= whole.calls; n++) {
        purse p = {.fail_at = n};
        json_purse = &p;
        assert_that(described(directory, &p, messages) == NULL, "allocation %zu of %zu", n, whole.calls);
        assert_that(p.blocks == 0, "allocation %zu of %zu leaves %zu blocks", n, whole.calls, p.blocks);
    }
    json_set_alloc_funcs(malloc, free);
    fclose(messages);
    remove_results(directory);
}

/* The same for the data of the page: there is a whole page or none. */
LAW(a_page_that_lacks_memory_is_not_written) {
    char directory[] = "/tmp/posse-report-XXXXXX", page[] = "/tmp/posse-report-XXXXXX", path[64];
    static const char *const files[] = {"index.html", "index.html.tmp"};
    pool *memory = pool_create(NULL);
    dossier *r = hand_made("x", three_and_learners, "a,b,difference,ci95\n", memory);
    assert_true(prominence_set(r));
    const charts *all = charts_make(r, memory);
    FILE *messages = fopen("/dev/null", "w");
    assert_true(all != NULL && messages != NULL && mkdtemp(page) != NULL && mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/index.html", page);
    json_set_alloc_funcs(json_allocate, json_release);
    purse whole = {0};
    json_purse = &whole;
    assert_true(page_make(r, all, directory, messages));
    for (size_t n = 1; n <= whole.calls; n++) {
        purse p = {.fail_at = n};
        json_purse = &p;
        assert_that(!page_make(r, all, page, messages), "allocation %zu of %zu", n, whole.calls);
        assert_that(access(path, F_OK) != 0 && p.blocks == 0, "allocation %zu leaves %zu blocks", n, p.blocks);
    }
    json_set_alloc_funcs(malloc, free);
    remove_files(directory, files, 2);
    remove_files(page, files, 2);
    fclose(messages);
    dossier_free(r);
    pool_free(memory);
}

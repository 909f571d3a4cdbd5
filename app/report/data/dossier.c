/* SPDX-License-Identifier: MIT */
#include "report/data/dossier.h"

#include <math.h>
#include <string.h>

#include "common/json_text.h"
#include "common/text.h"
#include "report/data/trend.h"

const char *const dossier_roles[] = {"selector", "learner", "oracle", "log"};

static bool read_manifest(dossier *r, const char *directory, FILE *messages) {
    const char *path = pool_format(r->memory, "%s/manifest.json", directory);
    json_error_t error;
    if (path == NULL) return false;
    r->manifest = json_text_read_file(path, JSON_REJECT_DUPLICATES, &error);
    if (r->manifest == NULL && json_error_code(&error) == json_error_out_of_memory)
        pool_fail(r->memory);
    else if (r->manifest == NULL && error.line < 1)
        fprintf(messages, "%s: cannot be read: %s\n", path, error.text);
    else if (r->manifest == NULL)
        fprintf(messages, "%s:%d:%d: %s\n", path, error.line, error.column, error.text);
    else if (!json_is_string(json_object_get(r->manifest, "name")))
        fprintf(messages, "%s:1: there is no text \"name\"\n", path);
    else
        r->name = dossier_text(r, "name");
    if (r->name != NULL) r->title = dossier_text(r, "title");
    if (r->name != NULL && r->title[0] == '\0') r->title = r->name;
    return r->name != NULL;
}

static bool selector_shares(const dossier *r, const char *name) {
    const json_t *listed = json_object_get(r->manifest, "selectors");
    for (size_t i = 0; i < json_array_size(listed); i++) {
        const json_t *selector = json_array_get(listed, i);
        const char *called = json_string_value(json_object_get(selector, "name"));
        if (called != NULL && strcmp(called, name) == 0) return json_is_true(json_object_get(selector, "share"));
    }
    return false;
}

static dossier_value value_at(const result_table_cell *row, size_t mean, size_t ci95) {
    return (dossier_value){row[mean].number, row[ci95].number};
}

static dossier_value optimal_at(const dossier *r, const result_table_cell *row, size_t mean, size_t ci95) {
    return r->has_value ? (dossier_value){NAN, NAN} : value_at(row, mean, ci95);
}

static bool dossier_is_named(const dossier *r, size_t count, const char *name) {
    size_t i = 0;
    while (i < count && strcmp(r->competitors[i].name, name) != 0) i++;
    return i < count;
}

static bool read_competitors(dossier *r, FILE *messages) {
    const result_table *t = &r->tables[TABLE_SUMMARY];
    size_t selectors = 0;
    r->competitors = pool_array(r->memory, t->rows, sizeof *r->competitors);
    if (r->competitors == NULL) return false;
    if (t->rows == 0) return result_table_wrong(t, 0, messages, "there is no competitor");
    for (size_t i = 0; i < t->rows; i++) {
        const result_table_cell *row = result_table_row(t, i);
        const char *name = row[SUMMARY_CSV_NAME].text, *said = row[SUMMARY_CSV_ROLE].text;
        size_t role = 0;
        r->runs = row[SUMMARY_CSV_RUNS].number;
        while (role < DOSSIER_ROLES && strcmp(said, dossier_roles[role]) != 0) role++;
        if (role == DOSSIER_ROLES)
            return result_table_wrong(t, i, messages, "role is \"%.40s\", not selector, learner, oracle or log", said);
        if (role == 0 && selectors < i) return result_table_wrong(t, i, messages, "selectors come before all others");
        if (dossier_is_named(r, i, name)) return result_table_wrong(t, i, messages, "\"%.40s\" is there twice", name);
        selectors += role == 0;
        r->competitors[i] =
            (dossier_competitor){.name = name,
                                 .kind = row[SUMMARY_CSV_KIND].text,
                                 .role = (dossier_role)role,
                                 .shares = role == 0 && selector_shares(r, name),
                                 .regret = value_at(row, SUMMARY_CSV_REGRET, SUMMARY_CSV_REGRET_CI95),
                                 .optimal = optimal_at(r, row, SUMMARY_CSV_OPTIMAL_RATE, SUMMARY_CSV_OPTIMAL_CI95),
                                 .effective = r->has_value ? row[SUMMARY_CSV_EFFECTIVE].number : NAN};
    }
    r->competitor_count = t->rows;
    r->selector_count = selectors;
    return true;
}

static size_t learner_index(const dossier *r, const char *name) {
    size_t m = 0;
    while (m < r->learner_count && strcmp(r->learners[m].name, name) != 0) m++;
    return m;
}

/* Adds a learner, unless it is in the list or has no name. */
static void dossier_add_learner(dossier *r, const char *name) {
    if (name != NULL && learner_index(r, name) == r->learner_count) r->learners[r->learner_count++].name = name;
}

/*
 * The learners are in the order of the experiment file; a selector may list its own in another order. Learners that the
 * manifest does not have come from the tables.
 */
static bool dossier_read_learners(dossier *r) {
    const result_table *t = &r->tables[TABLE_LEARNERS];
    const json_t *listed = json_object_get(r->manifest, "learners");
    size_t most = json_array_size(listed) + t->rows + r->competitor_count;
    r->learners = pool_array(r->memory, most, sizeof *r->learners);
    if (r->learners == NULL) return false;
    for (size_t i = 0; i < json_array_size(listed); i++)
        dossier_add_learner(r, json_string_value(json_object_get(json_array_get(listed, i), "name")));
    for (size_t i = 0; i < t->rows; i++) dossier_add_learner(r, result_table_row(t, i)[LEARNERS_CSV_LEARNER].text);
    for (size_t c = 0; c < r->competitor_count; c++)
        if (r->competitors[c].role == DOSSIER_LEARNER) dossier_add_learner(r, r->competitors[c].name);
    return true;
}

/* The rows of the first competitor show which rounds are recorded. */
static bool read_rounds(dossier *r, FILE *messages) {
    const result_table *t = &r->tables[TABLE_CURVES];
    const char *first = r->competitors[0].name;
    size_t count = 0;
    while (count < t->rows && strcmp(result_table_row(t, count)[CURVES_CSV_NAME].text, first) == 0) count++;
    if (count == 0) return result_table_wrong(t, 0, messages, "there are no rounds of \"%.40s\"", first);
    r->round_count = count;
    r->rounds = pool_array(r->memory, count, sizeof *r->rounds);
    if (r->rounds == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        r->rounds[i] = result_table_row(t, i)[CURVES_CSV_ROUND].number;
        if (r->rounds[i] < 1 || (i > 0 && r->rounds[i] <= r->rounds[i - 1]))
            return result_table_wrong(t, i, messages, "rounds count up from 1, and %g does not", r->rounds[i]);
    }
    return true;
}

static bool dossier_read_curves(dossier *r, FILE *messages) {
    const result_table *t = &r->tables[TABLE_CURVES];
    if (!read_rounds(r, messages)) return false;
    size_t count = r->round_count;
    r->regret = pool_array(r->memory, count * r->competitor_count, sizeof *r->regret);
    r->optimal = pool_array(r->memory, count * r->competitor_count, sizeof *r->optimal);
    if (r->has_value) r->effective = pool_array(r->memory, count * r->competitor_count, sizeof *r->effective);
    if (pool_failed(r->memory)) return false;
    for (size_t i = 0; i < t->rows; i++) {
        const result_table_cell *row = result_table_row(t, i);
        const char *name = row[CURVES_CSV_NAME].text;
        const char *expected = i / count < r->competitor_count ? r->competitors[i / count].name : NULL;
        double round = row[CURVES_CSV_ROUND].number;
        if (expected == NULL) return result_table_wrong(t, i, messages, "a row more than the competitors have");
        if (strcmp(name, expected) != 0 || round != r->rounds[i % count])
            return result_table_wrong(t, i, messages, "\"%.40s\", round %g where \"%.40s\", round %g should follow",
                                      name, round, expected, r->rounds[i % count]);
        r->regret[i] = value_at(row, CURVES_CSV_REGRET, CURVES_CSV_REGRET_CI95);
        r->optimal[i] = optimal_at(r, row, CURVES_CSV_OPTIMAL_RATE, CURVES_CSV_OPTIMAL_CI95);
        if (r->has_value) r->effective[i] = row[CURVES_CSV_EFFECTIVE].number;
        r->has_optimal |= !isnan(r->optimal[i].mean);
    }
    if (t->rows != count * r->competitor_count)
        return result_table_wrong(t, t->rows - 1, messages,
                                  "the file ends after %zu rows; %zu competitors have %zu rounds each", t->rows,
                                  r->competitor_count, count);
    return true;
}

static bool read_tasks(dossier *r, FILE *messages) {
    const result_table *t = &r->tables[TABLE_TASKS];
    if (r->task_count == 1) return true;
    size_t count = r->task_count * r->competitor_count;
    r->task_regret = pool_array(r->memory, count, sizeof *r->task_regret);
    if (r->task_regret == NULL) return false;
    for (size_t i = 0; i < t->rows && i < count; i++) {
        const result_table_cell *row = result_table_row(t, i);
        const char *name = row[TASKS_CSV_NAME].text, *expected = r->competitors[i / r->task_count].name;
        size_t task = i % r->task_count + 1;
        if (strcmp(name, expected) != 0 || row[TASKS_CSV_TASK].number != (double)task)
            return result_table_wrong(t, i, messages, "\"%.40s\", task %g where \"%.40s\", task %zu should follow",
                                      name, row[TASKS_CSV_TASK].number, expected, task);
        r->task_regret[i] = value_at(row, TASKS_CSV_REGRET, TASKS_CSV_REGRET_CI95);
    }
    if (t->rows == count) return true;
    return result_table_wrong(t, t->rows > 0 ? t->rows - 1 : 0, messages,
                              "%zu rows; %zu competitors have %zu tasks each", t->rows, r->competitor_count,
                              r->task_count);
}

/* A selector may have only some of the learners; it chose the others in no run, and so their share is 0. */
static bool read_selection(dossier *r, FILE *messages) {
    const result_table *t = &r->tables[TABLE_SELECTION];
    size_t s = 0, p = 0;
    r->share = pool_array(r->memory, r->selector_count * r->learner_count * r->round_count, sizeof *r->share);
    if (r->share == NULL) return false;
    for (size_t i = 0; i < t->rows; i++) {
        const result_table_cell *row = result_table_row(t, i);
        const char *name = row[SELECTION_CSV_NAME].text, *learner = row[SELECTION_CSV_LEARNER].text;
        double round = row[SELECTION_CSV_ROUND].number, share = row[SELECTION_CSV_SHARE].number;
        size_t m = learner_index(r, learner);
        if (m == r->learner_count) return result_table_wrong(t, i, messages, "\"%.40s\" is no learner", learner);
        if (p + 1 < r->round_count && round == r->rounds[p + 1]) p++;
        if (s + 1 < r->selector_count && strcmp(name, r->competitors[s + 1].name) == 0) s++, p = 0;
        if (s >= r->selector_count || strcmp(name, r->competitors[s].name) != 0 || round != r->rounds[p])
            return result_table_wrong(t, i, messages, "\"%.40s\", round %g is out of place", name, round);
        if (share < 0 || share > 1) return result_table_wrong(t, i, messages, "share is %g, not within 0 and 1", share);
        if (!isnan(share)) r->share[(s * r->learner_count + m) * r->round_count + p] = share;
    }
    if (r->selector_count > 0 && (s + 1 < r->selector_count || p + 1 < r->round_count))
        return result_table_wrong(t, t->rows > 0 ? t->rows - 1 : 0, messages,
                                  "the file ends before the last selector's last round");
    return true;
}

static bool read_verdicts(const dossier *r, FILE *messages) {
    const result_table *t = &r->tables[TABLE_CLAIMS];
    size_t known = dossier_verdicts(r, "holds") + dossier_verdicts(r, "fails") + dossier_verdicts(r, "undecided");
    for (size_t i = 0; known < t->rows && i < t->rows; i++) {
        const char *verdict = result_table_row(t, i)[CLAIMS_CSV_VERDICT].text;
        if (strcmp(verdict, "holds") != 0 && strcmp(verdict, "fails") != 0 && strcmp(verdict, "undecided") != 0)
            return result_table_wrong(t, i, messages, "verdict is \"%.40s\", not holds, fails or undecided", verdict);
    }
    return true;
}

dossier *dossier_create(pool *memory) {
    dossier *r = pool_allocate(memory, sizeof *r);
    if (r != NULL) r->memory = memory;
    return r;
}

static bool read_tables(dossier *r, const char *directory, FILE *messages) {
    for (int i = 0; i < TABLE_COUNT; i++)
        if (table_is_there(i, r->task_count > 1 ? 2 : 1) &&
            !result_table_read(&r->tables[i], directory, table_format_of(i, r->has_value), r->memory, messages))
            return false;
    return true;
}

static bool dossier_read_files(dossier *r, const char *directory, FILE *messages) {
    if (!read_manifest(r, directory, messages)) return false;
    r->has_value = strcmp(dossier_text(r, "measure"), "value") == 0;
    json_int_t tasks = json_integer_value(json_object_get(r->manifest, "tasks"));
    r->task_count = tasks > 1 ? (size_t)tasks : 1;
    return read_tables(r, directory, messages) && read_competitors(r, messages) && dossier_read_learners(r) &&
           dossier_read_curves(r, messages) && read_selection(r, messages) && read_verdicts(r, messages) &&
           read_tasks(r, messages);
}

dossier *dossier_read(const char *directory, pool *memory, FILE *messages) {
    dossier *r = dossier_create(memory);
    if (r == NULL || !dossier_read_files(r, directory, messages)) {
        if (pool_failed(memory)) fprintf(messages, "%s: there is no memory to read it\n", directory);
        dossier_free(r);
        return NULL;
    }
    for (size_t c = 0; c < r->competitor_count; c++)
        r->competitors[c].exponent =
            r->has_value ? NAN : dossier_exponent(r->rounds, r->regret + c * r->round_count, r->round_count);
    return r;
}

void dossier_free(dossier *r) {
    if (r != NULL) json_decref(r->manifest);
}

const char *dossier_text(const dossier *r, const char *key) {
    const char *text = json_string_value(json_object_get(r->manifest, key));
    return text != NULL ? text : "";
}

void dossier_put_value(FILE *out, dossier_value value, char after) {
    text_put_number(out, value.mean, ',');
    text_put_number(out, value.ci95, after);
}

dossier_value dossier_difference(const dossier *r, const char *a, const char *b) {
    const result_table *t = &r->tables[TABLE_PAIRS];
    for (size_t i = 0; i < t->rows; i++) {
        const result_table_cell *row = result_table_row(t, i);
        const char *first = row[PAIRS_CSV_A].text, *second = row[PAIRS_CSV_B].text;
        dossier_value difference = value_at(row, PAIRS_CSV_DIFFERENCE, PAIRS_CSV_CI95);
        if (strcmp(first, a) == 0 && strcmp(second, b) == 0) return difference;
        if (strcmp(first, b) == 0 && strcmp(second, a) == 0) return (dossier_value){-difference.mean, difference.ci95};
    }
    return (dossier_value){NAN, NAN};
}

const dossier_competitor *dossier_best_learner(const dossier *r) {
    const dossier_competitor *best = NULL;
    for (size_t c = 0; c < r->competitor_count; c++) {
        const dossier_competitor *one = &r->competitors[c];
        bool better = best == NULL ||
                      (r->has_value ? one->regret.mean > best->regret.mean : one->regret.mean < best->regret.mean);
        if (one->role == DOSSIER_LEARNER && better) best = one;
    }
    return best;
}

size_t dossier_verdicts(const dossier *r, const char *verdict) {
    const result_table *t = &r->tables[TABLE_CLAIMS];
    size_t count = 0;
    for (size_t i = 0; i < t->rows; i++) count += strcmp(result_table_row(t, i)[CLAIMS_CSV_VERDICT].text, verdict) == 0;
    return count;
}

double dossier_exponent(const double *rounds, const dossier_value *regret, size_t count) {
    trend line = {0};
    for (size_t i = 0; i < count; i++) {
        if (2 * rounds[i] < rounds[count - 1]) continue;
        if (!(regret[i].mean > 0)) return NAN;
        trend_add(&line, log(rounds[i]), log(regret[i].mean), 1);
    }
    return trend_slope(&line);
}

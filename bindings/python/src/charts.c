/* SPDX-License-Identifier: MIT */
#include "python/src/charts.h"

#include <math.h>
#include <stdlib.h>

#include "common/json_text.h"
#include "experiment/store/parts.h"
#include "python/src/errors.h"
#include "report/chart/chart.h"
#include "report/chart/prominence.h"
#include "report/data/heap.h"

static PyObject *charts_text(record *r) {
    prominence_set(r);
    charts *all = charts_make(r);
    json_t *described = charts_json(all);
    char *text = json_text(described, JSON_TEXT_COMPACT);
    PyObject *out = text != NULL ? PyUnicode_FromString(text) : PyErr_NoMemory();
    free(text);
    json_decref(described);
    charts_free(all);
    return out;
}

/* ---- from memory ------------------------------------------------------------------------------------------------- */

static record_value *copy_estimates(const estimate *from, size_t count) {
    record_value *out = heap_get(count, sizeof *out);
    for (size_t i = 0; i < count; i++) out[i] = (record_value){from[i].mean, from[i].ci95};
    return out;
}

static void copy_competitors(const outcome *o, record *r) {
    const agenda *a = o->agenda;
    r->competitor_count = (size_t)a->competitors;
    r->selector_count = (size_t)a->selectors;
    r->competitors = heap_get(r->competitor_count, sizeof *r->competitors);
    for (int c = 0; c < a->competitors; c++)
        r->competitors[c] = (record_competitor){
            .name = a->competitor[c].name,
            .kind = a->competitor[c].kind,
            .role = (record_role)a->competitor[c].role,
            .regret = {o->results->regret[c].mean, o->results->regret[c].ci95},
        };
    r->learner_count = (size_t)a->learners;
    r->learners = heap_get(r->learner_count, sizeof *r->learners);
    for (int m = 0; m < a->learners; m++) r->learners[m].name = o->experiment->learners[m].name;
}

/* The results have the learners of a round together, the record the rounds of a learner. */
static void copy_shares(const results *from, record *r) {
    r->share = heap_get(r->selector_count * r->learner_count * r->round_count, sizeof *r->share);
    for (size_t s = 0; s < r->selector_count; s++)
        for (size_t p = 0; p < r->round_count; p++)
            for (size_t m = 0; m < r->learner_count; m++)
                r->share[(s * r->learner_count + m) * r->round_count + p] =
                    from->share[(s * r->round_count + p) * r->learner_count + m];
}

static void copy_curves(const outcome *o, record *r) {
    const agenda *a = o->agenda;
    r->round_count = (size_t)a->point_count;
    r->rounds = heap_get(r->round_count, sizeof *r->rounds);
    for (size_t p = 0; p < r->round_count; p++) r->rounds[p] = (double)a->points[p];
    size_t count = r->competitor_count * r->round_count;
    r->regret = copy_estimates(o->results->regret_curve, count);
    r->optimal = copy_estimates(o->results->optimal_curve, count);
    for (size_t i = 0; i < count && !a->logged; i++) r->has_optimal |= !isnan(r->optimal[i].mean);
    r->task_count = (size_t)a->tasks;
    if (a->tasks > 1) r->task_regret = copy_estimates(o->results->task_regret, r->competitor_count * r->task_count);
}

/* What record_read would return after the results had been written, as far as charts use it. */
static record *record_of(const outcome *o) {
    record *r = heap_get(1, sizeof *r);
    r->manifest = parts_json(o->experiment);
    r->name = o->experiment->name;
    r->title = o->experiment->title;
    r->runs = o->experiment->runs;
    r->has_value = o->agenda->logged;
    copy_competitors(o, r);
    copy_curves(o, r);
    copy_shares(o->results, r);
    return r;
}

PyObject *charts_of_outcome(PyObject *self, PyObject *unused) {
    (void)unused;
    record *r = record_of((const outcome *)self);
    PyObject *text = charts_text(r);
    record_free(r);
    return text;
}

/* ---- from files -------------------------------------------------------------------------------------------------- */

PyObject *charts_of_folder(PyObject *self, PyObject *path) {
    (void)self;
    PyObject *bytes, *text = NULL;
    char *said = NULL;
    size_t size;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    FILE *messages = open_memstream(&said, &size);
    record *r = messages != NULL ? record_read(PyBytes_AsString(bytes), messages) : NULL;
    if (messages != NULL) fclose(messages);
    if (r != NULL)
        text = charts_text(r);
    else
        errors_raise_named("RunError", "", said != NULL ? said : "there is no memory");
    record_free(r);
    free(said);
    Py_DECREF(bytes);
    return text;
}

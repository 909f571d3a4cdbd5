/* SPDX-License-Identifier: MIT */
#include "python/src/charts.h"

#include <math.h>
#include <stdlib.h>

#include "common/json_text.h"
#include "common/pool.h"
#include "experiment/store/parts.h"
#include "python/src/errors.h"
#include "report/chart/chart.h"
#include "report/chart/prominence.h"

static PyObject *charts_text(dossier *r) {
    const charts *all = prominence_set(r) ? charts_make(r, r->memory) : NULL;
    json_t *described = all != NULL ? charts_json(all) : NULL;
    char *text = described != NULL ? json_text(described, JSON_TEXT_COMPACT) : NULL;
    PyObject *out = text != NULL ? PyUnicode_FromString(text) : PyErr_NoMemory();
    free(text);
    json_decref(described);
    return out;
}

/* ---- from memory ------------------------------------------------------------------------------------------------- */

static dossier_value *copy_estimates(const estimate *from, size_t count, pool *memory) {
    dossier_value *out = pool_array(memory, count, sizeof *out);
    for (size_t i = 0; out != NULL && i < count; i++) out[i] = (dossier_value){from[i].mean, from[i].ci95};
    return out;
}

static bool copy_competitors(const outcome *o, dossier *r) {
    const agenda *a = o->agenda;
    r->competitor_count = (size_t)a->competitors;
    r->selector_count = (size_t)a->selectors;
    r->learner_count = (size_t)a->learners;
    r->competitors = pool_array(r->memory, r->competitor_count, sizeof *r->competitors);
    r->learners = pool_array(r->memory, r->learner_count, sizeof *r->learners);
    if (pool_failed(r->memory)) return false;
    for (int c = 0; c < a->competitors; c++)
        r->competitors[c] = (dossier_competitor){
            .name = a->competitor[c].name,
            .kind = a->competitor[c].kind,
            .role = (dossier_role)a->competitor[c].role,
            .regret = {o->results->regret[c].mean, o->results->regret[c].ci95},
        };
    for (int m = 0; m < a->learners; m++) r->learners[m].name = o->experiment->learners[m].name;
    return true;
}

/* The results have the learners of a round together, the dossier the rounds of a learner. */
static bool copy_shares(const results *from, dossier *r) {
    r->share = pool_array(r->memory, r->selector_count * r->learner_count * r->round_count, sizeof *r->share);
    if (r->share == NULL) return false;
    for (size_t s = 0; s < r->selector_count; s++)
        for (size_t p = 0; p < r->round_count; p++)
            for (size_t m = 0; m < r->learner_count; m++)
                r->share[(s * r->learner_count + m) * r->round_count + p] =
                    from->share[(s * r->round_count + p) * r->learner_count + m];
    return true;
}

static bool copy_curves(const outcome *o, dossier *r) {
    const agenda *a = o->agenda;
    r->round_count = (size_t)a->point_count;
    r->task_count = (size_t)a->tasks;
    size_t count = r->competitor_count * r->round_count;
    r->rounds = pool_array(r->memory, r->round_count, sizeof *r->rounds);
    r->regret = copy_estimates(o->results->regret_curve, count, r->memory);
    r->optimal = copy_estimates(o->results->optimal_curve, count, r->memory);
    if (a->tasks > 1)
        r->task_regret = copy_estimates(o->results->task_regret, r->competitor_count * r->task_count, r->memory);
    if (pool_failed(r->memory)) return false;
    for (size_t p = 0; p < r->round_count; p++) r->rounds[p] = (double)a->points[p];
    for (size_t i = 0; i < count && !a->logged; i++) r->has_optimal |= !isnan(r->optimal[i].mean);
    return true;
}

/* Sets what dossier_read would set after the results had been written, as far as charts use it. False: no memory. */
static bool copy_outcome(const outcome *o, dossier *r) {
    r->manifest = parts_json(o->experiment);
    r->name = o->experiment->name;
    r->title = o->experiment->title;
    r->runs = o->experiment->runs;
    r->has_value = o->agenda->logged;
    return r->manifest != NULL && copy_competitors(o, r) && copy_curves(o, r) && copy_shares(o->results, r);
}

PyObject *charts_of_outcome(PyObject *self, PyObject *unused) {
    (void)unused;
    pool *memory = pool_create(NULL);
    dossier *r = dossier_create(memory);
    PyObject *text = r != NULL && copy_outcome((const outcome *)self, r) ? charts_text(r) : PyErr_NoMemory();
    dossier_free(r);
    pool_free(memory);
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
    pool *memory = pool_create(NULL);
    dossier *r = messages != NULL ? dossier_read(PyBytes_AsString(bytes), memory, messages) : NULL;
    if (messages != NULL) fclose(messages);
    if (r != NULL)
        text = charts_text(r);
    else if (pool_failed(memory) || said == NULL)
        PyErr_NoMemory();
    else
        errors_raise_named("RunError", "", said);
    dossier_free(r);
    pool_free(memory);
    free(said);
    Py_DECREF(bytes);
    return text;
}

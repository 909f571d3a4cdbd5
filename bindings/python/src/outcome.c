/* SPDX-License-Identifier: MIT */
#include "python/src/outcome.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plugin.h"
#include "cli/text_table.h"
#include "common/text.h"
#include "experiment/record/curves.h"
#include "experiment/record/doubt.h"
#include "experiment/store/output.h"
#include "python/src/array.h"
#include "python/src/charts.h"
#include "python/src/errors.h"

/* ------------------------------------------------ making, taking ------------------------------------------------- */

static void raise_no_place(int error) {
    char reason[600];
    snprintf(reason, sizeof reason, "the runs cannot be kept in %s (the folder that TMPDIR names, or /tmp): %s",
             spool_place(), strerror(error));
    if (error == ENOMEM)
        PyErr_NoMemory();
    else
        errors_raise_named("RunError", "", reason);
}

outcome *outcome_new(experiment *e) {
    outcome *o = module_allocate(module.outcome, 0);
    if (o == NULL) {
        experiment_free(e);
        return NULL;
    }
    o->experiment = e;
    o->saving = PyThread_allocate_lock();
    o->agenda = agenda_make(e);
    if (o->agenda != NULL)
        o->runs_regret = calloc((size_t)e->runs * (size_t)o->agenda->competitors, sizeof *o->runs_regret);
    if (o->runs_regret == NULL || o->saving == NULL)
        PyErr_NoMemory();
    else if (spool_open(&o->spool, o->agenda))
        return o;
    else
        raise_no_place(errno);
    Py_DECREF(o);
    return NULL;
}

bool outcome_take(outcome *o, const block *b) {
    const sheet *shape = &o->spool.shape;
    size_t competitors = (size_t)o->agenda->competitors, at = (size_t)(shape->final_regret - shape->numbers);
    for (uint32_t i = 0; i < b->count; i++)
        memcpy(o->runs_regret + (size_t)(b->first + i) * competitors, b->heads + i * shape->head_count + at,
               competitors * sizeof *o->runs_regret);
    return spool_take(&o->spool, b);
}

static void outcome_dealloc(PyObject *self) {
    outcome *o = (outcome *)self;
    spool_close(&o->spool);
    if (o->saving != NULL) PyThread_free_lock(o->saving);
    free(o->runs_regret);
    results_free(o->results);
    agenda_free(o->agenda);
    experiment_free(o->experiment);
    module_free(self);
}

/* ---------------------------------------------------- arrays ----------------------------------------------------- */

/* Numbers in results: the offset of the pointer to them, and their axes (the letters of agenda.h). */
typedef struct quantity {
    size_t pointer;
    size_t stride; /* from one number to the next: an estimate has two numbers */
    size_t shift;  /* within an estimate */
    const char *axes;
} quantity;

#define MEAN(field, axes)                                                                                              \
    { offsetof(results, field), sizeof(estimate), offsetof(estimate, mean), axes }
#define HALF(field, axes)                                                                                              \
    { offsetof(results, field), sizeof(estimate), offsetof(estimate, ci95), axes }
#define REAL(field, axes)                                                                                              \
    { offsetof(results, field), sizeof(double), 0, axes }

static Py_ssize_t axis_size(const agenda *a, char axis) {
    switch (axis) {
    case 'C':
        return a->competitors;
    case 'P':
        return a->point_count;
    case 'S':
        return a->selectors;
    case 'M':
        return a->learners;
    case 'N':
        return a->tasks;
    default: /* pairs */
        return (Py_ssize_t)a->competitors * (a->competitors - 1) / 2;
    }
}

static PyObject *get_array(PyObject *self, void *quantity_) {
    const outcome *o = (const outcome *)self;
    const quantity *q = quantity_;
    const char *numbers;
    memcpy(&numbers, (const char *)o->results + q->pointer, sizeof numbers);
    array_shape shape = {.data = numbers + q->shift, .format = 'd', .axes = (int)strlen(q->axes)};
    Py_ssize_t stride = (Py_ssize_t)q->stride;
    for (int i = shape.axes; i-- > 0;) {
        shape.sizes[i] = axis_size(o->agenda, q->axes[i]);
        shape.strides[i] = stride;
        stride *= shape.sizes[i];
    }
    return array_over(self, &shape);
}

static PyObject *get_runs_regret(PyObject *self, void *unused) {
    (void)unused;
    const outcome *o = (const outcome *)self;
    Py_ssize_t competitors = o->agenda->competitors, size = sizeof(double);
    array_shape shape = {.data = o->runs_regret,
                         .format = 'd',
                         .axes = 2,
                         .sizes = {competitors, o->experiment->runs},
                         .strides = {size, competitors * size}};
    return array_over(self, &shape);
}

/* The quantity that is in the place of regret. */
static PyObject *get_measure(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(((const outcome *)self)->agenda->logged ? "value" : "regret");
}

static PyObject *get_recorded(PyObject *self, void *unused) {
    (void)unused;
    const outcome *o = (const outcome *)self;
    array_shape shape = {.data = o->agenda->points,
                         .format = 'Q',
                         .axes = 1,
                         .sizes = {o->agenda->point_count},
                         .strides = {sizeof(uint64_t)}};
    return array_over(self, &shape);
}

/* ---------------------------------------------------- words ------------------------------------------------------ */

/* A tuple of `count` entries. */
static PyObject *tuple_of(const outcome *o, int count, PyObject *(*entry)(const outcome *o, int place)) {
    PyObject *all = PyTuple_New(count);
    for (int i = 0; all != NULL && i < count; i++) {
        PyObject *one = entry(o, i);
        if (one == NULL || PyTuple_SetItem(all, i, one) != 0) Py_CLEAR(all);
    }
    return all;
}

static PyObject *competitor_at(const outcome *o, int place) {
    const competitor *c = &o->agenda->competitor[place];
    return Py_BuildValue("sss", c->name, competitor_role_name(c->role), c->kind);
}

static PyObject *learner_at(const outcome *o, int place) {
    return PyUnicode_FromString(o->experiment->learners[place].name);
}

static PyObject *claim_at(const outcome *o, int place) {
    const claim *c = &o->experiment->claims[place];
    const claim_result *r = &o->results->claims[place];
    return Py_BuildValue("sssdd", c->says, c->holds, claim_verdict_name(r->verdict), r->margin, r->ci95);
}

static PyObject *get_competitors(PyObject *self, void *unused) {
    (void)unused;
    const outcome *o = (const outcome *)self;
    return tuple_of(o, o->agenda->competitors, competitor_at);
}

static PyObject *get_learners(PyObject *self, void *unused) {
    (void)unused;
    const outcome *o = (const outcome *)self;
    return tuple_of(o, o->agenda->learners, learner_at);
}

static PyObject *get_claims(PyObject *self, void *unused) {
    (void)unused;
    const outcome *o = (const outcome *)self;
    return tuple_of(o, o->experiment->claim_count, claim_at);
}

static PyObject *get_name(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(((outcome *)self)->experiment->name);
}

static PyObject *get_title(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(((outcome *)self)->experiment->title);
}

static PyObject *get_source(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(((outcome *)self)->experiment->source);
}

static PyObject *get_rounds(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLongLong(((outcome *)self)->experiment->rounds);
}

static PyObject *get_tasks(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((outcome *)self)->agenda->tasks);
}

static PyObject *get_runs(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLong(((outcome *)self)->experiment->runs);
}

static PyObject *get_seed(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLongLong(((outcome *)self)->experiment->seed);
}

static PyObject *get_hash(PyObject *self, void *unused) {
    (void)unused;
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, ((outcome *)self)->results->hash);
    return PyUnicode_FromString(text);
}

static PyObject *get_seconds(PyObject *self, void *unused) {
    (void)unused;
    return PyFloat_FromDouble(((outcome *)self)->results->seconds);
}

static PyObject *get_threads(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((outcome *)self)->results->threads);
}

/* What there is to warn of: pairs of the name of a doubt, or "device", and its text. */
static PyObject *get_doubts(PyObject *self, void *unused) {
    (void)unused;
    const outcome *o = (const outcome *)self;
    PyObject *all = o->refusal[0] != '\0' ? Py_BuildValue("[(ss)]", "device", o->refusal) : PyList_New(0);
    for (int i = 0; i < DOUBTS * o->agenda->selectors && all != NULL; i++) {
        doubt kind = (doubt)(i / o->agenda->selectors);
        char *text = doubt_text(o->results, i % o->agenda->selectors, kind);
        PyObject *pair = text != NULL ? Py_BuildValue("ss", doubt_name(kind), text) : NULL;
        bool failed = text != NULL && (pair == NULL || PyList_Append(all, pair) != 0);
        Py_XDECREF(pair);
        free(text);
        if (failed) Py_CLEAR(all);
    }
    return all;
}

static PyObject *get_table(PyObject *self, PyObject *unused) {
    (void)unused;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return PyErr_NoMemory();
    table_print(out, ((outcome *)self)->results);
    fclose(out);
    PyObject *table = PyUnicode_FromString(text);
    free(text);
    return table;
}

/* --------------------------------------------- curves of single runs --------------------------------------------- */

/* The curves of one competitor while they are gathered. */
typedef struct gathering {
    const agenda *agenda;
    curves curves;
    curve_kind kind;
    size_t place;
    char *out;
} gathering;

static bool outcome_gather(void *context, const block *b) {
    gathering *g = context;
    if (!b->curves) return true;
    if (!curves_unpack(&g->curves, b)) return false;
    size_t row = (size_t)g->agenda->point_count * curves_width(g->kind);
    memcpy(g->out + b->first * row, g->curves.gathered[g->kind] + g->place * g->agenda->block_runs * row,
           b->count * row);
    return true;
}

static bool gather_all(outcome *o, gathering *g) {
    PyThreadState *state = PyEval_SaveThread();
    PyThread_acquire_lock(o->saving, WAIT_LOCK);
    bool ok = curves_open(&g->curves, o->agenda) && spool_replay(&o->spool, outcome_gather, g);
    curves_close(&g->curves);
    PyThread_release_lock(o->saving);
    PyEval_RestoreThread(state);
    return ok;
}

/* run_curves(kind, place): the bytes of a competitor's curves, one run after the other. */
static PyObject *run_curves(PyObject *self, PyObject *arguments) {
    outcome *o = (outcome *)self;
    const char *name;
    int place;
    if (!PyArg_ParseTuple(arguments, "si", &name, &place)) return NULL;
    gathering g = {.agenda = o->agenda, .place = (size_t)place};
    g.kind = name[0] == 'r' ? CURVE_REGRET : name[0] == 'o' ? CURVE_OPTIMAL : CURVE_CHOICES;
    size_t row = (size_t)o->agenda->point_count * curves_width(g.kind);
    if (place < 0 || g.place >= curves_chunks(o->agenda, g.kind))
        return errors_raise_named("AbsentError", "", "there are no such curves");
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(o->agenda->curve_runs * row));
    if (bytes == NULL) return NULL;
    g.out = PyBytes_AsString(bytes);
    if (gather_all(o, &g)) return bytes;
    Py_DECREF(bytes);
    return errors_raise_named("RunError", "", "the runs cannot be read again");
}

/* ------------------------------------------------- result files -------------------------------------------------- */

static bool take_output(void *context, const block *b) {
    return output_take(context, b);
}

/* Writes the result files. The reason of a failure is written to `reason`. */
static bool outcome_write_files(outcome *o, const char *directory, bool fresh, char *reason, size_t size) {
    output out;
    output_options how = {.directory = directory, .plugins = plugin_fingerprint(), .fresh = fresh};
    bool written = output_open(&out, &how, o->agenda) && spool_replay(&o->spool, take_output, &out) &&
                   output_finish(&out, o->results);
    if (!written) snprintf(reason, size, "%s%s", output_problem(&out), out.refused ? "; fresh=True replaces it" : "");
    if (!written && reason[0] == '\0') snprintf(reason, size, "the runs cannot be read again: %s", strerror(errno));
    output_close(&out);
    return written;
}

static PyObject *outcome_save(PyObject *self, PyObject *arguments) {
    outcome *o = (outcome *)self;
    PyObject *bytes;
    int fresh;
    if (!PyArg_ParseTuple(arguments, "O&p", PyUnicode_FSConverter, &bytes, &fresh)) return NULL;
    const char *directory = PyBytes_AsString(bytes);
    if (directory[0] == '\0') {
        PyErr_SetString(PyExc_ValueError, "save() needs a directory; \".\" is the one you are in");
        Py_DECREF(bytes);
        return NULL;
    }
    char reason[600] = "";
    PyThreadState *state = PyEval_SaveThread();
    PyThread_acquire_lock(o->saving, WAIT_LOCK);
    bool written = outcome_write_files(o, directory, fresh != 0, reason, sizeof reason);
    PyThread_release_lock(o->saving);
    PyEval_RestoreThread(state);
    PyObject *path = NULL;
    if (!written)
        errors_raise_named("RunError", "", reason);
    else {
        char *text = text_format("%s/%s", directory, o->experiment->name);
        path = text != NULL ? PyUnicode_DecodeFSDefault(text) : PyErr_NoMemory();
        free(text);
    }
    Py_DECREF(bytes);
    return path;
}

/* --------------------------------------------------- the type ---------------------------------------------------- */

static const quantity regret = MEAN(regret_curve, "CP"), regret_ci95 = HALF(regret_curve, "CP"),
                      optimal_rate = MEAN(optimal_curve, "CP"), optimal_ci95 = HALF(optimal_curve, "CP"),
                      final_regret = MEAN(regret, "C"), final_regret_ci95 = HALF(regret, "C"),
                      final_optimal = MEAN(optimal, "C"), final_optimal_ci95 = HALF(optimal, "C"),
                      pairs = MEAN(pairs, "D"), pairs_ci95 = HALF(pairs, "D"), shares = REAL(share, "SPM"),
                      plays = REAL(learner_plays, "SM"), plays_regret = REAL(learner_regret, "SM"),
                      coefficient = REAL(learner_coefficient, "SM"), effective_rounds = REAL(effective_curve, "CP"),
                      final_effective_rounds = REAL(effective, "C"), task_regret = MEAN(task_regret, "CN"),
                      task_regret_ci95 = HALF(task_regret, "CN"), surprise = REAL(surprise, "S"),
                      clipped = REAL(clipped, "S");

#define ARRAY(name)                                                                                                    \
    { #name, get_array, NULL, NULL, (void *)&name }
#define VALUE(name)                                                                                                    \
    { #name, get_##name, NULL, NULL, NULL }

PyTypeObject *outcome_type(void) {
    static PyGetSetDef properties[] = {ARRAY(regret),
                                       ARRAY(regret_ci95),
                                       ARRAY(optimal_rate),
                                       ARRAY(optimal_ci95),
                                       ARRAY(final_regret),
                                       ARRAY(final_regret_ci95),
                                       ARRAY(final_optimal),
                                       ARRAY(final_optimal_ci95),
                                       ARRAY(pairs),
                                       ARRAY(pairs_ci95),
                                       ARRAY(shares),
                                       ARRAY(plays),
                                       ARRAY(plays_regret),
                                       ARRAY(coefficient),
                                       ARRAY(effective_rounds),
                                       ARRAY(final_effective_rounds),
                                       ARRAY(task_regret),
                                       ARRAY(task_regret_ci95),
                                       ARRAY(surprise),
                                       ARRAY(clipped),
                                       VALUE(runs_regret),
                                       VALUE(recorded),
                                       VALUE(competitors),
                                       VALUE(learners),
                                       VALUE(claims),
                                       VALUE(doubts),
                                       VALUE(measure),
                                       VALUE(name),
                                       VALUE(title),
                                       VALUE(source),
                                       VALUE(rounds),
                                       VALUE(tasks),
                                       VALUE(runs),
                                       VALUE(seed),
                                       VALUE(hash),
                                       VALUE(seconds),
                                       VALUE(threads),
                                       {NULL, NULL, NULL, NULL, NULL}};
    static PyMethodDef methods[] = {{"save", outcome_save, METH_VARARGS, "Writes the result files."},
                                    {"run_curves", run_curves, METH_VARARGS, "The curves of single runs."},
                                    {"table", get_table, METH_NOARGS, "The table that the program prints."},
                                    {"charts", charts_of_outcome, METH_NOARGS, "The charts, described in JSON."},
                                    {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {{Py_tp_dealloc, outcome_dealloc},
                                  {Py_tp_getset, properties},
                                  {Py_tp_methods, methods},
                                  {Py_tp_doc, "What came of an experiment; posse.Results is how to look at it."},
                                  {0, NULL}};
    static PyType_Spec spec = {"posse._posse._Outcome", sizeof(outcome), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

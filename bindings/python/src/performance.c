/* SPDX-License-Identifier: MIT */
#include "python/src/performance.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plugin.h"
#include "describe/flow.h"
#include "experiment/read/reader.h"
#include "experiment/store/output.h"
#include "python/src/cast.h"
#include "python/src/description.h"
#include "python/src/errors.h"
#include "python/src/outcome.h"

/* ----------------------------------------------------- reading --------------------------------------------------- */

/* An experiment to be read: a description, or the file at a path. */
typedef struct request {
    description *from; /* NULL: the file */
    PyObject *path;    /* bytes */
    experiment_changes changes;
} request;

/* A keyword that takes a whole number; without it, *out stays as it is. */
static bool take_change(PyObject *changes, const char *key, uint64_t low, uint64_t high, uint64_t *out, bool *given) {
    PyObject *value = PyDict_GetItemString(changes, key); /* borrowed */
    *given = value != NULL && value != Py_None;
    if (!*given) return true;
    PyObject *whole = PyNumber_Index(value);
    if (whole == NULL) return false;
    uint64_t number = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    bool beyond = PyErr_Occurred() != NULL;
    if (beyond && !PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
    if (beyond) PyErr_Clear();
    *out = number;
    if (!beyond && number >= low && number <= high) return true;
    errors_raise_argument(key, "it must be a whole number from %" PRIu64 " to %" PRIu64, low, high);
    return false;
}

/* The keywords have the same ranges as the options of the program. */
static bool take_changes(PyObject *changes, experiment_changes *out) {
    uint64_t runs = 0;
    bool given;
    bool taken = take_change(changes, "runs", 1, EXPERIMENT_RUNS_MAX, &runs, &given) &&
                 take_change(changes, "rounds", 1, EXPERIMENT_ROUNDS_MAX, &out->rounds, &given) &&
                 take_change(changes, "seed", 0, UINT64_MAX, &out->seed, &out->seed_given);
    out->runs = (uint32_t)runs;
    return taken;
}

/* The experiment has no text of its own. A text is written for the result files; it is never read. */
static experiment_status read_description(description *from, const experiment_changes *changes, experiment **out) {
    if (from->root == NULL) return EXPERIMENT_WRONG;
    pool *memory = from->memory;
    from->memory = NULL; /* it belongs to the experiment now */
    experiment_status status = experiment_read_tree(from->root, memory, changes, &from->found, out);
    if (status != EXPERIMENT_FINE) return status;
    (*out)->source = flow_write(from->root, memory);
    if ((*out)->source != NULL) return EXPERIMENT_FINE;
    experiment_free(*out);
    *out = NULL;
    return EXPERIMENT_MEMORY;
}

static experiment_status performance_read_file(const request *r, problems *found, experiment **out) {
    return experiment_read(PyBytes_AsString(r->path), &r->changes, found, out);
}

static void raise_status(experiment_status status, problems *found, PyObject *path) {
    PyObject *file = path != NULL ? PyUnicode_DecodeFSDefault(PyBytes_AsString(path)) : NULL;
    if (status == EXPERIMENT_MEMORY)
        errors_raise_memory(found);
    else if (path == NULL || file != NULL)
        errors_raise_problems(found, file);
    Py_XDECREF(file);
}

/* Reading an experiment tries its learners, and those in Python may raise an exception. */
static experiment *performance_read_experiment(const request *r, cast *c) {
    problems of_file;
    problems *found = r->from != NULL ? &r->from->found : &of_file;
    experiment *e = NULL;
    problems_open(&of_file, NULL);
    cast *before = cast_enter(c);
    experiment_status status =
        r->from != NULL ? read_description(r->from, &r->changes, &e) : performance_read_file(r, found, &e);
    cast_leave(before);
    bool raised = cast_raise(c);
    if (status != EXPERIMENT_FINE && !raised) raise_status(status, found, r->path);
    if (raised) {
        experiment_free(e);
        e = NULL;
    }
    problems_close(&of_file);
    return e;
}

/* ----------------------------------------------------- playing --------------------------------------------------- */

/* Where the runs are played, and where the files go meanwhile. */
typedef struct venue {
    int threads;
    runner_device device;
    const char *folder; /* NULL: nothing is written */
    bool fresh;
} venue;

/* The context of the functions that the runner calls: from the thread that started it, without Python's lock. */
typedef struct performance {
    outcome *outcome;
    cast *cast;
    PyObject *progress; /* a function, or None */
    PyThreadState *state;
    volatile sig_atomic_t stop;
    int spool_error;
    output *files; /* NULL: nothing is written */
} performance;

/* Here Python handles signals: after Ctrl-C it raises KeyboardInterrupt, which stops the run. */
static void performance_tell(void *context, uint64_t rounds, uint64_t total) {
    performance *p = context;
    if (p->stop != 0) return;
    PyEval_RestoreThread(p->state);
    bool ok = PyErr_CheckSignals() == 0;
    if (ok && p->progress != Py_None) {
        PyObject *answer =
            PyObject_CallFunction(p->progress, "KK", (unsigned long long)rounds, (unsigned long long)total);
        ok = answer != NULL;
        Py_XDECREF(answer);
    }
    if (!ok) p->stop = 1;
    if (!ok && p->cast != NULL) cast_stop(p->cast);
    p->state = PyEval_SaveThread(); /* the exception stays with this thread */
}

static void performance_explain_device(void *context, const char *text) {
    outcome *o = ((performance *)context)->outcome;
    snprintf(o->refusal, sizeof o->refusal, "played on the CPU, because %s", text);
}

static bool performance_take(void *context, const block *b) {
    performance *p = context;
    errno = 0;
    bool taken = outcome_take(p->outcome, b);
    if (!taken) p->spool_error = errno;
    return taken && (p->files == NULL || output_take(p->files, b));
}

static bool performance_explain(const performance *p, runner_status status, const runner_message *why) {
    if (PyErr_Occurred() || cast_raise(p->cast)) return false;
    char text[600] = "the runs cannot be kept for later";
    if (status == RUNNER_DONE) return true;
    if (status == RUNNER_FAILED) snprintf(text, sizeof text, "%s", why->text);
    if (status == RUNNER_REFUSED && p->spool_error != 0)
        snprintf(text, sizeof text, "the runs cannot be kept for later: %s", strerror(p->spool_error));
    else if (p->files != NULL && output_problem(p->files)[0] != '\0')
        snprintf(text, sizeof text, "%s%s", output_problem(p->files),
                 p->files->refused ? "; fresh=True replaces it" : "");
    errors_raise_named("RunError", "", text);
    return false;
}

/* Plays, and writes the files if there is a place for them: it continues what an earlier run has left there. */
static runner_status performance_run(performance *p, runner_options *how, venue where, runner_message *why) {
    outcome *o = p->outcome;
    output_options in = {.directory = where.folder, .plugins = plugin_fingerprint(), .fresh = where.fresh};
    if (p->files == NULL) return experiment_run(o->agenda, how, &o->results, why);
    if (!output_open(p->files, &in, o->agenda)) return RUNNER_REFUSED;
    how->journal = p->files->journal;
    how->extension = p->files->extension;
    runner_status status = experiment_run(o->agenda, how, &o->results, why);
    return status == RUNNER_DONE && !output_finish(p->files, o->results) ? RUNNER_REFUSED : status;
}

static bool performance_play_cast(outcome *o, cast *c, venue where, PyObject *progress) {
    output files;
    performance p = {.outcome = o, .cast = c, .progress = progress, .files = where.folder != NULL ? &files : NULL};
    runner_options how = {.threads = c != NULL ? 1 : where.threads,
                          .device = where.device,
                          .explain = performance_explain_device,
                          .stop = &p.stop,
                          .progress = performance_tell,
                          .take = performance_take,
                          .context = &p,
                          .once = c != NULL};
    runner_message why = {0};
    if (c != NULL && !cast_share(c)) return false;
    p.state = PyEval_SaveThread();
    runner_status status = performance_run(&p, &how, where, &why);
    PyEval_RestoreThread(p.state);
    if (c != NULL) cast_unshare(c);
    bool played = performance_explain(&p, status, &why);
    if (p.files != NULL) output_close(p.files);
    return played;
}

static PyObject *performance_perform(const request *r, cast *c, venue where, PyObject *progress, bool only_check) {
    experiment *e = performance_read_experiment(r, c);
    if (e == NULL) return NULL;
    if (only_check) {
        experiment_free(e);
        return Py_NewRef(Py_None);
    }
    outcome *o = outcome_new(e);
    if (o == NULL) return NULL;
    if (performance_play_cast(o, c, where, progress)) return (PyObject *)o;
    Py_DECREF(o);
    return NULL;
}

/* Plays with the learners and environments in Python that the description has. */
static PyObject *play_request(const request *r, venue where, PyObject *progress, bool only_check) {
    bool python = r->from != NULL && PyList_Size(r->from->learners) > 0;
    if (python && where.folder != NULL)
        return errors_raise_argument(
            "folder", "learners and environments in Python may have changed, so their runs are not continued");
    cast *c = python ? cast_make(r->from->learners) : NULL;
    PyObject *played = python && c == NULL ? NULL : performance_perform(r, c, where, progress, only_check);
    cast_free(c);
    return played;
}

/* Plays what is described, or the file at a path. */
static PyObject *performance_play_either(request *r, PyObject *object, PyObject *path, venue where, PyObject *progress,
                                         bool only_check) {
    PyObject *played = NULL;
    if (path != Py_None) {
        if (!PyUnicode_FSConverter(path, &r->path)) return NULL;
        played = play_request(r, where, progress, only_check);
        Py_DECREF(r->path);
        return played;
    }
    description from;
    r->from = &from;
    if (description_of_experiment(&from, object)) played = play_request(r, where, progress, only_check);
    description_close(&from);
    r->from = NULL;
    return played;
}

PyObject *performance_play(PyObject *self, PyObject *arguments) {
    (void)self;
    request r = {0};
    PyObject *object, *path, *changes, *progress, *into, *bytes = NULL;
    int only_check, fresh;
    const char *device;
    venue where = {0};
    if (!PyArg_ParseTuple(arguments, "OOOisOpOp", &object, &path, &changes, &where.threads, &device, &progress,
                          &only_check, &into, &fresh))
        return NULL;
    if (!take_changes(changes, &r.changes)) return NULL;
    if (where.threads < 0) return errors_raise_argument("threads", "must be at least 0");
    if (runner_device_named(device) < 0) return errors_raise_argument("device", "must be \"cpu\", \"gpu\" or \"auto\"");
    where.device = (runner_device)runner_device_named(device);
    if (fresh != 0 && into == Py_None)
        return errors_raise_argument("fresh", "replaces what is in a folder, and needs one");
    if (into != Py_None && !PyUnicode_FSConverter(into, &bytes)) return NULL;
    where.folder = bytes != NULL ? PyBytes_AsString(bytes) : NULL;
    where.fresh = fresh != 0;
    PyObject *played = performance_play_either(&r, object, path, where, progress, only_check);
    Py_XDECREF(bytes);
    return played;
}

#include "performance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cast.h"
#include "errors.h"
#include "experiment/read/reader.h"
#include "outcome.h"

/* ----------------------------------------------------- reading --------------------------------------------------- */

typedef struct request {
    const char *text; /* or NULL: the file at `path` */
    Py_ssize_t length;
    PyObject *path;
    experiment_changes changes;
    PyObject *mend; /* a function: what the reader's problems are called here */
} request;

static bool take_change(PyObject *changes, const char *key, uint64_t *out, bool *given) {
    PyObject *value = PyDict_GetItemString(changes, key); /* borrowed */
    if (value == NULL || value == Py_None) return true;
    PyObject *whole = PyNumber_Index(value);
    if (whole == NULL) return false;
    *out = PyLong_AsUnsignedLongLong(whole);
    *given = true;
    Py_DECREF(whole);
    return !PyErr_Occurred();
}

/* What the command line would not take, Python's keywords do not either. */
static bool take_changes(PyObject *changes, experiment_changes *out) {
    uint64_t runs = 0;
    bool runs_given = false, rounds_given = false;
    bool taken = take_change(changes, "runs", &runs, &runs_given) &&
                 take_change(changes, "rounds", &out->rounds, &rounds_given) &&
                 take_change(changes, "seed", &out->seed, &out->seed_given);
    if (!taken && !PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
    if (!taken || runs > UINT32_MAX || (runs_given && runs == 0) || (rounds_given && out->rounds == 0)) {
        PyErr_Clear();
        errors_raise_named("SpecificationError", "", "runs and rounds must be at least 1, and a seed at least 0");
        return false;
    }
    out->runs = (uint32_t)runs;
    return true;
}

static experiment *read_with(const request *r, FILE *out) {
    if (r->text != NULL) return experiment_read_text("", r->text, (size_t)r->length, &r->changes, NULL, out);
    return experiment_read(PyBytes_AsString(r->path), &r->changes, out);
}

static void raise_problems(const request *r, const char *said, size_t size) {
    PyObject *text = PyUnicode_DecodeUTF8(said, (Py_ssize_t)size, "replace");
    PyObject *mended = text != NULL ? PyObject_CallFunctionObjArgs(r->mend, text, NULL) : NULL;
    const char *words = mended != NULL ? PyUnicode_AsUTF8AndSize(mended, NULL) : NULL;
    if (words != NULL) errors_raise_named("SpecificationError", "", words);
    Py_XDECREF(mended);
    Py_XDECREF(text);
}

/* To read an experiment is to try its learners: those in Python may raise. */
static experiment *read_experiment(const request *r, cast *c) {
    char *said = NULL;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    if (out == NULL) return (experiment *)PyErr_NoMemory();
    cast *before = cast_enter(c);
    experiment *e = read_with(r, out);
    cast_leave(before);
    fclose(out);
    bool raised = cast_raise(c);
    if (e == NULL && !raised) raise_problems(r, said, size > 0 ? size - 1 : 0); /* without the last line's end */
    if (raised) {
        experiment_free(e);
        e = NULL;
    }
    free(said);
    return e;
}

/* ----------------------------------------------------- playing --------------------------------------------------- */

/* What the runner calls back, from the thread that called, without Python's lock. */
typedef struct performance {
    outcome *outcome;
    cast *cast;
    PyObject *progress; /* None: nobody is told */
    PyThreadState *state;
    volatile sig_atomic_t stop;
    int spool_error;
} performance;

/* Signals are heeded here: Ctrl-C raises its exception, which stops the run. */
static void tell(void *context, uint64_t rounds, uint64_t total) {
    performance *p = context;
    if (p->stop != 0) return;
    PyEval_RestoreThread(p->state);
    bool fine = PyErr_CheckSignals() == 0;
    if (fine && p->progress != Py_None) {
        PyObject *answer =
            PyObject_CallFunction(p->progress, "KK", (unsigned long long)rounds, (unsigned long long)total);
        fine = answer != NULL;
        Py_XDECREF(answer);
    }
    if (!fine) p->stop = 1;
    if (!fine && p->cast != NULL) cast_stop(p->cast);
    p->state = PyEval_SaveThread(); /* the exception stays with this thread */
}

static bool take(void *context, const block *b) {
    performance *p = context;
    errno = 0;
    bool taken = outcome_take(p->outcome, b);
    if (!taken) p->spool_error = errno;
    return taken;
}

static bool explain(const performance *p, runner_status status, const runner_message *why) {
    if (PyErr_Occurred() || cast_raise(p->cast)) return false;
    char text[600] = "the runs cannot be kept for later";
    if (status == RUNNER_DONE) return true;
    if (status == RUNNER_FAILED) snprintf(text, sizeof text, "%s", why->text);
    if (status == RUNNER_REFUSED && p->spool_error != 0)
        snprintf(text, sizeof text, "the runs cannot be kept for later: %s", strerror(p->spool_error));
    errors_raise_named("RunError", "", text);
    return false;
}

static bool play(outcome *o, cast *c, int threads, PyObject *progress) {
    performance p = {.outcome = o, .cast = c, .progress = progress};
    runner_options how = {
        .threads = c != NULL ? 1 : threads, .stop = &p.stop, .progress = tell, .take = take, .context = &p};
    runner_message why = {0};
    if (c != NULL && !cast_go_on_stage(c)) return false;
    p.state = PyEval_SaveThread();
    runner_status status = experiment_run(o->agenda, &how, &o->results, &why);
    PyEval_RestoreThread(p.state);
    if (c != NULL) cast_leave_stage(c);
    return explain(&p, status, &why);
}

static PyObject *perform(const request *r, cast *c, int threads, PyObject *progress, bool only_check) {
    experiment *e = read_experiment(r, c);
    if (e == NULL) return NULL;
    if (only_check) {
        experiment_free(e);
        return Py_NewRef(Py_None);
    }
    outcome *o = outcome_new(e);
    if (o == NULL) return NULL;
    if (play(o, c, threads, progress)) return (PyObject *)o;
    Py_DECREF(o);
    return NULL;
}

PyObject *performance_play(PyObject *module, PyObject *arguments) {
    (void)module;
    request r = {0};
    PyObject *path, *learners, *changes, *progress;
    int threads, only_check;
    if (!PyArg_ParseTuple(arguments, "z#OOOOiOp", &r.text, &r.length, &path, &learners, &changes, &r.mend, &threads,
                          &progress, &only_check))
        return NULL;
    if (!take_changes(changes, &r.changes)) return NULL;
    if (threads < 0) return errors_raise_named("SpecificationError", "", "threads: must be at least 0");
    if (path != Py_None && !PyUnicode_FSConverter(path, &r.path)) return NULL;
    cast *c = PySequence_Size(learners) > 0 ? cast_make(learners) : NULL;
    PyObject *played = NULL;
    if (!PyErr_Occurred()) played = perform(&r, c, threads, progress, only_check);
    cast_free(c);
    Py_XDECREF(r.path);
    return played;
}

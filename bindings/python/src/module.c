/* SPDX-License-Identifier: MIT */
/*
 * posse._posse: what the package has in C.
 */
#include "cli/plugin.h"
#include "posse.h"
#include "python/src/charts.h"
#include "python/src/dataset.h"
#include "python/src/decision.h"
#include "python/src/errors.h"
#include "python/src/kinds.h"
#include "python/src/logged.h"
#include "python/src/module_state.h"
#include "python/src/performance.h"
#include "python/src/prior.h"
#include "python/src/program.h"
#include "python/src/snapshot.h"

static PyObject *module_version(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
    return PyUnicode_FromString(posse_version());
}

static PyObject *module_kernels(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
    const char *name = posse_kernels();
    return name != NULL ? PyUnicode_FromString(name) : Py_NewRef(Py_None);
}

/* plugin(path): registers the kinds of a shared object. */
static PyObject *plugin_(PyObject *self, PyObject *path) {
    (void)self;
    PyObject *bytes;
    char why[PLUGIN_TEXT];
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    bool loaded = plugin_load(PyBytes_AsString(bytes), why);
    Py_DECREF(bytes);
    return loaded ? Py_NewRef(Py_None) : errors_raise_argument("plugins", "%s", why);
}

static PyMethodDef functions[] = {
    {"load", (PyCFunction)(void (*)(void))snapshot_load, METH_VARARGS | METH_KEYWORDS,
     "load(data, /, *, exact=False)\n--\n\nThe posse that Posse.save wrote. Its decisions get ids of a new epoch, because the "
     "original may have made decisions since. exact=True: the ids continue those of the original; use it only if you record "
     "every decision and replay the later ones. DamagedError. Learners in Python are unpickled: load them only from "
     "sources that you trust."},
    {"version", module_version, METH_NOARGS, "version()\n--\n\nThe library's version, \"MAJOR.MINOR.PATCH\"."},
    {"kernels", module_kernels, METH_NOARGS,
     "kernels()\n--\n\nWhich of the library's inner loops run: \"scalar\", \"baseline\", \"avx2\" or \"avx512\"; the bits "
     "are the same. None: POSSE_ISA asks for some that this processor lacks."},
    {"kinds", kinds_all, METH_NOARGS,
     "kinds()\n--\n\nWhat there is, from the library's declarations: kinds()[\"learner\"][\"ucb\"] has `help` and "
     "`params`; a parameter has name, type, required, optional, inherited, default, low, high, above, below, words, "
     "excludes and help."},
    {"_play", performance_play, METH_VARARGS, "Runs an experiment; posse.run is how to call it."},
    {"_dataset", dataset_read, METH_VARARGS, "Numbers of a file in HDF5: their bytes, and the sizes of their axes."},
    {"_plugin", plugin_, METH_O, "Loads a shared object with kinds."},
    {"_read_vw", logged_read, METH_O, "Reads a log; posse.read_vw is how to call it."},
    {"_write_vw", logged_write, METH_VARARGS, "Writes a log; posse.write_vw is how to call it."},
    {"_read_prior", prior_read, METH_O, "Reads a prior; posse.read_prior is how to call it."},
    {"_fit_prior", prior_fit, METH_VARARGS, "Fits a prior; posse.fit_prior is how to call it."},
    {"_charts", charts_of_folder, METH_O,
     "The charts of results in a folder, in JSON; Results.plot is how to draw them."},
    {"main", program_main, METH_O,
     "main(argv, /)\n--\n\nThe program, with its arguments; returns the exit status. It may end the process."},
    {"_decision", decision_revive, METH_VARARGS, "A decision from what its pickle holds."},
    {NULL, NULL, 0, NULL}};

static const struct {
    const char *name; /* in the module */
    PyTypeObject *(*make)(void);
    PyTypeObject **place;
} types[] = {
    {"Posse", application_type, &module.application},
    {"Decision", decision_type, &module.decision},
    {"Draw", draw_type, &module.draw},
    {"Environment", environment_type, &module.environment},
    {"_Bar", bar_type, &module.bar},
    {"_Outcome", outcome_type, &module.outcome},
    {"_View", view_type, &module.view},
};

static const struct {
    const char *from, *name;
    PyObject **place;
} borrowed[] = {
    {"numpy", "ndarray", &module.array},
    {"numpy", "asarray", &module.as_array},
    {"copy", "deepcopy", &module.deep_copy},
    {"os", "urandom", &module.random_bytes},
    {"collections.abc", "Mapping", &module.mapping},
};

static bool fill_state(PyObject *made) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        PyTypeObject *type = *types[i].place = types[i].make();
        if (type == NULL || PyModule_AddObjectRef(made, types[i].name, (PyObject *)type) != 0) return false;
    }
    for (size_t i = 0; i < sizeof borrowed / sizeof borrowed[0]; i++)
        if ((*borrowed[i].place = module_import(borrowed[i].from, borrowed[i].name)) == NULL) return false;
    PyObject *names = decision_modes();
    bool added = names != NULL && PyModule_AddObjectRef(made, "_modes", names) == 0;
    Py_XDECREF(names);
    return added;
}

static PyModuleDef definition_ = {.m_base = PyModuleDef_HEAD_INIT,
                                  .m_name = "posse._posse",
                                  .m_doc = "What the package posse has in C.",
                                  .m_size = -1,
                                  .m_methods = functions};

PyMODINIT_FUNC PyInit__posse(void);

PyMODINIT_FUNC PyInit__posse(void) {
    PyObject *made = PyModule_Create(&definition_);
    if (made == NULL || fill_state(made)) return made;
    Py_DECREF(made);
    return NULL;
}

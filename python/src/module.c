/*
 * posse._posse: what the package has in C.
 */
#include "decision.h"
#include "kinds.h"
#include "kit.h"
#include "performance.h"
#include "posse.h"
#include "program.h"
#include "report/draw/style.h"
#include "snapshot.h"

static PyObject *version(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return PyUnicode_FromString(posse_version());
}

static PyObject *kernels(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    const char *name = posse_kernels();
    return name != NULL ? PyUnicode_FromString(name) : Py_NewRef(Py_None);
}

/* style(role, rank): colour, width and dashes of a competitor in pictures. */
static PyObject *style_(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *role;
    int rank;
    if (!PyArg_ParseTuple(arguments, "si", &role, &rank)) return NULL;
    record_role known = role[0] == 's' ? RECORD_SELECTOR : role[0] == 'l' ? RECORD_LEARNER : RECORD_ORACLE;
    style look = style_of(known, (size_t)rank);
    PyObject *dashes = PyList_New(0);
    for (const int *dash = look.dash; dashes != NULL && dash != NULL && *dash != 0; dash++) {
        PyObject *length = PyLong_FromLong(*dash);
        if (length == NULL || PyList_Append(dashes, length) != 0) Py_CLEAR(dashes);
        Py_XDECREF(length);
    }
    return dashes != NULL ? Py_BuildValue("sdN", look.light, look.width, dashes) : NULL;
}

static PyMethodDef functions[] = {
    {"load", snapshot_load, METH_O,
     "load(data, /)\n--\n\nThe posse that Posse.save wrote. DamagedError. Where it holds learners in Python these are "
     "unpickled: load those only from whom you trust."},
    {"version", version, METH_NOARGS, "version()\n--\n\nThe library's version, \"MAJOR.MINOR.PATCH\"."},
    {"kernels", kernels, METH_NOARGS,
     "kernels()\n--\n\nWhich of the library's inner loops run: \"scalar\", \"baseline\", \"avx2\" or \"avx512\"; the bits "
     "are the same. None: POSSE_ISA asks for some that this processor lacks."},
    {"kinds", kinds_all, METH_NOARGS,
     "kinds()\n--\n\nWhat there is, from the library's declarations: kinds()[\"learner\"][\"ucb\"] has `help` and "
     "`params`; a parameter has name, type, required, optional, inherited, default, low, high, above, below, words, "
     "excludes and help."},
    {"_play", performance_play, METH_VARARGS, "Runs an experiment; posse.run is how to call it."},
    {"_style", style_, METH_VARARGS, "How a competitor is drawn: colour, width, dashes."},
    {"main", program_main, METH_O,
     "main(argv, /)\n--\n\nThe program, with its arguments; returns the exit status. It may end the process."},
    {"_decision", decision_revive, METH_VARARGS, "A decision from what its pickle holds."},
    {NULL, NULL, 0, NULL}};

static const struct {
    const char *name; /* in the module */
    PyTypeObject *(*make)(void);
    PyTypeObject **place;
} types[] = {
    {"Posse", application_type, &the.application},
    {"Decision", decision_type, &the.decision},
    {"Draw", draw_type, &the.draw},
    {"_Bar", bar_type, &the.bar},
    {"_Outcome", outcome_type, &the.outcome},
    {"_View", view_type, &the.view},
};

static bool fill_kit(PyObject *module) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        PyTypeObject *type = *types[i].place = types[i].make();
        if (type == NULL || PyModule_AddObjectRef(module, types[i].name, (PyObject *)type) != 0) return false;
    }
    the.as_array = kit_import("numpy", "asarray");
    if (the.as_array != NULL) the.contiguous = kit_import("numpy", "ascontiguousarray");
    if (the.contiguous != NULL) the.deep_copy = kit_import("copy", "deepcopy");
    return the.deep_copy != NULL;
}

static PyModuleDef definition_ = {.m_base = PyModuleDef_HEAD_INIT,
                                  .m_name = "posse._posse",
                                  .m_doc = "What the package posse has in C.",
                                  .m_size = -1,
                                  .m_methods = functions};

PyMODINIT_FUNC PyInit__posse(void);

PyMODINIT_FUNC PyInit__posse(void) {
    PyObject *module = PyModule_Create(&definition_);
    if (module == NULL || fill_kit(module)) return module;
    Py_DECREF(module);
    return NULL;
}

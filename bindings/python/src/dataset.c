/* SPDX-License-Identifier: MIT */
#include "python/src/dataset.h"

#include "experiment/store/hdf5_library.h"
#include "python/src/errors.h"

#define AXES_MAX 3

static PyObject *sizes_of(int axes, const hsize_t *sizes) {
    PyObject *tuple = PyTuple_New(axes);
    for (int i = 0; tuple != NULL && i < axes; i++) {
        PyObject *size = PyLong_FromUnsignedLongLong(sizes[i]);
        if (size == NULL || PyTuple_SetItem(tuple, i, size) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}

/* Numbers are read in the native form of the file's type, which callers know, because posse has written the file. */
static PyObject *read_set(const hdf5_library *h5, hid_t set) {
    hsize_t sizes[AXES_MAX] = {0};
    hid_t space = h5->Dget_space(set), type = h5->Dget_type(set);
    hid_t native = type >= 0 ? h5->Tget_native_type(type, H5T_DIR_ASCEND) : H5I_INVALID_HID;
    int axes = space >= 0 ? h5->Sget_simple_extent_ndims(space) : -1;
    PyObject *bytes = NULL;
    if (native >= 0 && axes >= 0 && axes <= AXES_MAX) {
        h5->Sget_simple_extent_dims(space, sizes, NULL);
        size_t size = h5->Tget_size(native) * (size_t)h5->Sget_simple_extent_npoints(space);
        bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
        if (bytes != NULL && h5->Dread(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, PyBytes_AsString(bytes)) < 0)
            Py_CLEAR(bytes);
    }
    if (native >= 0) h5->Tclose(native);
    if (type >= 0) h5->Tclose(type);
    if (space >= 0) h5->Sclose(space);
    return bytes != NULL ? Py_BuildValue("NN", bytes, sizes_of(axes, sizes)) : NULL;
}

PyObject *dataset_read(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *path, *answer = NULL;
    const char *name;
    if (!PyArg_ParseTuple(arguments, "O&s", PyUnicode_FSConverter, &path, &name)) return NULL;
    const hdf5_library *h5 = hdf5_library_load();
    if (h5 == NULL) {
        Py_DECREF(path);
        PyErr_Format(PyExc_ImportError, "the runs of results.h5 are read with %s, which is not installed",
                     hdf5_library_file);
        return NULL;
    }
    hid_t file = h5->Fopen(PyBytes_AsString(path), H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = file >= 0 ? h5->Dopen2(file, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (set >= 0) answer = read_set(h5, set);
    if (set >= 0) h5->Dclose(set);
    if (file >= 0) h5->Fclose(file);
    if (answer == NULL && !PyErr_Occurred()) {
        char why[600];
        snprintf(why, sizeof why, "%s cannot be read: it is missing or damaged, or has no %s", PyBytes_AsString(path),
                 name);
        errors_raise_named("RunError", "", why);
    }
    Py_DECREF(path);
    return answer;
}

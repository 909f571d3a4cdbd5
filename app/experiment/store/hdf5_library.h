/* SPDX-License-Identifier: MIT */
/*
 * The HDF5 library, loaded when results.h5 is first written or read. So programs that do neither, as a server, start
 * without it and do not depend on it. h5->Fcreate is H5Fcreate, and h5->NATIVE_INT is H5T_NATIVE_INT.
 */
#ifndef POSSE_EXPERIMENT_STORE_HDF5_LIBRARY_H
#define POSSE_EXPERIMENT_STORE_HDF5_LIBRARY_H

#include <hdf5.h>

/* Constants like H5F_ACC_TRUNC would call the library, to open it and to check its version. */
#undef H5OPEN
#define H5OPEN
#undef H5CHECK
#define H5CHECK

#define HDF5_FUNCTIONS(call)                                                                                           \
    call(open) call(dont_atexit) call(Aclose) call(Acreate2) call(Awrite) call(Dclose) call(Dcreate2) call(Dget_space) \
        call(Dget_type) call(Dopen2) call(Dread) call(Dwrite) call(Dwrite_chunk) call(Eset_auto2) call(Fclose)         \
            call(Fcreate) call(Fopen) call(Gclose) call(Gcreate2) call(Pclose) call(Pcreate) call(Pset_chunk)          \
                call(Pset_deflate) call(Pset_fill_time) call(Pset_obj_track_times) call(Pset_shuffle) call(Sclose)     \
                    call(Screate) call(Screate_simple) call(Sget_simple_extent_dims) call(Sget_simple_extent_ndims)    \
                        call(Sget_simple_extent_npoints) call(Tclose) call(Tcopy) call(Tget_native_type)               \
                            call(Tget_size) call(Tset_cset) call(Tset_size)

typedef struct hdf5_library {
#define HDF5_FUNCTION(name) __typeof__(H5##name) *name;
    HDF5_FUNCTIONS(HDF5_FUNCTION)
#undef HDF5_FUNCTION
    hid_t DATASET_CREATE, C_S1, NATIVE_DOUBLE, NATIVE_INT, NATIVE_UINT8, NATIVE_UINT16, NATIVE_UINT64;
} hdf5_library;

/* The name of the file that is loaded. */
extern const char hdf5_library_file[];

/* NULL: it is not installed. */
const hdf5_library *hdf5_library_load(void);

#endif

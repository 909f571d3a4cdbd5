/* SPDX-License-Identifier: MIT */
#include "experiment/store/hdf5_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

const char hdf5_library_file[] = POSSE_HDF5_FILE;

static hdf5_library loaded;
static bool is_loaded;

static bool hdf5_library_find(void *file, const char *name, void *place, size_t size) {
    void *found = dlsym(file, name);
    memcpy(place, &found, size);
    return found != NULL;
}

/* The numbers of types are variables of the library, which H5open sets. */
static bool hdf5_library_read(void *file, const char *name, hid_t *number) {
    const hid_t *found = dlsym(file, name);
    if (found != NULL) *number = *found;
    return found != NULL;
}

static bool find_functions(void *file) {
    bool ok = true;
#define FIND(name) ok = hdf5_library_find(file, "H5" #name, &loaded.name, sizeof loaded.name) && ok;
    HDF5_FUNCTIONS(FIND)
#undef FIND
    return ok;
}

static bool read_types(void *file) {
    return hdf5_library_read(file, "H5P_CLS_DATASET_CREATE_ID_g", &loaded.DATASET_CREATE) &&
           hdf5_library_read(file, "H5T_C_S1_g", &loaded.C_S1) &&
           hdf5_library_read(file, "H5T_NATIVE_DOUBLE_g", &loaded.NATIVE_DOUBLE) &&
           hdf5_library_read(file, "H5T_NATIVE_INT_g", &loaded.NATIVE_INT) &&
           hdf5_library_read(file, "H5T_NATIVE_UINT8_g", &loaded.NATIVE_UINT8) &&
           hdf5_library_read(file, "H5T_NATIVE_UINT16_g", &loaded.NATIVE_UINT16) &&
           hdf5_library_read(file, "H5T_NATIVE_UINT64_g", &loaded.NATIVE_UINT64);
}

/* H5dont_atexit: after a full disk the library would fail again at exit, and print its own message. */
static void hdf5_library_begin(void) {
    void *file = dlopen(hdf5_library_file, RTLD_NOW | RTLD_LOCAL);
    if (file == NULL || !find_functions(file)) return;
    loaded.dont_atexit();
    is_loaded = loaded.open() >= 0 && read_types(file);
    if (is_loaded) loaded.Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

const hdf5_library *hdf5_library_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, hdf5_library_begin);
    return is_loaded ? &loaded : NULL;
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "experiment/play/device_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "posse_cuda.so"

/* The folder of the program or of the Python module that this function is part of, with a slash; empty: not known. */
static void find_own_folder(char folder[PATH_MAX]) {
    Dl_info own;
    folder[0] = '\0';
    bool found = dladdr(__extension__(void *) find_own_folder, &own) != 0 && strchr(own.dli_fname, '/') != NULL;
    if (realpath(found ? own.dli_fname : "/proc/self/exe", folder) == NULL) folder[0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) slash[1] = '\0';
}

static void *open_file(void) {
    char folder[PATH_MAX], path[PATH_MAX + sizeof FILE_NAME];
    const char *named = getenv("POSSE_CUDA");
    if (named != NULL && named[0] != '\0') return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    find_own_folder(folder);
    snprintf(path, sizeof path, "%s%s", folder, FILE_NAME);
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return file != NULL ? file : dlopen(POSSE_LIBRARY_FOLDER "/" FILE_NAME, RTLD_NOW | RTLD_LOCAL);
}

const void *device_library_load(char *why, size_t size) {
    void *file = open_file();
    const void *ops = file != NULL ? dlsym(file, "posse_device_ops") : NULL;
    if (ops == NULL) {
        const char *problem = dlerror();
        snprintf(why, size, "%s cannot be loaded (%s)", FILE_NAME, problem != NULL ? problem : "it is not there");
    }
    return ops;
}

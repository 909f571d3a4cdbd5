/* SPDX-License-Identifier: MIT */
#include "data/table_file.h"

#include <string.h>

#include "base/ascii.h"

static bool table_file_ends(const char *path, const char *ending) {
    size_t length = strlen(path), most = strlen(ending);
    return length >= most && ascii_same(path + length - most, ending);
}

posse_error table_file_open(csv *c, const char *path, const posse_allocator *allocator) {
    if (table_file_ends(path, ".arff")) return csv_open_form(c, path, &arff_form, allocator);
    if (table_file_ends(path, ".libsvm") || table_file_ends(path, ".svm"))
        return csv_open_form(c, path, &libsvm_form, allocator);
    return csv_open(c, path, allocator);
}

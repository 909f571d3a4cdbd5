/* SPDX-License-Identifier: MIT */
/* Tables in files of other forms than CSV. The form follows from the ending of the name. */
#ifndef POSSE_DATA_TABLE_FILE_H
#define POSSE_DATA_TABLE_FILE_H

#include "data/csv.h"

extern const csv_form arff_form, libsvm_form;

/* As csv_open, for .arff, for .libsvm and .svm, and otherwise for CSV. */
posse_error table_file_open(csv *c, const char *path, const posse_allocator *allocator);

#endif

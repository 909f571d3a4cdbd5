/* SPDX-License-Identifier: MIT */
/*
 * A draft: a file that is being written. It gets its name only when it is complete, so that nothing half-written is
 * ever found under a final name.
 */
#ifndef REPORT_DATA_DRAFT_H
#define REPORT_DATA_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct draft {
    char *path, *temporary;
    FILE *stream;
} draft;

/*
 * `stream` writes to a temporary file. draft_finish renames that file; if renaming or any write has failed, it removes
 * the file, writes the reason to `messages` and returns false. draft_open also writes the reason if it returns false.
 */
bool draft_open(draft *d, const char *directory, const char *name, FILE *messages);
bool draft_finish(draft *d, FILE *messages);

#endif

/*
 * Files of the report: read whole, and written so that they appear under their name only when they are whole.
 */
#ifndef REPORT_DATA_FILES_H
#define REPORT_DATA_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The text of a file with a NUL after it, or NULL and a message. */
char *files_read(const char *path, size_t *size, FILE *messages);

typedef struct draft {
    char *path, *temporary;
    FILE *stream;
} draft;

/* A draft is written to `stream`, then finished: renamed to its name, or removed and the reason said. */
bool draft_open(draft *d, const char *directory, const char *name, FILE *messages);
bool draft_finish(draft *d, FILE *messages);

#endif

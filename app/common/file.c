/* SPDX-License-Identifier: MIT */
#include "common/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A first size that avoids most copies. It is a guess: pipes and files of /proc report no size, and a file may grow. */
static size_t expected_size(FILE *in) {
    struct stat info;
    bool told = fstat(fileno(in), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    return told ? (size_t)info.st_size : (size_t)1 << 16;
}

static char *file_read_stream(FILE *in, size_t most, size_t *size) {
    size_t room = expected_size(in) + 1; /* one byte more than expected shows that the end was reached */
    char *bytes = NULL;
    *size = 0;
    for (;;) {
        if (room > most) room = most;
        char *larger = realloc(bytes, room + 1);
        if (larger == NULL) break;
        bytes = larger;
        *size += fread(bytes + *size, 1, room - *size, in);
        if (ferror(in)) break;
        if (*size < room || room == most) {
            bytes[*size] = '\0';
            return bytes;
        }
        room *= 2;
    }
    free(bytes);
    return NULL;
}

char *file_read(const char *path, size_t most, size_t *size) {
    FILE *in = fopen(path, "rb");
    if (in == NULL) return NULL;
    char *bytes = file_read_stream(in, most, size);
    int error = errno;
    fclose(in);
    errno = error;
    return bytes;
}

size_t file_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

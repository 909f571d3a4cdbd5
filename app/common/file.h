/* SPDX-License-Identifier: MIT */
/*
 * Files as a whole.
 */
#ifndef POSSE_COMMON_FILE_H
#define POSSE_COMMON_FILE_H

#include <stddef.h>
#include <stdint.h>

/* As the bound of file_read: no bound. */
#define FILE_ANY_SIZE (SIZE_MAX / 4)

/*
 * The bytes of a file, with a zero after them, to be freed. At most `most` are read and the rest is left out: a caller
 * that must notice a longer file asks for one byte more than it accepts. NULL with errno set: it cannot be read.
 */
char *file_read(const char *path, size_t most, size_t *size);

/* How many bytes of a path lead to its folder, the slash included; 0 where that is the working directory. */
size_t file_folder(const char *path);

#endif

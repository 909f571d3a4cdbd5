/* SPDX-License-Identifier: MIT */
/*
 * Files as a whole: reading them, and writing them so that only a complete file ever has its name, also after the power
 * has failed.
 */
#ifndef POSSE_COMMON_FILE_H
#define POSSE_COMMON_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* As the bound of file_read: no bound. */
#define FILE_ANY_SIZE (SIZE_MAX / 4)

/*
 * The bytes of a file, with a zero after them, to be freed. At most `most` are read and the rest is left out: a caller
 * that must notice a longer file asks for one byte more than it accepts. NULL with errno set: it cannot be read.
 */
char *file_read(const char *path, size_t most, size_t *size);

/* How many bytes of a path lead to its folder, the slash included; 0 where that is the working directory. */
size_t file_folder(const char *path);

/* Makes a folder and the folders above it. *made: it did not exist. False: errno has the reason. */
bool file_make_folders(const char *path, bool *made);

/*
 * Copies a file, in pieces, and moves a file of that name from one folder to another of the same file system. False:
 * errno has the reason, ENOENT if there is no such file.
 */
bool file_copy(const char *from, const char *to);
bool file_move(const char *from_folder, const char *to_folder, const char *name);

/* A file that is being written, as PATH.tmp. */
typedef struct file_draft {
    char *path, *temporary;
    FILE *stream;
} file_draft;

/*
 * Opens a draft. file_draft_finish waits until the file is on the disk, gives it its name, and waits for that too. If
 * any write has failed, or the caller has marked the draft as not complete, the file is removed instead. false: errno
 * has the reason. file_draft_hand_over does the same without waiting for the disk, for files that another step syncs or
 * that only a killed process would leave behind.
 */
bool file_draft_open(file_draft *d, const char *path);
bool file_draft_finish(file_draft *d, bool complete);
bool file_draft_hand_over(file_draft *d, bool complete);

/* The last step for a file that another program has written: puts it on the disk and gives it its name. */
bool file_settle(const char *temporary, const char *path);

/* Waits until a file, what was written to a stream, or the list of names in a folder, is on the disk. */
bool file_sync(const char *path);
bool file_sync_stream(FILE *out);
bool file_sync_folder(const char *path);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The folder of an experiment's results, DIRECTORY/NAME. Files are written in another folder beside it, and move when
 * all of them are complete: no half-written file ever has its final name. That other folder,
 * DIRECTORY/.NAME.unfinished, belongs to one process at a time. Everything in it outside of `files` belongs to the
 * journal, and stays for the process that continues the run. When the results are finished the journal moves with them.
 */
#ifndef POSSE_EXPERIMENT_STORE_FOLDER_H
#define POSSE_EXPERIMENT_STORE_FOLDER_H

#include <stdbool.h>

typedef struct folder {
    char *directory;
    char *final;      /* DIRECTORY/NAME */
    char *unfinished; /* DIRECTORY/.NAME.unfinished */
    char *runs;       /* DIRECTORY/NAME/.runs: the journal of finished results, which more runs can extend */
    char *temporary;  /* DIRECTORY/.NAME.unfinished/files: unfinished results */
    char *path;       /* of the file last asked for */
    bool made;        /* DIRECTORY did not exist before */
    int lock;         /* a locked file in `unfinished`; -1: the folder is not ours */
} folder;

/*
 * Makes the folders, and DIRECTORY if it does not exist, and empties `files`. False with errno set: nothing was left
 * behind. EWOULDBLOCK: another process is working there.
 */
bool folder_open(folder *f, const char *directory, const char *name);

/* Whether DIRECTORY/NAME exists and is no folder, so that results cannot go there. */
bool folder_is_blocked(const folder *f);

/* The path of a file in the temporary folder, valid until the next call. */
const char *folder_path(folder *f, const char *file);

/*
 * Moves every file to its final name, replacing older results, and removes the pictures and pages of older results,
 * which would show other numbers. False with errno set.
 */
bool folder_commit(folder *f);

/*
 * Removes the unfinished files, and those of the folders made by folder_open that are empty. Frees the folder. Keeps
 * errno.
 */
void folder_close(folder *f);

#endif

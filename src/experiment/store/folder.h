/*
 * The folder of an experiment's results, DIRECTORY/NAME. Files are written into a folder beside it and move there when
 * all of them are whole: nothing half-written ever has a final name. That folder, DIRECTORY/.NAME.unfinished, belongs
 * to one process at a time; what lies in it outside of `files` is the journal's, and stays for the process that goes
 * on.
 */
#ifndef POSSE_STORE_FOLDER_H
#define POSSE_STORE_FOLDER_H

#include <stdbool.h>

typedef struct folder {
    char *directory;
    char *final;      /* DIRECTORY/NAME */
    char *unfinished; /* DIRECTORY/.NAME.unfinished */
    char *temporary;  /* DIRECTORY/.NAME.unfinished/files: results in the making */
    char *path;       /* of the file last asked for */
    bool made;        /* DIRECTORY was not there before */
    int lock;         /* a file in `unfinished`; -1: not ours */
} folder;

/*
 * Makes the folders, and DIRECTORY if need be, and empties `files`. False with errno set: nothing was left behind.
 * EWOULDBLOCK: another process is at work there.
 */
bool folder_open(folder *f, const char *directory, const char *name);

/* The path of a file in the temporary folder, valid until the next call. */
const char *folder_path(folder *f, const char *file);

/*
 * Moves every file to its final name, replacing older results; pictures and pages of those, which would show other
 * numbers, go. False with errno set.
 */
bool folder_commit(folder *f);

/*
 * Removes the files in the making, and what else folder_open made as far as nothing else lies in it. Frees the folder.
 * Keeps errno.
 */
void folder_close(folder *f);

#endif

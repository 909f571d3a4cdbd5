/*
 * The folder of an experiment's results, DIRECTORY/NAME. Files are written into a temporary folder beside it and move
 * there when all of them are whole: nothing half-written ever has a final name.
 */
#ifndef POSSE_EXPERIMENT_FOLDER_H
#define POSSE_EXPERIMENT_FOLDER_H

#include <stdbool.h>

typedef struct folder {
    char *final;     /* DIRECTORY/NAME */
    char *temporary; /* DIRECTORY/.NAME.PID */
    char *path;      /* of the file last asked for */
    char *directory;
    bool made; /* DIRECTORY was not there before */
} folder;

/* Makes the temporary folder, and DIRECTORY if need be. False with errno set: nothing was left behind. */
bool folder_open(folder *f, const char *directory, const char *name);

/* The path of a file in the temporary folder, valid until the next call. */
const char *folder_path(folder *f, const char *file);

/*
 * Moves every file to its final name, replacing older results; pictures and pages of those, which would show other
 * numbers, go. False with errno set.
 */
bool folder_commit(folder *f);

/* Removes the temporary folder and all in it, and what else folder_open made. Frees the folder. Keeps errno. */
void folder_close(folder *f);

#endif

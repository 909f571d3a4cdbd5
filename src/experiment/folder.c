#include "experiment/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/text.h"

/* What a report makes from results. */
static const char *const stale[] = {"index.html",  "regret.svg",  "regret.png",    "regret.pdf",    "optimal.svg",
                                    "optimal.png", "optimal.pdf", "selection.svg", "selection.png", "selection.pdf"};

/* Names the whole: it moves last, so that a folder with a new manifest has new numbers. */
static const char last[] = "manifest.json";

/* mkdir -p. */
static bool make_directory(char *path, bool *made) {
    for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        bool there = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!there) return false;
    }
    *made = mkdir(path, 0777) == 0;
    return *made || errno == EEXIST;
}

bool folder_open(folder *f, const char *directory, const char *name) {
    *f = (folder){.directory = strdup(directory)};
    f->final = text_format("%s/%s", directory, name);
    char *temporary = text_format("%s/.%s.XXXXXX", directory, name);
    bool whole = f->directory != NULL && f->final != NULL && temporary != NULL;
    /* Not known to f before it is made: only what is its own is cleared away. */
    if (whole && make_directory(f->directory, &f->made) && mkdtemp(temporary) != NULL) {
        chmod(temporary, 0755);
        f->temporary = temporary;
        return true;
    }
    int kept = errno;
    free(temporary);
    errno = kept;
    folder_close(f);
    return false;
}

const char *folder_path(folder *f, const char *file) {
    free(f->path);
    f->path = text_format("%s/%s", f->temporary, file);
    return f->path != NULL ? f->path : "";
}

/* Does one thing to every file in the temporary folder; false as soon as that does. */
static bool each_file(folder *f, bool (*act)(folder *f, const char *file)) {
    DIR *directory = opendir(f->temporary);
    if (directory == NULL) return false;
    bool whole = true;
    for (struct dirent *entry; whole && (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) whole = act(f, entry->d_name);
    int kept = errno;
    closedir(directory);
    errno = kept;
    return whole;
}

static bool move(folder *f, const char *file) {
    char *final = text_format("%s/%s", f->final, file);
    bool moved = final != NULL && rename(folder_path(f, file), final) == 0;
    free(final);
    return moved;
}

static bool move_unless_last(folder *f, const char *file) {
    return strcmp(file, last) == 0 || move(f, file);
}

static bool remove_file(folder *f, const char *file) {
    return unlink(folder_path(f, file)) == 0;
}

bool folder_commit(folder *f) {
    if (mkdir(f->final, 0777) != 0 && errno != EEXIST) return false;
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
        char *path = text_format("%s/%s", f->final, stale[i]);
        if (path != NULL) unlink(path);
        free(path);
    }
    return each_file(f, move_unless_last) && move(f, last);
}

void folder_close(folder *f) {
    int kept = errno;
    if (f->temporary != NULL) {
        each_file(f, remove_file);
        rmdir(f->temporary);
    }
    if (f->made) rmdir(f->directory); /* which only succeeds if nothing came of it */
    free(f->final);
    free(f->temporary);
    free(f->path);
    free(f->directory);
    *f = (folder){0};
    errno = kept;
}

/* SPDX-License-Identifier: MIT */
#include "experiment/store/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/text.h"

/* The files that a report makes from results: the page, and these pictures in each of these formats. */
static const char page[] = "index.html";
static const char *const pictures[] = {"regret", "value", "optimal", "tasks", "selection"};
static const char *const formats[] = {"svg", "png", "pdf"};

/* The old manifest goes first and the new one comes last, so that a manifest describes the numbers beside it. */
static const char last[] = "manifest.json";

const char *folder_path(folder *f, const char *file) {
    free(f->path);
    f->path = text_format("%s/%s", f->temporary, file);
    return f->path != NULL ? f->path : "";
}

/* Calls a function for every file in the temporary folder, until one call returns false; then returns false too. */
static bool each_file(folder *f, bool (*act)(folder *f, const char *file)) {
    DIR *directory = opendir(f->temporary);
    if (directory == NULL) return false;
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) ok = act(f, entry->d_name);
    int kept = errno;
    closedir(directory);
    errno = kept;
    return ok;
}

static bool folder_move(folder *f, const char *file) {
    return file_move(f->temporary, f->final, file);
}

static bool move_unless_last(folder *f, const char *file) {
    return strcmp(file, last) == 0 || folder_move(f, file);
}

static bool folder_sync_file(folder *f, const char *file) {
    return file_sync(folder_path(f, file));
}

static bool folder_remove_file(folder *f, const char *file) {
    return unlink(folder_path(f, file)) == 0;
}

/*
 * Whether a lock file still exists. The process that had it last may have removed it after it was opened here, but
 * before it was locked.
 */
static bool still_there(int lock) {
    struct stat info;
    return fstat(lock, &info) == 0 && info.st_nlink > 0;
}

/* Makes the unfinished folder and locks it. On a file system without locks it works unlocked. */
static bool take_hold(folder *f) {
    for (;;) {
        if (mkdir(f->unfinished, 0777) != 0 && errno != EEXIST) return false;
        char *path = text_format("%s/lock", f->unfinished);
        int lock = path != NULL ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
        free(path);
        if (lock < 0 && errno == ENOENT) continue; /* removed in between */
        if (lock < 0) return false;
        bool busy = flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!busy && still_there(lock)) {
            f->lock = lock;
            return true;
        }
        close(lock);
        if (!busy) continue;
        errno = EWOULDBLOCK;
        return false;
    }
}

bool folder_open(folder *f, const char *directory, const char *name) {
    *f = (folder){.directory = strdup(directory), .lock = -1};
    f->final = text_format("%s/%s", directory, name);
    f->runs = text_format("%s/%s/.runs", directory, name);
    f->unfinished = text_format("%s/.%s.unfinished", directory, name);
    f->temporary = text_format("%s/.%s.unfinished/files", directory, name);
    bool named =
        f->directory != NULL && f->final != NULL && f->runs != NULL && f->unfinished != NULL && f->temporary != NULL;
    if (named && file_make_folders(f->directory, &f->made) && take_hold(f) &&
        (mkdir(f->temporary, 0777) == 0 || (errno == EEXIST && each_file(f, folder_remove_file))))
        return true;
    folder_close(f);
    return false;
}

bool folder_is_blocked(const folder *f) {
    struct stat info;
    return stat(f->final, &info) == 0 && !S_ISDIR(info.st_mode);
}

static bool folder_remove_old(folder *f, const char *file) {
    char *path = text_format("%s/%s", f->final, file);
    bool removed = path != NULL && (unlink(path) == 0 || errno == ENOENT);
    free(path);
    return removed;
}

static void folder_remove_report(folder *f) {
    folder_remove_old(f, page);
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
            char *file = text_format("%s.%s", pictures[i], formats[k]);
            if (file != NULL) folder_remove_old(f, file);
            free(file);
        }
}

/* After each step the disk has what the step before has done, whenever the power fails. */
bool folder_commit(folder *f) {
    if (!each_file(f, folder_sync_file) || (mkdir(f->final, 0777) != 0 && errno != EEXIST)) return false;
    if (!folder_remove_old(f, last) || !file_sync_folder(f->final)) return false;
    folder_remove_report(f);
    return each_file(f, move_unless_last) && file_sync_folder(f->final) && folder_move(f, last) &&
           file_sync_folder(f->final) && file_sync_folder(f->directory);
}

/* The lock's file is removed before it is unlocked: a process that locks it then sees that it is gone, and retries. */
static void folder_let_go(folder *f) {
    char *path = text_format("%s/lock", f->unfinished);
    each_file(f, folder_remove_file);
    rmdir(f->temporary);
    if (path != NULL) unlink(path);
    free(path);
    rmdir(f->unfinished);
    close(f->lock);
}

void folder_close(folder *f) {
    int kept = errno;
    if (f->lock >= 0) folder_let_go(f);
    if (f->made) rmdir(f->directory); /* succeeds only if it is empty */
    free(f->directory);
    free(f->final);
    free(f->runs);
    free(f->unfinished);
    free(f->temporary);
    free(f->path);
    *f = (folder){.lock = -1};
    errno = kept;
}

/* SPDX-License-Identifier: MIT */
#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text.h"

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

bool file_make_folders(const char *path, bool *made) {
    char *part = strdup(path);
    bool there = part != NULL;
    *made = false;
    for (char *slash = part; there && *slash != '\0' && (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        there = mkdir(part, 0777) == 0 || errno == EEXIST;
    }
    if (there) *made = mkdir(part, 0777) == 0;
    there = there && (*made || errno == EEXIST);
    int error = errno;
    free(part);
    errno = error;
    return there;
}

/* --------------------------------------------------- writing ----------------------------------------------------- */

static bool file_sync_opened(int file) {
    bool done = file >= 0 && fsync(file) == 0;
    int error = errno;
    if (file >= 0) close(file);
    errno = error;
    return done;
}

bool file_sync(const char *path) {
    return file_sync_opened(open(path, O_RDONLY | O_CLOEXEC));
}

/* A folder may be one in which files can be made but not listed, or be on a file system that cannot sync folders. */
bool file_sync_folder(const char *path) {
    return file_sync_opened(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) || errno == EACCES || errno == EINVAL;
}

static bool file_flush(FILE *out) {
    return fflush(out) == 0 && !ferror(out);
}

bool file_sync_stream(FILE *out) {
    return file_flush(out) && fsync(fileno(out)) == 0;
}

static bool file_rename(const char *temporary, const char *path) {
    return rename(temporary, path) == 0;
}

/* Gives a file its name, and waits until the disk has the name. */
static bool file_name(const char *temporary, const char *path) {
    if (!file_rename(temporary, path)) return false;
    size_t length = file_folder(path);
    char *parent = text_format("%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
    bool done = parent != NULL && file_sync_folder(parent);
    free(parent);
    return done;
}

bool file_settle(const char *temporary, const char *path) {
    return file_sync(temporary) && file_name(temporary, path);
}

static void file_draft_free(file_draft *d) {
    int error = errno;
    free(d->path);
    free(d->temporary);
    *d = (file_draft){0};
    errno = error;
}

bool file_draft_open(file_draft *d, const char *path) {
    *d = (file_draft){.path = strdup(path), .temporary = text_format("%s.tmp", path)};
    if (d->path != NULL && d->temporary != NULL) d->stream = fopen(d->temporary, "wb");
    if (d->stream != NULL) return true;
    file_draft_free(d);
    return false;
}

/* Closes a draft, and gives it its name if it is complete; `name` does that. */
static bool file_draft_end(file_draft *d, bool complete, bool (*name)(const char *temporary, const char *path)) {
    int error = errno;
    bool closed = fclose(d->stream) == 0; /* a full disk may show only here */
    if (!complete) errno = error;
    complete = complete && closed && name(d->temporary, d->path);
    error = errno;
    if (!complete) unlink(d->temporary);
    errno = error;
    file_draft_free(d);
    return complete;
}

bool file_draft_finish(file_draft *d, bool complete) {
    return file_draft_end(d, complete && file_sync_stream(d->stream), file_name);
}

bool file_draft_hand_over(file_draft *d, bool complete) {
    return file_draft_end(d, complete && file_flush(d->stream), file_rename);
}

/* ---------------------------------------------- copying and moving ----------------------------------------------- */

static bool file_copy_stream(FILE *in, FILE *out) {
    char bytes[1 << 16];
    bool ok = true;
    for (size_t size; ok && (size = fread(bytes, 1, sizeof bytes, in)) > 0;) ok = fwrite(bytes, 1, size, out) == size;
    return ok && !ferror(in);
}

bool file_copy(const char *from, const char *to) {
    file_draft d;
    FILE *in = fopen(from, "rb");
    bool ok = in != NULL && file_draft_open(&d, to) && file_draft_hand_over(&d, file_copy_stream(in, d.stream));
    int error = errno;
    if (in != NULL) fclose(in);
    errno = error;
    return ok;
}

bool file_move(const char *from_folder, const char *to_folder, const char *name) {
    char *from = text_format("%s/%s", from_folder, name), *to = text_format("%s/%s", to_folder, name);
    bool moved = from != NULL && to != NULL && file_rename(from, to);
    int error = errno;
    free(from);
    free(to);
    errno = error;
    return moved;
}

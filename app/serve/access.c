/* SPDX-License-Identifier: MIT */
#include "serve/access.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "serve/json_out.h"

#define GATHERED 32768      /* bytes; then they are written, even before the second is over */
#define GATHERED_MAX 262144 /* bytes that wait while the file cannot be written */

struct access_log {
    const char *path;
    int file;
    json_out lines; /* those that are not written yet */
    uint64_t dropped;
    bool failed; /* the latest write did */
};

static int access_open_file(const char *path, char why[300]) {
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0640);
    if (file < 0) snprintf(why, 300, "%.200s: %s", path, strerror(errno));
    return file;
}

access_log *access_open(const char *path, char why[300]) {
    access_log *a = calloc(1, sizeof *a);
    snprintf(why, 300, "there is not enough memory");
    if (a == NULL) return NULL;
    a->path = path;
    a->file = access_open_file(path, why);
    if (a->file >= 0) return a;
    free(a);
    return NULL;
}

void access_close(access_log *a) {
    if (a == NULL) return;
    access_flush(a);
    close(a->file);
    free(a->lines.text);
    free(a);
}

bool access_reopen(access_log *a, char why[300]) {
    access_flush(a);
    int file = access_open_file(a->path, why);
    if (file < 0) return false;
    close(a->file);
    a->file = file;
    return true;
}

uint64_t access_dropped(const access_log *a) {
    return a != NULL ? a->dropped : 0;
}

/* What a full disk has left over of a line is written first when there is room again. */
void access_flush(access_log *a) {
    json_out *out = &a->lines;
    ssize_t written = out->length > 0 ? write(a->file, out->text, out->length) : 0;
    if (written < 0 && !a->failed)
        fprintf(stderr, "posse serve: the access log cannot be written: %s\n", strerror(errno));
    a->failed = written < 0;
    if (written <= 0) return;
    out->length -= (size_t)written;
    memmove(out->text, out->text + written, out->length);
}

static void access_put_time(json_out *out) {
    char text[40];
    struct tm parts;
    struct timespec now = clock_get(CLOCK_REALTIME);
    gmtime_r(&now.tv_sec, &parts);
    size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + length, sizeof text - length, ".%03ldZ", now.tv_nsec / 1000000);
    json_text_at(out, "at", text);
}

static void access_put_route(json_out *out, const char *route) {
    char text[80];
    snprintf(text, sizeof text, "/%s", route != NULL ? route : "");
    json_text_at(out, "route", route != NULL ? text : NULL);
}

void access_note(access_log *a, const access_line *line) {
    json_out *out = &a->lines;
    size_t before = out->length;
    if (before > GATHERED_MAX) {
        a->dropped++;
        return;
    }
    out->comma = false;
    json_open(out, '{');
    access_put_time(out);
    json_text_at(out, "client", line->client[0] != '\0' ? line->client : NULL);
    json_text_at(out, "method", line->method);
    access_put_route(out, line->route);
    json_text_at(out, "posse", line->posse[0] != '\0' ? line->posse : NULL);
    json_whole_at(out, "status", line->status);
    json_number_at(out, "seconds", line->seconds);
    json_whole_at(out, "received", (int64_t)line->received);
    json_whole_at(out, "sent", (int64_t)line->sent);
    json_close(out, '}');
    json_print(out, "\n");
    if (out->failed) { /* no memory: the line is not whole */
        out->failed = false;
        out->length = before;
        a->dropped++;
    }
    if (before <= GATHERED && out->length > GATHERED) access_flush(a);
}

/* SPDX-License-Identifier: MIT */
#include "report/data/draft.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/data/heap.h"

static void draft_complain(const char *path, FILE *messages) {
    fprintf(messages, "%s: cannot be written: %s\n", path, strerror(errno));
}

bool draft_open(draft *d, const char *directory, const char *name, FILE *messages) {
    char *path = heap_text("%s/%s", directory, name);
    bool opened = file_draft_open(d, path);
    if (!opened) draft_complain(path, messages);
    free(path);
    return opened;
}

bool draft_finish(draft *d, FILE *messages) {
    char *path = heap_text("%s", d->path);
    bool ok = file_draft_finish(d, true);
    if (!ok) draft_complain(path, messages);
    free(path);
    return ok;
}

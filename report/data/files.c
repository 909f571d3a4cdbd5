#include "report/data/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/data/heap.h"

static char *read_stream(FILE *stream, size_t *size) {
    size_t room = 1 << 16, got;
    char *text = heap_get(room, 1);
    *size = 0;
    while ((got = fread(text + *size, 1, room - *size - 1, stream)) > 0) {
        *size += got;
        if (*size + 1 == room) text = heap_grow(text, room *= 2, 1);
    }
    text[*size] = '\0';
    return text;
}

char *files_read(const char *path, size_t *size, FILE *messages) {
    FILE *stream = fopen(path, "rb");
    char *text = stream != NULL ? read_stream(stream, size) : NULL;
    if (stream == NULL || ferror(stream)) {
        fprintf(messages, "%s: cannot be read: %s\n", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (stream != NULL) fclose(stream);
    return text;
}

static bool draft_lost(draft *d, FILE *messages) {
    fprintf(messages, "%s: cannot be written: %s\n", d->path, strerror(errno));
    unlink(d->temporary);
    return false;
}

bool draft_open(draft *d, const char *directory, const char *name, FILE *messages) {
    d->path = heap_text("%s/%s", directory, name);
    d->temporary = heap_text("%s.tmp", d->path);
    d->stream = fopen(d->temporary, "wb");
    if (d->stream != NULL) return true;
    draft_lost(d, messages);
    free(d->path);
    free(d->temporary);
    return false;
}

bool draft_finish(draft *d, FILE *messages) {
    bool failed = ferror(d->stream) != 0;
    failed |= fclose(d->stream) != 0; /* a full disk may show only here */
    bool whole = !failed && rename(d->temporary, d->path) == 0;
    if (!whole) draft_lost(d, messages);
    free(d->path);
    free(d->temporary);
    return whole;
}

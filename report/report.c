#include "report/report.h"

#include <stdlib.h>

#include "report/heap.h"
#include "report/page.h"
#include "report/picture.h"
#include "report/record.h"

int report_make(const char *directory, FILE *messages) {
    record *r = record_read(directory, messages);
    if (r == NULL) return REPORT_WRONG;
    bool drawn = picture_make(r, directory, messages);
    bool made = page_make(r, directory, messages);
    record_free(r);
    return drawn && made ? REPORT_DONE : REPORT_UNFINISHED;
}

int report_front(const char *directory, const char *const *names, int count, FILE *messages) {
    record **records = heap_get((size_t)count, sizeof *records);
    int status = REPORT_DONE;
    for (int i = 0; i < count && status == REPORT_DONE; i++) {
        char *path = heap_text("%s/%s", directory, names[i]);
        records[i] = record_read(path, messages);
        if (records[i] == NULL) status = REPORT_WRONG;
        free(path);
    }
    if (status == REPORT_DONE && !page_front((const record *const *)records, names, (size_t)count, directory, messages))
        status = REPORT_UNFINISHED;
    for (int i = 0; i < count; i++) record_free(records[i]);
    free(records);
    return status;
}

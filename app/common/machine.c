/* SPDX-License-Identifier: MIT */
#include "common/machine.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The path of the group in the unified hierarchy: the line "0::/system.slice/posse.service". */
static void read_group(const char *own, char path[PATH_MAX]) {
    char line[PATH_MAX];
    FILE *file = fopen(own, "re");
    path[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "0::/", 4) == 0) {
            line[strcspn(line, "\n")] = '\0';
            strcpy(path, line + 3);
        }
    if (file != NULL) fclose(file);
}

/* SIZE_MAX: there is no limit, which is written "max", or no such group. */
static size_t machine_read_limit(const char *root, const char *path) {
    char name[2 * PATH_MAX];
    unsigned long long bytes = 0;
    snprintf(name, sizeof name, "%s%s/memory.max", root, path);
    FILE *file = fopen(name, "re");
    bool limited = file != NULL && fscanf(file, "%llu", &bytes) == 1 && bytes > 0 && bytes < SIZE_MAX;
    if (file != NULL) fclose(file);
    return limited ? (size_t)bytes : SIZE_MAX;
}

/* A group has no more than the groups that it is in. In a container its own group is the root. */
size_t machine_group_memory(const char *root, const char *own) {
    char path[PATH_MAX];
    read_group(own, path);
    size_t least = machine_read_limit(root, path);
    while (path[0] != '\0') {
        *strrchr(path, '/') = '\0';
        size_t limit = machine_read_limit(root, path);
        if (limit < least) least = limit;
    }
    return least;
}

size_t machine_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    size_t most = pages > 0 && size > 0 ? (size_t)pages * (size_t)size : SIZE_MAX;
    size_t group = machine_group_memory("/sys/fs/cgroup", "/proc/self/cgroup");
    return group < most ? group : most;
}

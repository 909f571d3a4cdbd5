/* SPDX-License-Identifier: MIT */
/*
 * Laws of what a process finds out about its machine.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/machine.h"
#include "law.h"

static void write_text(const char *folder, const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_folder(const char *folder, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static size_t limit_in(const char *folder, const char *own) {
    char path[200];
    write_text(folder, "own", own);
    snprintf(path, sizeof path, "%s/own", folder);
    return machine_group_memory(folder, path);
}

/* The groups of a systemd unit, of a slice around it, and of a container, which sees its own as the root. */
LAW(memory_is_limited_by_every_control_group_around) {
    char folder[] = "machine_law_XXXXXX", command[100];
    assert_non_null(mkdtemp(folder));
    make_folder(folder, "system.slice");
    make_folder(folder, "system.slice/posse.service");
    write_text(folder, "system.slice/memory.max", "max\n");
    write_text(folder, "system.slice/posse.service/memory.max", "1000000\n");
    assert_true(limit_in(folder, "0::/system.slice/posse.service\n") == 1000000);
    assert_true(limit_in(folder, "4:memory:/old\n0::/system.slice/posse.service\n") == 1000000);
    assert_true(limit_in(folder, "0::/system.slice\n") == SIZE_MAX);
    assert_true(limit_in(folder, "0::/\n") == SIZE_MAX);
    assert_true(limit_in(folder, "") == SIZE_MAX);
    write_text(folder, "system.slice/memory.max", "500000\n");
    assert_true(limit_in(folder, "0::/system.slice/posse.service\n") == 500000);
    write_text(folder, "memory.max", "300000\n");
    assert_true(limit_in(folder, "0::/system.slice/posse.service\n") == 300000);
    assert_true(limit_in(folder, "0::/of/another/container\n") == 300000);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

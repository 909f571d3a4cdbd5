/* SPDX-License-Identifier: MIT */
/*
 * Results and other files that get their names: whenever the power fails, a name belongs to a complete file, and a
 * manifest to the numbers beside it. The laws record the calls of fsync, rename and unlink, which this file defines.
 */
#include "experiment/store/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/file.h"
#include "common/text.h"
#include "law.h"

/* ---- what is on the disk ---- */

#define SYNCED_MAX 1000

static ino_t synced[SYNCED_MAX]; /* files and folders that nothing has changed since their last fsync */
static size_t synced_count;
static char watched[200]; /* the folder of results */
static int renames, unsafe, mixed;

static bool is_synced(ino_t which) {
    for (size_t i = 0; i < synced_count; i++)
        if (synced[i] == which) return true;
    return false;
}

static ino_t number_of(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? info.st_ino : 0;
}

static void forget_parent(const char *path) {
    char parent[300];
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = '\0';
    ino_t which = number_of(parent);
    for (size_t i = 0; i < synced_count; i++)
        if (synced[i] == which) synced[i] = 0;
}

/* The only byte of a file in the folder of results; 0 if there is no such file. */
static int byte_of(const char *name) {
    char path[300], byte = 0;
    snprintf(path, sizeof path, "%s/%s", watched, name);
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) != 1) byte = 0;
    if (file >= 0) close(file);
    return byte;
}

/* After each step: where there is a manifest, the other files are of its generation. */
static void look_at_results(void) {
    int manifest = byte_of("manifest.json"), summary = byte_of("summary.csv"), curves = byte_of("curves.csv");
    mixed += manifest != 0 && (summary != manifest || curves != manifest);
}

int fsync(int file) {
    struct stat info;
    if (fstat(file, &info) == 0 && synced_count < SYNCED_MAX) synced[synced_count++] = info.st_ino;
    return (int)syscall(SYS_fsync, file);
}

int rename(const char *from, const char *to) {
    unsafe += !is_synced(number_of(from));
    renames++;
    int status = (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    forget_parent(to);
    look_at_results();
    return status;
}

int unlink(const char *path) {
    int status = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    forget_parent(path);
    look_at_results();
    return status;
}

static void begin(const char *results) {
    snprintf(watched, sizeof watched, "%s", results);
    synced_count = 0;
    renames = unsafe = mixed = 0;
}

/* ---- laws ---- */

static void put_byte(const char *directory, const char *file, char byte) {
    char *path = text_format("%s/%s", directory, file);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputc(byte, out);
    fclose(out);
    free(path);
}

static void write_results(const char *scratch, char byte) {
    folder f;
    assert_true(folder_open(&f, scratch, "name"));
    put_byte(f.temporary, "summary.csv", byte);
    put_byte(f.temporary, "manifest.json", byte);
    put_byte(f.temporary, "curves.csv", byte);
    assert_true(folder_commit(&f));
    assert_true(is_synced(number_of(f.final)));
    folder_close(&f);
}

static void remove_folder(const char *scratch) {
    char *command = text_format("rm -r '%s'", scratch);
    assert_int_equal(system(command), 0);
    free(command);
}

LAW(a_manifest_always_describes_the_numbers_beside_it) {
    char scratch[] = "/tmp/posse-folder-XXXXXX", results[100];
    assert_non_null(mkdtemp(scratch));
    snprintf(results, sizeof results, "%s/name", scratch);
    begin(results);
    for (char byte = 'a'; byte <= 'c'; byte++) {
        write_results(scratch, byte);
        assert_int_equal(byte_of("manifest.json"), byte);
    }
    assert_int_equal(renames, 9);
    assert_int_equal(unsafe, 0);
    assert_int_equal(mixed, 0);
    remove_folder(scratch);
}

LAW(a_file_has_its_name_when_it_is_on_the_disk) {
    char scratch[] = "/tmp/posse-folder-XXXXXX", path[100];
    assert_non_null(mkdtemp(scratch));
    begin(scratch);
    snprintf(path, sizeof path, "%s/summary.csv", scratch);
    file_draft d;
    for (char byte = 'a'; byte <= 'b'; byte++) {
        assert_true(file_draft_open(&d, path));
        fputc(byte, d.stream);
        fflush(d.stream);
        assert_int_equal(byte_of("summary.csv.tmp"), byte);
        assert_int_equal(byte_of("summary.csv"), byte == 'a' ? 0 : 'a');
        assert_true(file_draft_finish(&d, true));
        assert_true(is_synced(number_of(scratch)));
        assert_int_equal(byte_of("summary.csv"), byte);
    }
    assert_true(file_draft_open(&d, path));
    fputc('c', d.stream);
    assert_false(file_draft_finish(&d, false));
    assert_int_equal(byte_of("summary.csv.tmp"), 0);
    assert_int_equal(byte_of("summary.csv"), 'b');
    assert_int_equal(renames, 2);
    assert_int_equal(unsafe, 0);

    snprintf(path, sizeof path, "%s/nowhere/file", scratch);
    assert_false(file_draft_open(&d, path));
    assert_int_equal(errno, ENOENT);
    remove_folder(scratch);
}

/* SPDX-License-Identifier: MIT */
#include "serve/usage.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The fields of /proc/self/stat after the name of the program, which is in brackets and may have any characters. */
static bool read_stat(unsigned long long *start_ticks, long long *pages) {
    char text[1024];
    FILE *file = fopen("/proc/self/stat", "re");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) fclose(file);
    text[length] = '\0';
    const char *rest = strrchr(text, ')');
    return rest != NULL && sscanf(rest + 1,
                                  " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu "
                                  "%*u %lld",
                                  start_ticks, pages) == 2;
}

/* Seconds since 1970 when the machine was booted. */
static double boot_time(void) {
    char line[256];
    double seconds = NAN;
    FILE *file = fopen("/proc/stat", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "btime %lf", &seconds) != 1) continue;
    if (file != NULL) fclose(file);
    return seconds;
}

static double count_open_files(void) {
    double count = -3.0; /* "." and "..", and the folder itself */
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return NAN;
    while (readdir(folder) != NULL) count += 1.0;
    closedir(folder);
    return count;
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

usage usage_look(void) {
    usage f = {NAN, NAN, NAN, count_open_files(), NAN};
    unsigned long long ticks;
    long long pages;
    struct rusage used;
    struct rlimit files;
    if (getrusage(RUSAGE_SELF, &used) == 0) f.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) f.files_max = (double)files.rlim_cur;
    if (read_stat(&ticks, &pages)) {
        f.resident_bytes = (double)pages * (double)sysconf(_SC_PAGE_SIZE);
        f.start_time = boot_time() + (double)ticks / (double)sysconf(_SC_CLK_TCK);
    }
    return f;
}

/* SPDX-License-Identifier: MIT */
#include "cli/progress_bar.h"

#include <stdio.h>
#include <unistd.h>

#include "base/format.h"
#include "common/clock.h"
#include "common/text.h"
#include "experiment/play/launcher.h"

#define WIDTH 30

void progress_bar_open(progress_bar *p, const char *name, bool quiet) {
    *p = (progress_bar){
        .name = name, .unit = "rounds", .visible = !quiet && isatty(STDERR_FILENO) == 1 && !launcher_is_there()};
}

/* Writes a number with three digits, which are enough: 12.3 M. */
static void progress_bar_scale(double x, char *text, size_t size) {
    static const char *const units[] = {"", " k", " M", " G"};
    int unit = 0;
    for (; x >= 1000.0 && unit < 3; unit++) x /= 1000.0;
    format_text(text, size, "%.3g%s", x, units[unit]);
}

/* Writes a duration: "5 s", "3 min 05 s" or "2 h 10 min". */
static void progress_bar_span(double seconds, char *text, size_t size) {
    if (seconds < 60.0)
        format_text(text, size, "%.0f s", seconds);
    else if (seconds < 3600.0)
        snprintf(text, size, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(text, size, "%d h %02d min", (int)(seconds / 3600.0), (int)(seconds / 60.0) % 60);
}

void progress_bar_show(progress_bar *p, uint64_t rounds, uint64_t total) {
    if (!p->visible || total == 0) return;
    if (p->begin == 0.0) p->begin = clock_now(), p->before = rounds;
    double done = (double)rounds / (double)total, passed = clock_now() - p->begin,
           played = (double)(rounds - p->before);
    char bar[WIDTH + 1], speed[24], pace[60] = "", left[40];
    for (int i = 0; i < WIDTH; i++) bar[i] = (i + 1) <= (int)(done * WIDTH) ? '=' : ' ';
    bar[WIDTH] = '\0';
    progress_bar_scale(passed > 0.0 ? played / passed : 0.0, speed, sizeof speed);
    if (played > 0.0)
        progress_bar_span(passed * (double)(total - rounds) / played, left, sizeof left);
    else
        snprintf(left, sizeof left, "?");
    if (p->unit != NULL) snprintf(pace, sizeof pace, "  %s %s/s", speed, p->unit);
    text_print(stderr, "\r%s [%s] %3.0f%%%s  %s left\033[K", p->name, bar, 100.0 * done, pace, left);
    fflush(stderr);
}

void progress_bar_close(progress_bar *p) {
    if (!p->visible) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}

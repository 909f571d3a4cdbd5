/* SPDX-License-Identifier: MIT */
#include "report/draw/style.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct {
    const char *light, *dark;
} learner_colours[] = {
    {"#0072B2", "#4AA8E0"}, {"#E69F00", "#F0B030"}, {"#009E73", "#25C295"}, {"#CC79A7", "#DD93BC"},
    {"#56B4E9", "#9AD5F7"}, {"#D55E00", "#F07E2A"}, {"#8C7A00", "#F0E442"}, {"#7A6C9E", "#B3A6D6"},
};

/* Dark on white and light on black: selectors stand out by their weight and by having nearly no colour. */
static const struct {
    const char *light, *dark;
} selector_colours[] = {
    {"#000000", "#FFFFFF"}, {"#7A1230", "#FF9DB0"}, {"#123B7A", "#A9C8FF"}, {"#1D4D1D", "#A8E6A8"},
    {"#4A2A6A", "#D6B8F5"}, {"#5C3A00", "#F2CE90"}, {"#00525A", "#8FE3EC"}, {"#4D4D4D", "#C8C8C8"},
};

static const int dashes[][7] = {
    {0},       {8, 3, 0},       {2, 2, 0}, {9, 3, 2, 3, 0}, {14, 3, 0}, {5, 2, 0}, {9, 2, 2, 2, 2, 2, 0},
    {3, 4, 0}, {12, 3, 3, 3, 0}};

style style_of(record_role role, size_t rank) {
    static const int dots[] = {1, 3, 0};
    const int *dash = dashes[rank % COUNT(dashes)];
    if (dash[0] == 0) dash = NULL;
    if (role == RECORD_ORACLE) return (style){"#6B6B6B", "#A8A8A8", 1.8, dots};
    if (role == RECORD_SELECTOR) {
        size_t i = rank % COUNT(selector_colours);
        return (style){selector_colours[i].light, selector_colours[i].dark, 3.2, dash};
    }
    size_t i = rank % COUNT(learner_colours);
    return (style){learner_colours[i].light, learner_colours[i].dark, 1.6, dash};
}

style style_among_selectors(size_t rank) {
    return rank == 0 ? style_of(RECORD_SELECTOR, 0) : style_of(RECORD_LEARNER, rank - 1);
}

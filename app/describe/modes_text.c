/* SPDX-License-Identifier: MIT */
#include "describe/modes_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/suggestion.h"

#define WHOLE_MAX 1000000000000 /* of rounds and of seconds */
#define UNITS_MOST 10000000     /* the library has the same limit */

/* -------------------------------------------------- writing ------------------------------------------------------- */

static json_t *modes_arm(const posse *p, int arm) {
    const char *name = posse_arm_name(p, arm);
    if (arm < 0) return json_null();
    return name != NULL ? json_string(name) : json_integer(arm);
}

json_t *modes_json(const posse *p) {
    posse_modes m = posse_modes_of(p);
    json_t *all = json_object();
    json_object_set_new(all, "control", modes_arm(p, m.control));
    json_object_set_new(all, "holdback", json_real(m.holdback));
    json_object_set_new(all, "paused", json_boolean(m.paused));
    json_object_set_new(all, "shadow", json_boolean(m.shadow));
    json_object_set_new(all, "units", json_integer(m.units));
    json_object_set_new(all, "sticky_rounds", json_integer((json_int_t)m.sticky_rounds));
    json_object_set_new(all, "sticky_seconds", json_integer((json_int_t)m.sticky_seconds));
    return all;
}

/* -------------------------------------------------- reading ------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static bool modes_wrong(modes_problem *why, const char *key, const char *format,
                                                              ...) {
    va_list arguments;
    va_start(arguments, format);
    format_text_list(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    snprintf(why->path, sizeof why->path, "%s", key);
    return false;
}

static bool modes_read_control(const json_t *said, const posse *p, posse_modes *out, modes_problem *why) {
    out->control = -1;
    if (json_is_null(said)) return true;
    if (posse_arm_count(p) == 0)
        return modes_wrong(why, "control",
                           "a posse without separate arms has no control, so it has no holdback or pause");
    if (json_is_string(said))
        out->control = posse_arm_find(p, json_string_value(said));
    else if (json_is_integer(said) && json_integer_value(said) >= 0 && json_integer_value(said) < posse_arm_count(p))
        out->control = (int)json_integer_value(said);
    if (out->control < 0 && json_is_string(said))
        return modes_wrong(why, "control", "there is no arm \"%.100s\"", json_string_value(said));
    return out->control >= 0 || modes_wrong(why, "control", "it must be an arm, by name or number, or null for none");
}

static bool modes_read_flag(const json_t *said, const char *key, bool *out, modes_problem *why) {
    *out = json_is_true(said);
    return json_is_boolean(said) || modes_wrong(why, key, "it must be true or false");
}

static bool modes_read_whole(const json_t *said, const char *key, json_int_t most, uint64_t *out, modes_problem *why) {
    json_int_t number = json_integer_value(said);
    *out = (uint64_t)number;
    if (json_is_integer(said) && number >= 0 && number <= most) return true;
    return modes_wrong(why, key, "it must be a whole number from 0 to %lld", (long long)most);
}

static bool modes_read_one(const char *key, const json_t *said, const posse *p, posse_modes *out, modes_problem *why) {
    static const char *const keys[] = {"control", "holdback",      "paused",        "shadow",
                                       "units",   "sticky_rounds", "sticky_seconds"};
    suggestion near = {.word = key};
    int k = 0;
    while (k < 7 && strcmp(key, keys[k]) != 0) suggestion_consider(&near, keys[k++]);
    uint64_t units = out->units;
    switch (k) {
    case 0:
        return modes_read_control(said, p, out, why);
    case 1:
        out->holdback = json_number_value(said);
        return json_is_number(said) || modes_wrong(why, key, "it must be a share from 0 to 0.99");
    case 2:
        return modes_read_flag(said, key, &out->paused, why);
    case 3:
        return modes_read_flag(said, key, &out->shadow, why);
    case 4:
        if (!modes_read_whole(said, key, UNITS_MOST, &units, why)) return false;
        out->units = (uint32_t)units;
        return true;
    case 5:
        return modes_read_whole(said, key, WHOLE_MAX, &out->sticky_rounds, why);
    case 6:
        return modes_read_whole(said, key, WHOLE_MAX, &out->sticky_seconds, why);
    default:
        return modes_wrong(why, key, "there is no mode \"%.60s\"%s", key, suggestion_text(&near));
    }
}

bool modes_text_read(const json_t *said, const posse *p, posse_modes *out, modes_problem *why) {
    const char *key;
    json_t *value;
    if (!json_is_object(said)) return modes_wrong(why, "", "modes are an object, {\"holdback\": 0.05, ..}");
    json_object_foreach((json_t *)said, key, value) {
        if (!modes_read_one(key, value, p, out, why)) return false;
    }
    return true;
}

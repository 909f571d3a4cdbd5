/* SPDX-License-Identifier: MIT */
#include "posse.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static const struct {
    const char *name;
    const char *text;
} errors[] = {
    [POSSE_OK] = {"POSSE_OK", "done"},
    [POSSE_ERROR_ARGUMENT] =
        {"POSSE_ERROR_ARGUMENT",
         "an argument is missing or makes no sense, or a definition did not start from posse_default_def()"},
    [POSSE_ERROR_KIND] = {"POSSE_ERROR_KIND", "there is no kind of that name"},
    [POSSE_ERROR_OPTION] = {"POSSE_ERROR_OPTION", "an option is unknown, of the wrong type or out of range"},
    [POSSE_ERROR_FIT] = {"POSSE_ERROR_FIT", "the parts do not fit each other or these arms"},
    [POSSE_ERROR_MEMORY] = {"POSSE_ERROR_MEMORY", "there is no memory left"},
    [POSSE_ERROR_REWARD] = {"POSSE_ERROR_REWARD",
                            "the reward is not finite, too large, or outside of what can be learned from"},
    [POSSE_ERROR_UNKNOWN] = {"POSSE_ERROR_UNKNOWN", "this posse has no decision with that id"},
    [POSSE_ERROR_SETTLED] = {"POSSE_ERROR_SETTLED",
                             "that decision already has its reward, was forgotten, or has expired"},
    [POSSE_ERROR_LEARNER] = {"POSSE_ERROR_LEARNER", "there is no such learner, or it cannot be retired"},
    [POSSE_ERROR_NAME] = {"POSSE_ERROR_NAME", "that name is taken, empty or not UTF-8"},
    [POSSE_ERROR_BUFFER] = {"POSSE_ERROR_BUFFER", "the buffer is too small"},
    [POSSE_ERROR_DAMAGED] = {"POSSE_ERROR_DAMAGED", "this is no saved posse, or it was cut short or altered"},
    [POSSE_ERROR_VERSION] = {"POSSE_ERROR_VERSION", "it was made for another version of posse"},
    [POSSE_ERROR_ABSENT] = {"POSSE_ERROR_ABSENT",
                            "this selector has no such quantity, or there is no such way to play"},
    [POSSE_ERROR_FULL] = {"POSSE_ERROR_FULL", "there is no room for another kind"},
    [POSSE_ERROR_ARM] = {"POSSE_ERROR_ARM", "there is no such arm, or it cannot be retired"},
    [POSSE_ERROR_UNTOLD] = {"POSSE_ERROR_UNTOLD", "the arm that was played is not reported yet"},
    [POSSE_ERROR_CONTEXT] = {"POSSE_ERROR_CONTEXT",
                             "the context does not fit, or it is missing and rounds have features"},
};

static const int error_count = sizeof errors / sizeof errors[0];

const char *posse_error_name(posse_error error) {
    return (int)error >= 0 && (int)error < error_count ? errors[error].name : "an error posse does not know";
}

const char *posse_error_text(posse_error error) {
    return (int)error >= 0 && (int)error < error_count ? errors[error].text : "an error posse does not know";
}

const char *posse_version(void) {
    return TEXT(POSSE_VERSION_MAJOR) "." TEXT(POSSE_VERSION_MINOR) "." TEXT(POSSE_VERSION_PATCH);
}

/*
 * Text: numbers that read back exactly, as short as printf can make them, and strings of any length.
 */
#ifndef POSSE_EXPERIMENT_TEXT_H
#define POSSE_EXPERIMENT_TEXT_H

#define NUMBER_TEXT 32

/* Writes the number; nothing at all for NaN, which stands for what there is not. Returns text. */
const char *number_text(double number, char text[NUMBER_TEXT]);

/* printf into memory to be freed. NULL: none left. */
__attribute__((format(printf, 1, 2))) char *text_format(const char *format, ...);

#endif

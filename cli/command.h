/*
 * The sub-commands of the program. Each takes the arguments from its own name on and returns the exit status.
 */
#ifndef COMMAND_H
#define COMMAND_H

enum { EXIT_DONE = 0, EXIT_USAGE = 2 };

int command_list(int argc, char **argv);

#endif

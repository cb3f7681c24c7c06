/* Prints an expression with its result, or its error. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CALL(expression)                                                         \
    do {                                                                         \
        errno = 0;                                                               \
        long answer_ = (long)(expression);                                       \
        if (answer_ == -1)                                                       \
            printf("%s: %s\n", #expression, strerror(errno));                    \
        else                                                                     \
            printf("%s: %ld\n", #expression, answer_);                           \
    } while (0)

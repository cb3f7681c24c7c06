// steam: error=use-after-free
/* Two owners of one session: one closes it, the other still writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
    char user[16];
    int requests;
};
struct server {
    struct session *current, *last;
};

static struct session *__attribute__((noinline)) open_session(const char *user)
{
    struct session *s = calloc(1, sizeof *s); /* ALLOC */
    strncpy(s->user, user, sizeof s->user - 1);
    return s;
}
static void __attribute__((noinline)) close_session(struct server *server)
{
    free(server->current); /* FREE */
    server->current = NULL;
}
static void __attribute__((noinline)) request(struct session *s)
{
    s->requests++; /* ERROR */
}

int main(void)
{
    struct server server = {NULL, NULL};
    server.current = server.last = open_session("ann");
    request(server.current);
    printf("%d\n", server.current->requests);
    close_session(&server);
    request(server.last);
    return 0;
}

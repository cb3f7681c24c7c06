// race: players[1].score 13 22
/* One member of one element is shared; its neighbours have one user each. */
#include <pthread.h>

static struct {
    int lives;
    int score;
} players[2];

static void *play(void *unused)
{
    players[0].score = 10;
    players[1].score += 5;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, play, NULL);
    players[1].lives = 3;
    players[1].score += 1;
    pthread_join(thread, NULL);
    return players[1].score == 0;
}

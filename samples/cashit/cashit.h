/* Cash machines on one table of accounts, a lock for each. A customer withdraws, asks for the balance,
 * or transfers. The seeded error: a transfer locks the account that it takes from, but not the one that
 * it gives to. Who uses an account leaves a mark there, and the mark must stay until the end. */
#ifndef CASHIT_H
#define CASHIT_H

#include <stdlib.h>

#include "steam.h"

#ifndef N
#define N 2
#endif

enum { MOST = 1000, ACCOUNTS = 3 };

struct Account {
    int lock, user, balance;
};

static struct Account accounts[ACCOUNTS];
static int count = N;

static void begin(struct Account *account, int user)
{
    account->user = user;
}

static void end(struct Account *account, int user)
{
    VASSERT(account->user == user); /* ERROR */
}

static void withdraw(int user, int number)
{
    struct Account *account = &accounts[number];
    VLOCK(&account->lock);
    begin(account, user);
    account->balance -= 1;
    end(account, user);
    VUNLOCK(&account->lock);
}

static void request(int user, int number)
{
    struct Account *account = &accounts[number];
    VLOCK(&account->lock);
    begin(account, user);
    end(account, user);
    VUNLOCK(&account->lock);
}

static void transfer(int user, int from, int to)
{
    VLOCK(&accounts[from].lock);
    begin(&accounts[from], user);
    begin(&accounts[to], user);
    accounts[from].balance -= 1;
    accounts[to].balance += 1;
    end(&accounts[to], user);
    end(&accounts[from], user);
    VUNLOCK(&accounts[from].lock);
}

static void serve(int user)
{
    int number = VS_toss(ACCOUNTS - 1);
    switch (VS_toss(2)) {
    case 0:
        withdraw(user, number);
        break;
    case 1:
        request(user, number);
        break;
    default:
        transfer(user, number, (number + 1) % ACCOUNTS);
    }
}

#endif

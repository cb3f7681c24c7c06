// steam: levels=O1
/* system and popen: words, quotes, lists, pipes, redirections, and programs that can be run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void ask(const char *command)
{
	fflush(stdout);
	int status = system(command);
	if (WIFSIGNALED(status))
		printf("%s: signal %d\n", command, WTERMSIG(status));
	else
		printf("%s: %d\n", command, WEXITSTATUS(status));
}

static void listen_to(const char *command)
{
	char line[100];
	FILE *from = popen(command, "r");
	while (fgets(line, sizeof line, from))
		printf("%s says %s", command, line);
	printf("%d\n", WEXITSTATUS(pclose(from)));
}

int main(int count, char **arguments)
{
	char command[3000], self[1000];
	if (count > 1) {
		printf("program with %s\n", arguments[1]);
		return atoi(arguments[1]);
	}
	/* Never within itself. */
	if (getenv("GREETING"))
		return 1;
	printf("shell: %d\n", system(NULL) != 0);
	ask("true");
	ask("false");
	ask("exit 7");
	ask("echo one 'two  three' \"four\" fi\\ ve");
	ask("false || echo $?; true && echo \"<$?>\"");
	ask("false && echo never; false; exit");
	ask("echo a > /tmp/steam_shell; echo b >> /tmp/steam_shell; cat < /tmp/steam_shell");
	ask("cat /tmp/steam_shell - < /dev/null; rm /tmp/steam_shell");
	ask("cat /tmp/steam_shell 2> /dev/null || echo gone");
	ask("echo piped | cat | cat");
	ask("echo x | false; echo $?; true | exit 4");
	ask("echo hidden > /dev/null 2>&1; echo shown # not this");
	ask("/nowhere/program 2> /dev/null");
	ask("test a = a && test a != b && test -n a && test -z '' && test a && [ 3 -gt -2 ] && echo all");
	ask("test || test '' || test a = b || [ -n '' ] || [ 2 -lt 2 ] || [ 2 -ne 2 ] || echo none");
	ask("[ ! a = b ] && test ! -z a && [ 07 -eq 7 ] && [ ! ] && [ -n = -n ] && echo words");
	ask("echo x > /tmp/steam_shell; test -f /tmp/steam_shell && [ ! -d /tmp/steam_shell ] && echo file");
	ask("[ -e /tmp/steam_shell ] && [ -d /tmp ]; rm /tmp/steam_shell; [ -e /tmp/steam_shell ] || echo gone");
	setenv("GREETING", "good morning", 1);
	ask("echo \"$GREETING\" '$GREETING'");
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	self[length] = 0;
	snprintf(command, sizeof command, "%s 3 && echo never || echo $?; %s 5", self, self);
	fflush(stdout);
	printf("%d\n", WEXITSTATUS(system(command)));
	snprintf(command, sizeof command, "exec %s 6", self);
	fflush(stdout);
	printf("%d\n", WEXITSTATUS(system(command)));
	listen_to("echo hello; echo world; exit 2");
	fflush(stdout);
	FILE *to = popen("cat", "w");
	fputs("written to cat\n", to);
	printf("%d\n", pclose(to));
}

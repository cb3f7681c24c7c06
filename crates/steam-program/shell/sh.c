/* The shell that runs the commands of system and popen where the host has none that can be run here.
 *
 * It knows words, quotes, $? and $NAME; `;`, `&&`, `||` and pipes; redirections; a few commands of its own; and
 * programs. What it does not know it names by a system call that Linux does not have, which ends the run as unknown.
 * It uses no library and no heap: all that a state holds of it is a page or two. */

typedef unsigned long size;

enum { READ = 3, WRITE = 4, OPEN = 5, CLOSE = 6, UNLINK = 10, EXECVE = 11, CHDIR = 12, FORK = 2, EXIT = 1 };
enum { MKDIR = 39, PIPE = 42, DUP2 = 63, WAIT4 = 114, NANOSLEEP = 162, GETCWD = 183, FCNTL = 55 };
enum { STAT64 = 195, NOT_MODELLED = 222 };
enum { ENOENT = 2, EACCES = 13, EINTR = 4, DUPLICATE = 1030 /* F_DUPFD_CLOEXEC */ };
enum { MOST_WORDS = 64, MOST_COMMANDS = 8, MOST_REDIRECTIONS = 8, ROOM = 8192, SAVED = 10 };

static long call(long number, long a, long b, long c, long d)
{
	long answer;
	__asm__ volatile("int $0x80" : "=a"(answer) : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d) : "memory");
	return answer;
}

static size length(const char *text)
{
	size count = 0;
	while (text[count])
		count++;
	return count;
}

static int same(const char *one, const char *other)
{
	while (*one && *one == *other)
		one++, other++;
	return *one == *other;
}

/* Ends the run as unknown. */
static void not_modelled(const char *what)
{
	call(NOT_MODELLED, (long)what, 0, 0, 0);
	call(EXIT, 2, 0, 0, 0);
}

static char room[ROOM];
static size used;

static void put(char byte)
{
	if (used == ROOM)
		not_modelled("a command of more than 8 KiB");
	room[used++] = byte;
}

static void put_text(const char *text)
{
	while (*text)
		put(*text++);
}

static void put_number(unsigned number)
{
	if (number > 9)
		put_number(number / 10);
	put('0' + number % 10);
}

/* Writes what was put since `start`, and forgets it. */
static int flush(int file, size start)
{
	int failed = 0;
	for (size at = start; at < used && !failed;) {
		long done = call(WRITE, file, (long)room + at, used - at, 0);
		if (done < 0)
			failed = 1;
		else
			at += done;
	}
	used = start;
	return failed;
}

static void complain(const char *before, const char *what, const char *behind)
{
	size start = used;
	put_text(before), put_text(what), put_text(behind), put('\n');
	flush(2, start);
}

/* The command line, and what was read of it. */

struct redirection {
	int file, flags, from, saved;
	char *path;
};

struct command {
	char *words[MOST_WORDS + 1];
	int count;
	struct redirection redirections[MOST_REDIRECTIONS];
	int redirected;
};

static struct command commands[MOST_COMMANDS];
static int command_count;
static const char *next;
static char **environment;
static int status;

static int is_name(char byte)
{
	return byte == '_' || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9');
}

static int is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static const char *variable(const char *name, size count, const char *otherwise)
{
	for (char **entry = environment; *entry; entry++) {
		size at = 0;
		while (at < count && (*entry)[at] == name[at])
			at++;
		if (at == count && (*entry)[at] == '=')
			return *entry + at + 1;
	}
	return otherwise;
}

/* `$` was read. */
static void expand(int quoted)
{
	if (*next == '?') {
		next++;
		put_number(status);
		return;
	}
	if (!is_name(*next) || is_digit(*next)) {
		if (*next && *next != ' ' && *next != '"')
			not_modelled("an expansion other than $? and $NAME");
		put('$');
		return;
	}
	const char *name = next;
	while (is_name(*next))
		next++;
	const char *value = variable(name, next - name, "");
	for (const char *at = value; *at; at++) {
		int splits = *at == ' ' || *at == '\t' || *at == '\n' || *at == '*' || *at == '?' || *at == '[';
		if (splits && !quoted)
			not_modelled("a variable outside of quotes whose value has several words");
		put(*at);
	}
	if (!*value && !quoted)
		not_modelled("an empty variable outside of quotes");
}

static void quoted_part(void)
{
	for (; *next != '"'; ) {
		char byte = *next++;
		if (byte == '\\' && (*next == '"' || *next == '\\' || *next == '$' || *next == '`'))
			put(*next++);
		else if (byte == '$')
			expand(1);
		else if (byte == '`' || !byte)
			not_modelled("a command within a command, or a quote without an end");
		else
			put(byte);
	}
	next++;
}

static int ends_word(char byte)
{
	return !byte || byte == ' ' || byte == '\t' || byte == '\n' || byte == ';' || byte == '&' || byte == '|' ||
	       byte == '<' || byte == '>' || byte == '(' || byte == ')';
}

static char *word(void)
{
	size start = used;
	while (!ends_word(*next)) {
		char byte = *next++;
		if (byte == '\'') {
			while (*next != '\'') {
				if (!*next)
					not_modelled("a quote without an end");
				put(*next++);
			}
			next++;
		} else if (byte == '"') {
			quoted_part();
		} else if (byte == '\\') {
			if (!*next || *next == '\n')
				not_modelled("a line that goes on");
			put(*next++);
		} else if (byte == '$') {
			expand(0);
		} else if (byte == '[' && used == start && ends_word(*next)) {
			put(byte); /* The command of that name. */
		} else if (byte == '*' || byte == '?' || byte == '[') {
			not_modelled("a pattern of file names");
		} else if (byte == '`' || (byte == '~' && used == start)) {
			not_modelled("a command within a command, or a home directory");
		} else if (byte == '=' && !commands[command_count].count) {
			not_modelled("an assignment to a variable");
		} else {
			put(byte);
		}
	}
	put(0);
	return room + start;
}

static void blanks(void)
{
	while (*next == ' ' || *next == '\t')
		next++;
	if (*next == '#')
		while (*next && *next != '\n')
			next++;
}

static void refuse_keyword(const char *name)
{
	static const char *const keywords[] = {"if",   "then", "else", "elif", "fi",   "for", "while", "until", "do",
					       "done", "case", "esac", "{",    "}",    "!",   "set",   "trap",  "eval",
					       "read", "wait", "shift", "export", "unset", "return", "break",
					       "continue", "printf", "kill", "umask", "ulimit", "local",
					       ".", "times", "type", "command", "alias", "jobs", "fg", "bg", "getopts",
					       "readonly", "hash", "unalias", 0};
	for (int i = 0; keywords[i]; i++)
		if (same(name, keywords[i]))
			not_modelled(keywords[i]);
}

/* Reads a redirection if there is one. */
static int redirection(struct command *command)
{
	const char *at = next;
	int file = -1;
	if (is_digit(*at) && (at[1] == '<' || at[1] == '>'))
		file = *at++ - '0';
	if (*at != '<' && *at != '>')
		return 0;
	if (command->redirected == MOST_REDIRECTIONS)
		not_modelled("more than 8 redirections of a command");
	struct redirection *new = &command->redirections[command->redirected++];
	int writes = *at++ == '>';
	new->file = file >= 0 ? file : writes;
	new->flags = writes ? 01 | 0100 | 01000 : 0;
	new->path = 0;
	new->from = -1;
	if (writes && *at == '>') {
		at++;
		new->flags = 01 | 0100 | 02000;
	}
	if (*at == '&' && is_digit(at[1]) && ends_word(at[2])) {
		new->from = at[1] - '0';
		next = at + 2;
		return 1;
	}
	if (*at == '&' || *at == '<' || *at == '>' || *at == '|')
		not_modelled("a redirection other than <, > and >>");
	next = at;
	blanks();
	if (ends_word(*next))
		not_modelled("a redirection to nothing");
	new->path = word();
	return 1;
}

static void read_command(void)
{
	struct command *command = &commands[command_count];
	command->count = command->redirected = 0;
	for (;;) {
		blanks();
		if (redirection(command))
			continue;
		if (*next == '(' || *next == ')')
			not_modelled("a command in parentheses");
		if (ends_word(*next))
			break;
		if (command->count == MOST_WORDS)
			not_modelled("more than 64 words");
		char *new = word();
		if (!command->count)
			refuse_keyword(new);
		command->words[command->count++] = new;
	}
	command->words[command->count] = 0;
	if (!command->count)
		not_modelled("a command without a name");
	command_count++;
}

/* Reads commands up to `;`, `&&`, `||` or the end. */
static void read_pipeline(void)
{
	command_count = 0;
	used = 0;
	read_command();
	while (*next == '|' && next[1] != '|') {
		next++;
		if (command_count == MOST_COMMANDS)
			not_modelled("more than 8 commands in a pipe");
		read_command();
	}
	if (*next == '&' && next[1] != '&')
		not_modelled("a command in the background");
}

/* Commands of the shell's own. */

static int own_echo(char **words)
{
	size start = used;
	int line = 1;
	words++;
	if (*words && same(*words, "-n")) {
		line = 0;
		words++;
	}
	for (int first = 1; *words; words++, first = 0) {
		if (!first)
			put(' ');
		for (char *at = *words; *at; at++) {
			if (*at == '\\')
				not_modelled("echo of a backslash");
			put(*at);
		}
	}
	if (line)
		put('\n');
	return flush(1, start);
}

static int copy(int file)
{
	for (;;) {
		long count = call(READ, file, (long)room + used, ROOM - used, 0);
		if (count == -EINTR)
			continue;
		if (count <= 0)
			return count < 0;
		size start = used;
		used += count;
		if (flush(1, start))
			return 1;
	}
}

static int own_cat(char **words)
{
	int failed = 0;
	if (!words[1])
		return copy(0);
	for (words++; *words; words++) {
		if ((*words)[0] == '-' && (*words)[1])
			not_modelled("an option of cat");
		if (same(*words, "-")) {
			failed |= copy(0);
			continue;
		}
		long file = call(OPEN, (long)*words, 0, 0, 0);
		if (file < 0 && file != -ENOENT)
			not_modelled("cat of what cannot be opened");
		if (file < 0) {
			complain("cat: ", *words, ": No such file or directory");
			failed = 1;
			continue;
		}
		failed |= copy(file);
		call(CLOSE, file, 0, 0, 0);
	}
	return failed;
}

static int own_rm(char **words)
{
	int failed = 0, force = 0;
	words++;
	if (*words && same(*words, "-f")) {
		force = 1;
		words++;
	}
	for (; *words; words++) {
		if ((*words)[0] == '-')
			not_modelled("an option of rm other than -f");
		long answer = call(UNLINK, (long)*words, 0, 0, 0);
		if (answer && answer != -ENOENT)
			not_modelled("rm of what cannot be removed");
		if (answer && !force) {
			complain("rm: cannot remove '", *words, "': No such file or directory");
			failed = 1;
		}
	}
	return failed;
}

static int own_mkdir(char **words)
{
	for (words++; *words; words++)
		if ((*words)[0] == '-' || call(MKDIR, (long)*words, 0777, 0, 0))
			not_modelled("mkdir with an option, or that fails");
	return 0;
}

static int number_of(const char *text)
{
	int number = 0;
	if (!*text || length(text) > 8)
		not_modelled("a number that is none");
	for (; *text; text++) {
		if (!is_digit(*text))
			not_modelled("a number that is none");
		number = 10 * number + (*text - '0');
	}
	return number;
}

static int own_sleep(char **words)
{
	long time[2] = {number_of(words[1] ? words[1] : ""), 0};
	if (words[2])
		not_modelled("a sleep with several times");
	call(NANOSLEEP, (long)time, 0, 0, 0);
	return 0;
}

static int own_pwd(void)
{
	size start = used;
	long count = call(GETCWD, (long)room + used, ROOM - used, 0, 0);
	if (count <= 0)
		not_modelled("pwd where there is no directory");
	used += count - 1;
	put('\n');
	return flush(1, start);
}

static int own_cd(char **words)
{
	if (!words[1] || words[2] || words[1][0] == '-')
		not_modelled("cd without one directory");
	if (!call(CHDIR, (long)words[1], 0, 0, 0))
		return 0;
	complain("sh: 1: cd: can't cd to ", words[1], "");
	return 2;
}

/* What kind of file a path leads to, as `stat` gives it; 0 if it leads nowhere. */
static unsigned kind_of_file(const char *path)
{
	enum { MODE = 4 /* the word of struct stat64 with st_mode */, KINDS = 0170000 };
	unsigned about[24];
	return call(STAT64, (long)path, (long)about, 0, 0) ? 0 : about[MODE] & KINDS;
}

/* Whether a condition about one word holds; -1 if it is none. */
static int holds_of_one(const char *what, const char *word)
{
	enum { DIRECTORY = 0040000, REGULAR = 0100000 };
	if (same(what, "-n"))
		return *word != 0;
	if (same(what, "-z"))
		return !*word;
	if (same(what, "-e"))
		return kind_of_file(word) != 0;
	if (same(what, "-f"))
		return kind_of_file(word) == REGULAR;
	if (same(what, "-d"))
		return kind_of_file(word) == DIRECTORY;
	return -1;
}

static int signed_number_of(const char *text)
{
	return *text == '-' ? -number_of(text + 1) : number_of(text);
}

/* Whether a condition about two words holds; -1 if it is none. */
static int holds_of_two(const char *one, const char *what, const char *other)
{
	if (same(what, "="))
		return same(one, other);
	if (same(what, "!="))
		return !same(one, other);
	if (same(what, "-eq"))
		return signed_number_of(one) == signed_number_of(other);
	if (same(what, "-ne"))
		return signed_number_of(one) != signed_number_of(other);
	if (same(what, "-lt"))
		return signed_number_of(one) < signed_number_of(other);
	if (same(what, "-gt"))
		return signed_number_of(one) > signed_number_of(other);
	return -1;
}

/* Whether the condition holds that `count` words are; how many they are decides what they mean. */
static int holds(char **words, int count)
{
	int result = -1;
	if (count < 2)
		return count && *words[0];
	if (count == 3)
		result = holds_of_two(words[0], words[1], words[2]);
	if (result < 0 && same(words[0], "!"))
		return !holds(words + 1, count - 1);
	if (result < 0 && count == 2)
		result = holds_of_one(words[0], words[1]);
	if (result < 0)
		not_modelled("a condition other than =, !=, -n, -z, -e, -f, -d, -eq, -ne, -lt and -gt");
	return result;
}

static int own_test(char **words)
{
	int count = 0;
	while (words[count + 1])
		count++;
	if (same(words[0], "[") && (!count || !same(words[count--], "]")))
		not_modelled("[ without ]");
	return !holds(words + 1, count);
}

static void leave(int code)
{
	call(EXIT, code & 255, 0, 0, 0);
}

/* Does a command of the shell's own; -1 if it is none. */
static int own(char **words)
{
	if (same(words[0], "true") || same(words[0], ":"))
		return 0;
	if (same(words[0], "false"))
		return 1;
	if (same(words[0], "echo"))
		return own_echo(words);
	if (same(words[0], "cat"))
		return own_cat(words);
	if (same(words[0], "rm"))
		return own_rm(words);
	if (same(words[0], "mkdir"))
		return own_mkdir(words);
	if (same(words[0], "sleep"))
		return own_sleep(words);
	if (same(words[0], "pwd"))
		return own_pwd();
	if (same(words[0], "cd"))
		return own_cd(words);
	if (same(words[0], "test") || same(words[0], "["))
		return own_test(words);
	if (same(words[0], "exit")) {
		if (words[1] && words[2])
			not_modelled("exit with several numbers");
		leave(words[1] ? number_of(words[1]) : status);
	}
	return -1;
}

/* Goes on with a program; returns if there is none of that name. */
static void execute(char **words)
{
	static const char usual[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
	const char *name = words[0], *path = variable("PATH", 4, usual);
	long failure = -ENOENT;
	size start = used;
	for (const char *at = name; *at; at++)
		if (*at == '/')
			path = 0;
	if (!path)
		failure = call(EXECVE, (long)name, (long)words, (long)environment, 0);
	while (path) {
		const char *end = path;
		while (*end && *end != ':')
			end++;
		used = start;
		if (end == path)
			put('.');
		while (path < end)
			put(*path++);
		put('/'), put_text(name), put(0);
		long answer = call(EXECVE, (long)room + start, (long)words, (long)environment, 0);
		if (answer != -ENOENT)
			failure = answer;
		path = *end ? end + 1 : 0;
	}
	used = start;
	if (failure != -ENOENT && failure != -EACCES)
		not_modelled("a program that cannot be run");
	complain("sh: 1: ", name, failure == -EACCES ? ": Permission denied" : ": not found");
	leave(failure == -EACCES ? 126 : 127);
}

/* Opens what a command is redirected to; `keeps` says whether it is undone later. */
static int redirect(struct command *command, int keeps)
{
	for (int i = 0; i < command->redirected; i++) {
		struct redirection *it = &command->redirections[i];
		long file = it->from;
		if (it->path) {
			file = call(OPEN, (long)it->path, it->flags, 0666, 0);
			if (file < 0 && (file != -ENOENT || i))
				not_modelled("a redirection to what cannot be opened");
			if (file < 0) {
				complain(it->flags ? "sh: 1: cannot create " : "sh: 1: cannot open ", it->path,
					 it->flags ? ": Directory nonexistent" : ": No such file");
				return 2;
			}
		}
		if (keeps) {
			it->saved = call(FCNTL, it->file, DUPLICATE, SAVED, 0);
			if (it->saved < 0)
				not_modelled("a redirection of what is closed");
		}
		if (call(DUP2, file, it->file, 0, 0) < 0)
			not_modelled("a redirection to a file that is not open");
		if (it->path && file != it->file)
			call(CLOSE, file, 0, 0, 0);
	}
	return 0;
}

static void undo(struct command *command)
{
	for (int i = command->redirected; i-- > 0;) {
		call(DUP2, command->redirections[i].saved, command->redirections[i].file, 0, 0);
		call(CLOSE, command->redirections[i].saved, 0, 0, 0);
	}
}

static int wait_for(int process)
{
	int ended;
	while (call(WAIT4, process, (long)&ended, 0, 0) == -EINTR)
		;
	if (!(ended & 0x7f))
		return ended >> 8 & 255;
	/* The shell says what happened, but not of a pipe that nobody reads. */
	if ((ended & 0x7f) != 13)
		not_modelled("a command that a signal ends");
	return 128 + (ended & 0x7f);
}

static int is_own(const char *name)
{
	static const char *const names[] = {"true", ":", "false", "echo", "cat", "rm", "mkdir", "sleep", "pwd", "cd",
					    "test", "[", "exit", 0};
	for (int i = 0; names[i]; i++)
		if (same(name, names[i]))
			return 1;
	return 0;
}

/* Does a command in a process that does nothing else. */
static void become(struct command *command)
{
	char **words = command->words;
	if (same(words[0], "exec") && words[1])
		words++;
	int failed = redirect(command, 0);
	if (failed)
		leave(failed);
	if (is_own(words[0]))
		leave(own(words));
	execute(words);
}

static int run_one(struct command *command, int last)
{
	if (same(command->words[0], "exec") && !command->words[1])
		not_modelled("exec without a program");
	if (same(command->words[0], "exec") || (last && !is_own(command->words[0])))
		become(command);
	if (is_own(command->words[0])) {
		int failed = redirect(command, 1);
		if (failed && (same(command->words[0], ":") || same(command->words[0], "exit")))
			leave(failed);
		if (failed)
			return failed;
		int result = own(command->words);
		undo(command);
		return result;
	}
	long child = call(FORK, 0, 0, 0, 0);
	if (child < 0)
		not_modelled("a process that cannot be made");
	if (!child)
		become(command);
	return wait_for(child);
}

static int run_pipe(void)
{
	long children[MOST_COMMANDS];
	int input = -1, result = 0;
	for (int i = 0; i < command_count; i++) {
		int ends[2] = {-1, -1}, last = i + 1 == command_count;
		if (!last && call(PIPE, (long)ends, 0, 0, 0) < 0)
			not_modelled("a pipe that cannot be made");
		children[i] = call(FORK, 0, 0, 0, 0);
		if (children[i] < 0)
			not_modelled("a process that cannot be made");
		if (!children[i]) {
			if (input >= 0)
				call(DUP2, input, 0, 0, 0), call(CLOSE, input, 0, 0, 0);
			if (!last) {
				call(CLOSE, ends[0], 0, 0, 0);
				call(DUP2, ends[1], 1, 0, 0), call(CLOSE, ends[1], 0, 0, 0);
			}
			become(&commands[i]);
		}
		if (input >= 0)
			call(CLOSE, input, 0, 0, 0);
		if (!last)
			call(CLOSE, ends[1], 0, 0, 0);
		input = ends[0];
	}
	for (int i = 0; i < command_count; i++)
		result = wait_for(children[i]);
	return result;
}

static void run(const char *line)
{
	enum { ALWAYS, IF_DONE, IF_FAILED } when = ALWAYS;
	next = line;
	for (;;) {
		blanks();
		while (*next == '\n' || (*next == ' ' && when == ALWAYS)) {
			next++;
			blanks();
		}
		if (!*next && when == ALWAYS)
			leave(status);
		read_pipeline();
		const char *rest = next;
		while (*rest == ' ' || *rest == ';' || *rest == '\n' || *rest == '\t')
			rest++;
		if (when == ALWAYS || (when == IF_DONE) == !status)
			status = command_count > 1 ? run_pipe() : run_one(&commands[0], !*rest);
		if (*next == '&' || *next == '|') {
			when = *next == '&' ? IF_DONE : IF_FAILED;
			next += 2;
		} else {
			when = ALWAYS;
			if (*next)
				next++;
		}
	}
}

__attribute__((used)) static void start(long *stack)
{
	char **arguments = (char **)stack + 1;
	environment = arguments + *stack + 1;
	if (*stack < 3 || !same(arguments[1], "-c"))
		not_modelled("a shell without -c");
	char *line = arguments[2];
	if (same(line, "--") && *stack > 3)
		line = arguments[3];
	if (length(line) > ROOM / 2)
		not_modelled("a command of more than 4 KiB");
	run(line);
}

__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tmov %esp, %eax\n\tand $-16, %esp\n\tsub $12, %esp\n\tpush %eax\n\tcall start\n");

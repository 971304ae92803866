// Runs before Bun's own entry point. Answers what the build has frozen and takes Bun's variables out of the environment;
// for all else it goes on to Bun. Neither a C library nor a heap is there: what is needed is asked of the kernel.

typedef unsigned int u32;

enum { ONLY_WHERE_NO_TERMINAL = 1 };

struct row {
  u32 line, line_size; // the arguments, each with its NUL
  u32 text, text_size;
  u32 flags;
};

/** Follows the code; build/seal.ts writes it. Its offsets start from itself. */
extern const struct table {
  long entry; // Bun's own
  u32 count;
  u32 reserved;
  struct row rows[];
} table __attribute__((visibility("hidden")));

#if defined(__x86_64__)

// The loader has left a function in rdx; none of the other registers is promised to anybody, and all are kept.
__asm__(".section .text.start, \"ax\"\n"
        ".global _start\n"
        "_start: push %rax\n"
        "push %rax; push %rcx; push %rdx; push %rsi; push %rdi; push %r8; push %r9; push %r10; push %r11\n"
        "lea 80(%rsp), %rdi\n"
        "call prelude\n"
        "mov %rax, 72(%rsp)\n"
        "pop %r11; pop %r10; pop %r9; pop %r8; pop %rdi; pop %rsi; pop %rdx; pop %rcx; pop %rax\n"
        "lea 8(%rsp), %rsp\n"
        "jmp *-8(%rsp)\n" // in the red zone, which nobody touches
        ".text\n");

enum { WRITE = 1, SIGACTION = 13, IOCTL = 16, EXIT = 231, PPOLL = 271 };

static long call(long number, long a, long b, long c, long d, long e) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                   : "rcx", "r11", "memory");
  return result;
}

#elif defined(__aarch64__)

// The loader has left a function in x0. x16 is the one register that a jump may use up.
__asm__(".section .text.start, \"ax\"\n"
        ".global _start\n"
        "_start: hint #38\n" // bti jc
        "stp x0, x1, [sp, #-160]!\n"
        "stp x2, x3, [sp, #16]; stp x4, x5, [sp, #32]; stp x6, x7, [sp, #48]; stp x8, x9, [sp, #64]\n"
        "stp x10, x11, [sp, #80]; stp x12, x13, [sp, #96]; stp x14, x15, [sp, #112]; stp x17, x18, [sp, #128]\n"
        "str x30, [sp, #144]\n"
        "add x0, sp, #160\n"
        "bl prelude\n"
        "mov x16, x0\n"
        "ldp x2, x3, [sp, #16]; ldp x4, x5, [sp, #32]; ldp x6, x7, [sp, #48]; ldp x8, x9, [sp, #64]\n"
        "ldp x10, x11, [sp, #80]; ldp x12, x13, [sp, #96]; ldp x14, x15, [sp, #112]; ldp x17, x18, [sp, #128]\n"
        "ldr x30, [sp, #144]\n"
        "ldp x0, x1, [sp], #160\n"
        "br x16\n"
        ".text\n");

enum { WRITE = 64, SIGACTION = 134, IOCTL = 29, EXIT = 94, PPOLL = 73 };

static long call(long number, long a, long b, long c, long d, long e) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return x0;
}

#endif

enum { EINTR = 4, EIO = 5, EBADF = 9, EAGAIN = 11, EFBIG = 27, ENOSPC = 28, EPIPE = 32 };
enum { STDOUT = 1, STDERR = 2, TCGETS = 0x5401, SIGPIPE = 13, POLLOUT = 4, UNDELIVERABLE = 74 };

static int starts_with(const char *text, const char *start) {
  while (*start && *text == *start) text++, start++;
  return *start == 0;
}

/** What the names begin with that only Bun, and what it is made of, go by; each with its NUL, and a NUL behind them. */
static const char own[] = "BUN_\0SIMDUTF_\0JSC_\0WTF_\0MIMALLOC_\0mimalloc_\0ICU_\0";

static int is_own(const char *variable) {
  for (const char *start = own; *start; start++) {
    if (starts_with(variable, start)) return 1;
    while (*start) start++;
  }
  return 0;
}

/**
 * Empties every variable of Bun's: some make the executable the whole of Bun (BUN_BE_BUN), run somebody's code in it
 * (BUN_OPTIONS=--preload), open it to a debugger (BUN_INSPECT), end it (BUN_JSC_useJIT=x, SIMDUTF_FORCE_IMPLEMENTATION=x,
 * JSC_SIGNAL_FOR_GC=0), have it print (MIMALLOC_VERBOSE) or write files (BUN_BYTECODE_ORDER_OUT). The prefixes are Bun's
 * own and those of its libraries, so all that begin with them go, the ones of a later Bun too.
 *
 * The pointers stay as many as they were, for musl looks for the auxiliary vector behind them; each now leads to its
 * own end, an empty text, which no one takes for a variable. Returns whether the exit code may depend on the answer.
 */
static int clean(char **environment) {
  int exit_codes = 0;
  for (; *environment; environment++) {
    if (starts_with(*environment, "CFA_EXIT_CODES=")) exit_codes = 1;
    if (is_own(*environment))
      while (**environment) ++*environment;
  }
  return exit_codes;
}

static int is_line(const char *line, const char *end, char **arguments) {
  for (; *arguments; arguments++) {
    const char *token = *arguments;
    do
      if (line == end || *line++ != *token) return 0;
    while (*token++);
  }
  return line == end;
}

static const struct row *find(char **arguments) {
  const char *base = (const char *)&table;
  for (u32 at = 0; at < table.count; at++) {
    const struct row *row = &table.rows[at];
    const char *line = base + row->line;
    if (is_line(line, line + row->line_size, arguments)) return row;
  }
  return 0;
}

static int is_terminal(void) {
  char settings[64];
  return call(IOCTL, STDOUT, TCGETS, (long)settings, 0, 0) == 0;
}

static char *append(char *end, const char *text) {
  while (*text) *end++ = *text++;
  return end;
}

/** As src/endings.ts says it. */
static void complain(u32 error) {
  char line[80], *end = append(line, "stdout: the answer could not be written: ");
  if (error == EIO) end = append(end, "EIO");
  else if (error == EBADF) end = append(end, "EBADF");
  else if (error == EFBIG) end = append(end, "EFBIG");
  else if (error == ENOSPC) end = append(end, "ENOSPC");
  else {
    end = append(end, "errno ");
    for (u32 unit = error < 10 ? 1 : error < 100 ? 10 : error < 1000 ? 100 : 1000; unit; unit /= 10)
      *end++ = '0' + error / unit % 10;
  }
  end = append(end, "\n");
  call(WRITE, STDERR, (long)line, end - line, 0, 0);
}

/** Writes all of a text; returns the error that kept it from doing so. */
static int write_all(const char *text, long size) {
  while (size > 0) {
    long count = call(WRITE, STDOUT, (long)text, size, 0, 0);
    if (count > 0) text += count, size -= count;
    else if (count == 0 || count == -EAGAIN) {
      struct { int fd; short events, found; } writable = {STDOUT, POLLOUT, 0};
      call(PPOLL, (long)&writable, 1, 0, 0, 0);
    } else if (count != -EINTR) return -count;
  }
  return 0;
}

static void answer(const struct row *row) {
  long ignore[] = {1, 0, 0, 0}; // SIG_IGN, in the kernel's own struct sigaction
  call(SIGACTION, SIGPIPE, (long)ignore, 0, 8, 0);
  int error = write_all((const char *)&table + row->text, row->text_size);
  if (error && error != EPIPE) complain(error); // who went away knows it
  call(EXIT, error && error != EPIPE ? UNDELIVERABLE : 0, 0, 0, 0, 0);
}

/** Given the initial stack, returns where to go on. */
__attribute__((used, visibility("hidden"))) const char *prelude(long *stack) {
  long count = *stack;
  char **arguments = (char **)(stack + 1);
  int exit_codes = clean(arguments + count + 1);
  const struct row *row = exit_codes ? 0 : find(arguments + (count > 0));
  if (row && !((row->flags & ONLY_WHERE_NO_TERMINAL) && is_terminal())) answer(row);
  return (const char *)&table + table.entry;
}

import { type Libc, openLibc } from "./libc.ts";

/** The way to the caller, which from here on nothing but `write` takes. */
export type Stdout = {
  terminal: boolean;
  /** Writes all of a text; returns the name of the error that kept it from doing so. */
  write: (text: string) => string | undefined;
};

/** Writes bytes from an offset on; returns how many went out, or the name of the error. */
type WriteSome = (bytes: Uint8Array) => number | string;

const F_GETFD = 1;
const F_DUPFD_CLOEXEC = 1030;
/** Characters that are encoded at a time: 100 MB of text must not need 100 MB of bytes. */
const PIECE = 1 << 20;

/** Moves stdout out of everybody's reach: what is printed from here on, by this process or its children, goes to stderr. */
export function seizeStdout(): Stdout {
  const libc = openLibc();
  return libc ? moveDescriptor(libc) : replaceWriters();
}

function moveDescriptor(libc: Libc): Stdout {
  // No descriptor is inherited with FD_CLOEXEC: one that has it is the /dev/null that Bun put where there was none.
  const closed = libc.fcntl(1, F_GETFD, 0) !== 0;
  const terminal = libc.isatty(1) === 1;
  const fd = closed ? -1 : libc.fcntl(1, F_DUPFD_CLOEXEC, 3);
  libc.dup2(2, 1);
  return {
    terminal,
    write: (text) =>
      writeAll(text, (bytes) => {
        const count = libc.write(fd, bytes, bytes.length);
        return count < 0 ? errorName(libc.errno()) : count;
      }),
  };
}

/** What is left where the descriptor cannot be moved; catches neither `fs.writeSync(1)` nor children. */
function replaceWriters(): Stdout {
  const { writeSync } = process.getBuiltinModule("node:fs");
  const { Console } = process.getBuiltinModule("node:console");
  const { stdout, stderr } = process;
  const terminal = stdout.isTTY === true;
  stdout.write = stderr.write.bind(stderr);
  Object.assign(console, new Console(stderr, stderr));
  return {
    terminal,
    write: (text) =>
      writeAll(text, (bytes) => {
        try {
          return writeSync(1, bytes);
        } catch (error) {
          return (error as NodeJS.ErrnoException).code ?? String(error);
        }
      }),
  };
}

function writeAll(text: string, writeSome: WriteSome): string | undefined {
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    let bytes: Uint8Array = new TextEncoder().encode(text.slice(start, end));
    while (bytes.length > 0) {
      const result = writeSome(bytes);
      if (typeof result === "number") bytes = bytes.subarray(result);
      else if (result === "EAGAIN") pause();
      else if (result !== "EINTR") return result;
    }
    start = end;
  }
  return undefined;
}

/** A piece never ends between the two halves of a surrogate pair. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(start + PIECE, text.length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

/** The reader of a non-blocking pipe is slow: waits a millisecond, without turning the event loop. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

function errorName(errno: number): string {
  const names: Record<number, string> = {
    4: "EINTR",
    5: "EIO",
    9: "EBADF",
    11: "EAGAIN",
    27: "EFBIG",
    28: "ENOSPC",
    32: "EPIPE",
  };
  return names[errno] ?? `errno ${errno}`;
}

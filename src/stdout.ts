import { type Libc, openLibc } from "./libc.ts";

/** The way to the caller, which from here on nothing but `write` takes. */
export type Stdout = {
  terminal: boolean;
  /** Writes all of a text; returns the name of the error that kept it from doing so. */
  write: (text: string) => string | undefined;
};

/** Writes bytes from an offset on; returns how many went out, or the name of the error. */
type WriteSome = (bytes: Uint8Array) => number | string;

// Taken before any code of the author runs, who may replace it.
const { apply } = Reflect;
const { charCodeAt, slice } = String.prototype;
const { subarray } = Uint8Array.prototype;
const { wait } = Atomics;
const encoder = new TextEncoder();
const { encode } = TextEncoder.prototype;
const cell = new Int32Array(new SharedArrayBuffer(4));

const F_GETFD = 1;
const F_DUPFD_CLOEXEC = 1030;
/** Characters that are encoded at a time: 100 MB of text must not need 100 MB of bytes. */
const PIECE = 1 << 20;

/** Moves stdout out of everybody's reach: what is printed from here on, by this process or its children, goes to stderr. */
export function seizeStdout(isFirst: boolean): Stdout {
  const libc = openLibc();
  if (!libc) return replaceWriters();
  // Opening Bun's stream takes milliseconds; before any other code has run nobody can have opened it on the descriptor that moves.
  if (!isFirst) redirectStream((bytes) => writeBy(libc, 2, bytes));
  return moveDescriptor(libc);
}

function moveDescriptor(libc: Libc): Stdout {
  // No descriptor is inherited with FD_CLOEXEC: one that has it is the /dev/null that Bun put where there was none.
  const closed = libc.fcntl(1, F_GETFD, 0) !== 0;
  const terminal = libc.isatty(1) === 1;
  const fd = closed ? -1 : libc.fcntl(1, F_DUPFD_CLOEXEC, 3);
  libc.dup2(2, 1);
  return { terminal, write: (text) => writeAll(text, (bytes) => writeBy(libc, fd, bytes)) };
}

function writeBy(libc: Libc, fd: number, bytes: Uint8Array): number | string {
  const count = libc.write(fd, bytes, bytes.length);
  return count < 0 ? errorName(libc.errno()) : count;
}

/** What is left where the descriptor cannot be moved; catches neither `fs.writeSync(1)` nor children. */
function replaceWriters(): Stdout {
  const { writeSync } = process.getBuiltinModule("node:fs");
  const { Console } = process.getBuiltinModule("node:console");
  const { stdout, stderr } = process;
  const terminal = stdout.isTTY === true;
  const writeTo = (fd: number) => (bytes: Uint8Array) => {
    try {
      return writeSync(fd, bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  };
  redirectStream(writeTo(2));
  Object.assign(console, new Console(stdout, stderr)); // Bun's own writes to the descriptor
  return { terminal, write: (text) => writeAll(text, writeTo(1)) };
}

/** Sends to stderr what JavaScript writes to stdout, by whichever method of the stream. */
function redirectStream(writeSome: WriteSome): void {
  const { stdout } = process;
  Reflect.deleteProperty(stdout, "write"); // Bun's own, which goes past `_write`
  Object.assign(stdout, {
    _write(chunk: string | Uint8Array, encoding: BufferEncoding, done: () => void) {
      writeBytes(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk, writeSome);
      done();
    },
    _writev: null,
    _final: (done: () => void) => done(), // Node would shut a socket down
  });
}

function writeAll(text: string, writeSome: WriteSome): string | undefined {
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    const trouble = writeBytes(apply(encode, encoder, [apply(slice, text, [start, end])]), writeSome);
    if (trouble !== undefined) return trouble;
    start = end;
  }
  return undefined;
}

function writeBytes(bytes: Uint8Array, writeSome: WriteSome): string | undefined {
  let rest = bytes;
  while (rest.length > 0) {
    const result = writeSome(rest);
    if (typeof result === "number") rest = apply(subarray, rest, [result]);
    else if (result === "EAGAIN") pause();
    else if (result !== "EINTR") return result;
  }
  return undefined;
}

/** A piece never ends between the two halves of a surrogate pair. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE;
  if (end >= text.length) return text.length;
  const last = apply(charCodeAt, text, [end - 1]);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

/** The reader of a non-blocking pipe is slow: waits a millisecond, without turning the event loop. */
function pause(): void {
  wait(cell, 0, 0, 1);
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

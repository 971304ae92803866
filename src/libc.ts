/** The calls of the C library that keep stdout clean below JavaScript; each returns -1 where it failed, then see `errno`. */
export type Libc = {
  write: (fd: number, bytes: Uint8Array, length: number) => number;
  fcntl: (fd: number, command: number, argument: number) => number;
  dup2: (from: number, to: number) => number;
  isatty: (fd: number) => number;
  errno: () => number;
};

type Ffi = {
  dlopen: <Calls>(
    library: string,
    symbols: Record<keyof Calls, { args: string[]; returns: string }>,
  ) => { symbols?: Calls };
  read: { i32: (pointer: number, offset: number) => number };
};
type Limits = { setrlimit: (resource: number, limits: BigUint64Array) => number };
type Symbols = Omit<Libc, "errno"> & { __errno_location: () => number };

/** The C library of this process: Bun on Linux. On macOS `fcntl` is variadic in a way that Bun's FFI does not speak. */
export function openLibc(): Libc | undefined {
  const ffi = (globalThis as { Bun?: { FFI?: Ffi } }).Bun?.FFI;
  if (!ffi || process.platform !== "linux") return undefined;
  const symbols = link(ffi);
  if (!symbols) return undefined;
  const errno = symbols.__errno_location();
  return { ...symbols, errno: () => ffi.read.i32(errno, 0) };
}

function link(ffi: Ffi): Symbols | undefined {
  try {
    return ffi.dlopen<Symbols>(libcName(), {
      write: { args: ["i32", "ptr", "u32"], returns: "i32" },
      fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
      dup2: { args: ["i32", "i32"], returns: "i32" },
      isatty: { args: ["i32"], returns: "i32" },
      __errno_location: { args: [], returns: "ptr" },
    }).symbols;
  } catch {
    return undefined; // where nothing may be compiled at run time
  }
}

/** Has the kernel end this process once it has computed for so many seconds; in Bun on Linux. */
export function limitComputing(seconds: number): void {
  const ffi = (globalThis as { Bun?: { FFI?: Ffi } }).Bun?.FFI;
  if (!ffi || process.platform !== "linux") return;
  const { symbols } = ffi.dlopen<Limits>(libcName(), { setrlimit: { args: ["i32", "ptr"], returns: "i32" } });
  symbols?.setrlimit(RLIMIT_CPU, BigUint64Array.of(BigInt(seconds), BigInt(seconds)));
}

const RLIMIT_CPU = 0;

/** The one that is loaded already: Bun looks for any other in the working directory too. */
function libcName(): string {
  if (!process.release.sourceUrl?.endsWith("-musl.zip")) return "libc.so.6";
  return `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`;
}

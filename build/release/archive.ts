import { promisify } from "node:util";
import { crc32, deflateRaw, gzip } from "node:zlib";

/** What goes into an archive: a name, and the bits of the permissions. */
export type Item = { name: string; bytes: Buffer; mode: number };

/** 1980-01-01, the first day that a zip file knows: no archive tells when it was made. */
const DAY = { seconds: 315532800, dos: 0x21 };

/** The items as `.tar.gz`, in the order of their names: of nobody, of no time, equal for equal items. */
export async function renderTarGz(items: readonly Item[]): Promise<Buffer> {
  const entries = sorted(items).flatMap(({ name, bytes, mode }) => [
    renderTarHeader(name, bytes.length, mode),
    bytes,
    Buffer.alloc(-bytes.length & (BLOCK - 1)),
  ]);
  const packed = await promisify(gzip)(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]));
  packed[OS] = UNKNOWN_OS;
  return packed;
}

/** The items as `.zip`. */
export async function renderZip(items: readonly Item[]): Promise<Buffer> {
  const files = await Promise.all(sorted(items).map(packFile));
  const offsets = files.map((_, at) => total(files.slice(0, at).map(({ local }) => local)));
  const directory = files.map(({ central, name }, at) => {
    central.writeUInt32LE(offsets[at] ?? 0, 42);
    return Buffer.concat([central, name]);
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(total(directory), 12);
  end.writeUInt32LE(total(files.map(({ local }) => local)), 16);
  return Buffer.concat([...files.map(({ local }) => local), ...directory, end]);
}

const BLOCK = 512;
/** Where a gzip header names the system, and what says none. */
const OS = 9;
const UNKNOWN_OS = 255;

/** POSIX ustar: numbers in octal, and a sum of the header's own bytes, taken with spaces in its place. */
function renderTarHeader(name: string, size: number, mode: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`a name too long for an archive: ${JSON.stringify(name)}`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  header.write(name, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(DAY.seconds, 136, 12);
  header.write("        0", 148, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

async function packFile({ name, bytes, mode }: Item) {
  const encoded = Buffer.from(name);
  const packed = await promisify(deflateRaw)(bytes);
  const facts = Buffer.alloc(26); // what both headers hold
  facts.writeUInt16LE(20, 0); // the version that unpacks deflate
  facts.writeUInt16LE(UTF8_NAMES, 2);
  facts.writeUInt16LE(DEFLATED, 4);
  facts.writeUInt16LE(DAY.dos, 8);
  facts.writeUInt32LE(crc32(bytes), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(bytes.length, 18);
  facts.writeUInt16LE(encoded.length, 22);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE((UNIX << 8) | 20, 4);
  facts.copy(central, 6);
  central.writeUInt32LE(((REGULAR_FILE | mode) << 16) >>> 0, 38);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), facts, encoded, packed]);
  return { local, central, name: encoded };
}

const UTF8_NAMES = 0x800;
const DEFLATED = 8;
const UNIX = 3;
const REGULAR_FILE = 0o100000;

const sorted = (items: readonly Item[]) => items.toSorted((one, other) => (one.name < other.name ? -1 : 1));
const total = (pieces: readonly Buffer[]) => pieces.reduce((sum, { length }) => sum + length, 0);

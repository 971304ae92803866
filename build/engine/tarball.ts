import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";

/** Writes one file of a `.tar.gz` to a path; returns whether it is in there. A damaged archive is an error of zlib's. */
export async function extractFile(tarball: string, name: string, path: string): Promise<boolean> {
  const target = await open(path, "wx");
  try {
    let found = false;
    for await (const { header, piece } of piecesOf(tarball)) {
      if (nameIn(header) !== name || !isFile(header)) continue;
      await target.appendFile(piece);
      found = true;
    }
    return found;
  } finally {
    await target.close();
  }
}

const BLOCK = 512;

/** Every entry's header with its content, in pieces as they come. */
async function* piecesOf(tarball: string): AsyncGenerator<{ header: Buffer; piece: Buffer }> {
  let rest = Buffer.alloc(0);
  let entry = { header: rest, left: 0, padding: 0 };
  const stream = createReadStream(tarball, { highWaterMark: 2 ** 18 });
  const unpacked = createGunzip({ chunkSize: 2 ** 18 });
  stream.on("error", (error) => unpacked.destroy(error));
  for await (const chunk of stream.pipe(unpacked)) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (;;) {
      if (entry.left > 0) {
        const piece = rest.subarray(0, entry.left);
        if (piece.length === 0) break;
        yield { header: entry.header, piece };
        entry.left -= piece.length;
        rest = rest.subarray(piece.length);
      } else if (rest.length < entry.padding + BLOCK) break;
      else {
        const header = Buffer.from(rest.subarray(entry.padding, entry.padding + BLOCK));
        rest = rest.subarray(entry.padding + BLOCK);
        const size = sizeIn(header);
        entry = { header, left: size, padding: -size & (BLOCK - 1) };
      }
    }
  }
}

const textIn = (header: Buffer, from: number, to: number) => header.toString("utf8", from, to).split("\0", 1)[0] ?? "";
const nameIn = (header: Buffer) => [textIn(header, 345, 500), textIn(header, 0, 100)].filter(Boolean).join("/");
const sizeIn = (header: Buffer) => Number.parseInt(textIn(header, 124, 136).trim() || "0", 8);
const isFile = (header: Buffer) => ["0", ""].includes(textIn(header, 156, 157));

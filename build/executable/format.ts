/**
 * The target that a program is for, by its first bytes; nothing where it is for none. ELF, Mach-O and PE tell the machine,
 * and an ELF file names the loader, by which the C libraries differ.
 */
export function targetNameOf(head: Buffer): string | undefined {
  if (head.length < HEAD) return undefined;
  if (head.readUInt32BE(0) === ELF) {
    const arch = { 62: "x64", 183: "arm64" }[head.readUInt16LE(18)];
    return arch && `linux-${arch}${isMusl(head) ? "-musl" : ""}`;
  }
  if (head.readUInt32LE(0) === MACHO_64) {
    const arch = { [0x1000007]: "x64", [0x100000c]: "arm64" }[head.readUInt32LE(4)];
    return arch && `darwin-${arch}`;
  }
  const pe = head.toString("latin1", 0, 2) === "MZ" ? head.readUInt32LE(0x3c) : head.length;
  if (pe + 6 > head.length || head.readUInt32BE(pe) !== PE) return undefined;
  const arch = { [0x8664]: "x64", [0xaa64]: "arm64" }[head.readUInt16LE(pe + 4)];
  return arch && `windows-${arch}`;
}

/** How many of the first bytes tell: the loader's name stands behind the program headers. */
export const HEAD = 1024;

/** Whether a program asks for the loader of musl. */
export function isMusl(head: Buffer): boolean {
  return head.includes("/ld-musl-");
}

const ELF = 0x7f454c46;
const MACHO_64 = 0xfeedfacf;
const PE = 0x50450000;

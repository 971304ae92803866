/** Things of the engine by which a tool learns of the machine and the moment; `label` is what their owner is called. */
export type Doors = {
  owner: object;
  label: string;
  names: readonly string[];
  /** Whether they take a place, which may be the tool's own. */
  ofPlaces?: boolean;
};

const { getBuiltinModule } = process;
const os = getBuiltinModule("node:os");
const fs = getBuiltinModule("node:fs");
const files =
  "access exists lstat open opendir readFile readdir readlink realpath stat statfs glob cp createReadStream openAsBlob";

/** What may be other in the next run. */
export const DOORS: readonly Doors[] = [
  {
    owner: os,
    label: "os",
    names: words(
      "availableParallelism cpus freemem getPriority homedir hostname loadavg networkInterfaces release tmpdir totalmem uptime userInfo version",
    ),
  },
  { owner: fs, label: "fs", names: words(files).flatMap((name) => [name, `${name}Sync`]), ofPlaces: true },
  { owner: fs.promises, label: "fs.promises", names: words(files), ofPlaces: true },
  {
    owner: getBuiltinModule("node:child_process"),
    label: "child_process",
    names: words("exec execFile execFileSync execSync fork spawn spawnSync"),
  },
  {
    owner: getBuiltinModule("node:crypto"),
    label: "crypto",
    names: words("getRandomValues randomBytes randomFill randomFillSync randomInt randomUUID randomUUIDv7"),
  },
  {
    owner: process,
    label: "process",
    names: words(
      "availableMemory constrainedMemory cpuUsage cwd execPath getegid geteuid getgid getgroups getuid hrtime memoryUsage pid ppid resourceUsage umask uptime",
    ),
  },
  { owner: process.hrtime, label: "process.hrtime", names: ["bigint"] },
  { owner: Bun, label: "Bun", names: ["file"], ofPlaces: true },
  { owner: Bun, label: "Bun", names: words("nanoseconds randomUUIDv7 spawn spawnSync which $") },
  { owner: globalThis, label: "globalThis", names: ["fetch"] },
  { owner: Math, label: "Math", names: ["random"] },
  { owner: performance, label: "performance", names: ["now"] },
  { owner: Crypto.prototype, label: "crypto", names: words("getRandomValues randomUUID") },
  { owner: navigator, label: "navigator", names: ["hardwareConcurrency"] },
  {
    owner: Object.getPrototypeOf(new Intl.DateTimeFormat()),
    label: "Intl.DateTimeFormat",
    names: ["resolvedOptions"],
  },
  ...temporal(),
];

/** What is the same on every machine of a kind. */
export const PLATFORM: readonly Doors[] = [
  { owner: process, label: "process", names: words("arch platform") },
  { owner: os, label: "os", names: words("EOL arch devNull endianness machine platform type") },
  { owner: navigator, label: "navigator", names: ["platform"] },
];

function words(text: string): string[] {
  return text.split(" ");
}

function temporal(): Doors[] {
  const { Temporal } = globalThis as { Temporal?: { Now: object } };
  return Temporal
    ? [{ owner: Temporal.Now, label: "Temporal.Now", names: Object.getOwnPropertyNames(Temporal.Now) }]
    : [];
}

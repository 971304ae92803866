import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bun, compiled, type Ran, root, run, temporary } from "./harness.ts";
import { sha256 } from "./project.ts";
import { has, isLinux } from "./sealed.ts";

const containers = suite("containers");

const call = ["multiply", "--a", "6", "--b", "7"];
const product = '{"ok":true,"message":"multiplied","product":42}\n';
const math = await compiled("examples/math.ts");
const { stdout: schema } = await run(math, ["schema"], { cwd: "/" });
const both = [
  { stdout: schema, stderr: "", code: 0 },
  { stdout: product, stderr: "", code: 0 },
];

const isGlibc = isLinux && (await run("ldd", [math])).stdout.includes("libc.so.6");
if (!isGlibc) console.log("left out: a bare root, this machine has no glibc");
if (!isGlibc) console.log("left out: images, this machine has no glibc");

const inBwrap = isGlibc && has("bwrap", "a bare root in bwrap") && (await canUnshare());
(inBwrap ? containers : containers.skip)(
  "a bare root: glibc's files, the executable, /proc; and nothing else",
  async () => {
    const place = await bareRoot();
    copyFileSync(math, join(place, "math"));
    const user = ["--unshare-all", "--uid", "4242", "--gid", "4242", "--clearenv", "--chdir", "/"];
    const bwrap = (args: string[]) =>
      run("bwrap", ["--ro-bind", place, "/", "--proc", "/proc", ...user, "/math", ...args]);
    assert.equal([await bwrap(["schema"]), await bwrap(call)], both);
  },
);

const isRoot = process.getuid?.() === 0;
if (isGlibc && !isRoot) console.log("left out: images, buildah needs root where it only has chroot");
const inBuildah = isGlibc && isRoot && has("buildah", "images") && has("unshare", "images");
(inBuildah ? containers : containers.skip)(
  "the Dockerfiles make images of it, which run as anybody without network",
  async () => {
    const { buildah, base } = await localImages();
    const context = temporary();
    mkdirSync(join(context, "dist"));
    copyFileSync(math, join(context, "dist/math-linux-x64"));
    for (const [file, ...args] of [["debian"], ["distroless", "--build-arg", `BASE=${base}`]] as const) {
      const dockerfile = join(root, "examples/container", `${file}.Dockerfile`);
      const made = await buildah([
        "bud",
        "--isolation",
        "chroot",
        "--pull=never",
        ...args,
        "-f",
        dockerfile,
        "-t",
        file,
        context,
      ]);
      assert.is(made.code, 0, made.stderr);
      const container = (await buildah(["from", "--pull=never", file])).stdout.trim();
      const inside = (words: string[]) =>
        buildah([
          "run",
          "--isolation",
          "chroot",
          "--user",
          "4242:4242",
          container,
          "--",
          "/usr/local/bin/math",
          ...words,
        ]);
      assert.equal([await inside(["schema"]), await inside(call)], both);
    }
  },
);

(inBuildah ? containers : containers.skip)(
  "a bare root that nobody can write to, in buildah; nor does it need a network or a user that exists",
  async () => {
    const { buildah, base } = await localImages();
    const container = (await buildah(["from", "--pull=never", base])).stdout.trim();
    const place = (await buildah(["mount", container])).stdout.trim();
    copyFileSync(math, join(place, "math"));
    // buildah binds a file in /run, and takes it away again
    const sealing =
      'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && mount -t tmpfs run "$0/run" && exec "$@"';
    const readOnly = ["unshare", "-m", "sh", "-c", sealing, place];
    const isolated = ["run", "--isolation", "chroot"];
    const inside = (words: string[]) =>
      buildah([...isolated, "--user", "4242:4242", container, "--", "/math", ...words], readOnly);
    const touch = (path: string, wrapper: string[]) =>
      buildah([...isolated, "--volume", "/usr/bin/touch:/math:ro", container, "--", "/math", path], wrapper);
    assert.equal(await touch("/before", []), { stdout: "", stderr: "", code: 0 });
    assert.match((await touch("/written", readOnly)).stderr, /cannot touch '\/written': Read-only file system/);
    assert.equal([await inside(["schema"]), await inside(call)], both);
  },
);

containers("the workflow is one, and its smoke test finds what is broken", async () => {
  const file = join(root, "examples/container/release.yml");
  const parse = `console.log(JSON.stringify(Bun.YAML.parse(await Bun.file(${JSON.stringify(file)}).text())))`;
  const { jobs } = JSON.parse((await run(bun, ["-e", parse])).stdout) as { jobs: Record<string, Job> };
  assert.equal(
    Object.entries(jobs).map(([name, { needs }]) => [name, needs]),
    [
      ["build", undefined],
      ["smoke", "build"],
      ["release", "smoke"],
    ],
  );
  const script = jobs["smoke"]?.steps.find(({ shell }) => shell === "bash")?.run ?? "";
  const folder = temporary();
  const smoke = () =>
    run("bash", ["-e", "-o", "pipefail", "-c", script], { cwd: folder, env: { FILE: "math-linux-x64" } });
  const executable = join(folder, "math-linux-x64");
  copyFileSync(math, executable);
  chmodSync(executable, 0o644);
  const sums = (sum: string) =>
    writeFileSync(join(folder, "SHA256SUMS"), `${"0".repeat(64)}  math-linux-x64-musl\n${sum}  math-linux-x64\n`);
  sums(sha256(executable));
  assert.equal(await smoke(), { stdout: `math-linux-x64: OK\n${schema}`, stderr: "", code: 0 });
  sums("0".repeat(64));
  assert.is.not((await smoke()).code, 0);
  writeFileSync(executable, `#!/bin/sh\necho '{"ok":true}'\n`);
  sums(sha256(executable));
  assert.is.not((await smoke()).code, 0);
});

containers.run();

type Job = { needs?: string; steps: { run?: string; shell?: string }[] };

/** A folder with the files of the C library that the executable is linked to, and an empty /proc. */
async function bareRoot(): Promise<string> {
  const place = join(temporary(), "root");
  mkdirSync(join(place, "proc"), { recursive: true });
  const libraries = (await run("ldd", [math])).stdout.match(/\/\S+/g) ?? [];
  for (const library of libraries) {
    mkdirSync(dirname(join(place, library)), { recursive: true });
    copyFileSync(library, join(place, library));
  }
  assert.is(libraries.length, 5, libraries.join(" "));
  return place;
}

/** An engine with a store of its own and no network, and in it what stands for Debian's image. */
async function localImages() {
  const store = temporary();
  const flags = ["--root", join(store, "root"), "--runroot", join(store, "run"), "--storage-driver", "vfs"];
  const buildah = async (args: string[], wrapper: readonly string[] = [], tries = 3): Promise<Ran> => {
    const ran = await run("unshare", ["-n", ...wrapper, "buildah", ...flags, ...args], { env: { LC_ALL: "C" } });
    const isLost = tries > 1 && args.includes("--user") && ran.code === 0 && ran.stdout === "";
    return isLost ? buildah(args, wrapper, tries - 1) : ran; // it loses what it should pass on now and then, that of `echo` as well
  };
  const context = temporary();
  renameSync(await bareRoot(), join(context, "root"));
  writeFileSync(join(context, "Dockerfile"), "FROM scratch\nCOPY root /\n");
  const base = /^FROM (.+)$/m.exec(readFileSync(join(root, "examples/container/debian.Dockerfile"), "utf8"))?.[1] ?? "";
  const made = await buildah(["bud", "--isolation", "chroot", "-t", base, context]);
  assert.is(made.code, 0, made.stderr);
  return { buildah, base };
}

async function canUnshare(): Promise<boolean> {
  const { code } = await run("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "true"]);
  if (code !== 0) console.log("left out: a bare root in bwrap, it may not make one here");
  return code === 0;
}

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { host } from "../src/host.ts";
import { l1Output, Tool, ToolError } from "../src/index.ts";
import { lazyConst, lazySpec } from "../src/lazy.ts";

const specs = suite("a spec whose schemas are made when they are asked for");
specs.before.each(() => {
  host.lazy = true;
});
specs.after.each(() => {
  host.lazy = false;
});

const counted = () => {
  let made = 0;
  const make = () => {
    made++;
    return z.object({ a: z.string() });
  };
  const spec = {
    name: "a",
    description: "d",
    input: make as never,
    output: l1Output({}),
    handler: () => ({ message: "m" }),
  };
  return { spec: lazySpec(spec, { input: true }), times: () => made };
};

specs("registering makes nothing, a call makes it once", async () => {
  const { spec, times } = counted();
  const tool = new Tool({ name: "t", description: "d" }).subcommand(spec);
  assert.is(times(), 0);
  await tool.invoke("a", { a: "x" });
  assert.equal(await tool.invoke("a", { a: "x" }), { ok: true, message: "m" });
  assert.is(times(), 1);
});

specs("its keys keep their order, it is spread and set like data", () => {
  const { spec } = counted();
  assert.equal(Object.keys(spec), ["name", "description", "input", "output", "handler"]);
  const copy = { ...spec };
  assert.is(copy.input, spec.input);
  const other = counted().spec;
  const schema = z.string() as never;
  other.input = schema;
  const expected = { value: schema, writable: true, enumerable: true, configurable: true };
  assert.equal(Object.getOwnPropertyDescriptor(other, "input"), expected);
});

specs("what is set after it was registered is not read, as in source", async () => {
  const { spec } = counted();
  const tool = new Tool({ name: "t", description: "d" }).subcommand(spec);
  spec.input = z.object({ b: z.number() }) as never;
  assert.equal(await tool.invoke("a", { a: "x" }), { ok: true, message: "m" });
});

specs("who wraps `subcommand` has the spec itself, and its handler is the one that is called", async () => {
  class Guarded extends Tool {
    // biome-ignore lint/suspicious/noExplicitAny: as authors write it
    override subcommand(spec: any): this {
      spec.handler = () => {
        throw new ToolError("no_token", `set TOKEN for ${spec.description}`);
      };
      return super.subcommand(spec);
    }
  }
  const { spec, times } = counted();
  const tool = new Guarded({ name: "t", description: "d" }).subcommand(spec);
  assert.is(times(), 0);
  assert.equal(await tool.invoke("a", { a: "x" }), { ok: false, error: "no_token", message: "set TOKEN for d" });
});

specs("all is made where it stands where a build has not found it harmless", () => {
  host.lazy = false;
  const order: string[] = [];
  const make = (name: string) => () => order.push(name);
  lazyConst(make("constant"));
  lazySpec({ input: make("input"), output: make("output") }, { input: true, output: false });
  assert.equal(order, ["constant", "input", "output"]);
});

specs.run();

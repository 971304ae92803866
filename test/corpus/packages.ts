/** The code of a handler that really uses a package, and always answers alike. */
export type Use = {
  /** What stands above the tool. */
  head: string;
  /** The expression, in an async function, that the tool answers with. */
  value: string;
  /** What the package needs of the compiler. */
  compilerOptions?: Record<string, unknown>;
  /** Whether it is tried only when it is asked for: it takes a minute by itself. */
  big?: true;
};

const METADATA = { experimentalDecorators: true, emitDecoratorMetadata: true };

/** An answer of a server on this machine, which is closed afterwards. */
const served = (listen: string, path = "/") =>
  `await (async () => { const server = ${listen}; await new Promise((done) => server.listening ? done(0) : server.once("listening", done));
    const text = await (await fetch("http://127.0.0.1:" + server.address().port + "${path}")).text(); server.close(); return text; })()`;

/** By the name of the package, and what else is tried of it behind a space. */
export const uses: Record<string, Use> = {
  // markup
  cheerio: use(
    "import { load } from 'cheerio';",
    "load('<ul><li>a<li>b</ul>')('li').map((_, e) => load(e).text()).get()",
  ),
  parse5: use("import { parse, serialize } from 'parse5';", "serialize(parse('<p>a<p>b'))"),
  htmlparser2: use(
    "import { DomUtils, parseDocument } from 'htmlparser2';",
    "DomUtils.textContent(parseDocument('<a>x<b>y</b></a>'))",
  ),
  jsdom: use("import { JSDOM } from 'jsdom';", "new JSDOM('<p>hi').window.document.querySelector('p').outerHTML"),
  linkedom: use(
    "import { parseHTML } from 'linkedom';",
    "parseHTML('<p>hi</p>').document.querySelector('p').textContent",
  ),
  "fast-xml-parser": use("import { XMLParser } from 'fast-xml-parser';", "new XMLParser().parse('<a><b>1</b></a>')"),
  xml2js: use("import { parseStringPromise } from 'xml2js';", "await parseStringPromise('<a><b>1</b></a>')"),
  sax: use(
    "import sax from 'sax';",
    "(() => { const seen = []; const p = sax.parser(true); p.onopentag = (n) => seen.push(n.name); p.write('<a><b/></a>').close(); return seen; })()",
  ),
  xmlbuilder2: use("import { create } from 'xmlbuilder2';", "create({ a: { b: 1 } }).end()"),
  "css-tree": use(
    "import { generate, lexer, parse } from 'css-tree';",
    "[generate(parse('a { color : red }')), lexer.matchProperty('color', 'red').error === null]",
  ),
  postcss: use(
    "import postcss from 'postcss';",
    "postcss([{ postcssPlugin: 'x', Declaration: (d) => { d.value = 'blue'; } }]).process('a{color:red}', { from: undefined }).css",
  ),
  autoprefixer: use(
    "import autoprefixer from 'autoprefixer'; import postcss from 'postcss';",
    "postcss([autoprefixer({ overrideBrowserslist: ['ie 11'] })]).process('a{display:flex}', { from: undefined }).css",
  ),
  svgo: use(
    "import { optimize } from 'svgo';",
    'optimize(\'<svg xmlns="http://www.w3.org/2000/svg"><g><path d="M0 0 L 10 10"/></g></svg>\').data',
  ),
  less: use("import less from 'less';", "(await less.render('@c: red; a { b { color: @c } }')).css"),
  sass: use("import { compileString } from 'sass';", "compileString('$c: red; a { b { color: $c } }').css"),
  tailwindcss: use("import { compile } from 'tailwindcss';", "(await compile('@tailwind utilities;')).build(['flex'])"),
  stylus: use("import stylus from 'stylus';", "stylus.render('a\\n  color red')"),
  marked: use("import { marked } from 'marked';", "marked.parse('# a\\n\\n*b*')"),
  "markdown-it": use("import MarkdownIt from 'markdown-it';", "new MarkdownIt().render('# a\\n\\n*b*')"),
  remark: use(
    "import { unified } from 'unified'; import parse from 'remark-parse'; import gfm from 'remark-gfm'; import toHtml from 'remark-rehype'; import write from 'rehype-stringify';",
    "String(await unified().use(parse).use(gfm).use(toHtml).use(write).process('# a\\n\\n~~b~~'))",
  ),
  rehype: use(
    "import { unified } from 'unified'; import parse from 'rehype-parse'; import write from 'rehype-stringify';",
    "String(await unified().use(parse, { fragment: true }).use(write).process('<p>a'))",
  ),
  showdown: use("import showdown from 'showdown';", "new showdown.Converter().makeHtml('# a')"),
  turndown: use("import Turndown from 'turndown';", "new Turndown().turndown('<h1>a</h1><p>b</p>')"),
  "gray-matter": use("import matter from 'gray-matter';", "matter('---\\ntitle: a\\n---\\nb').data"),
  handlebars: use(
    "import Handlebars from 'handlebars';",
    "Handlebars.compile('{{#each a}}<{{this}}>{{/each}}')({ a: [1, 2] })",
  ),
  mustache: use("import mustache from 'mustache';", "mustache.render('{{#a}}<{{.}}>{{/a}}', { a: [1, 2] })"),
  ejs: use("import ejs from 'ejs';", "ejs.render('<% for (const x of a) { %><%= x %>,<% } %>', { a: [1, 2] })"),
  nunjucks: use(
    "import nunjucks from 'nunjucks';",
    "nunjucks.renderString('{% for x in a %}{{ x }},{% endfor %}', { a: [1, 2] })",
  ),
  pug: use("import pug from 'pug';", "pug.render('p= a', { a: 1 })"),
  liquidjs: use(
    "import { Liquid } from 'liquidjs';",
    "await new Liquid().parseAndRender('{{ a | upcase }}', { a: 'x' })",
  ),
  eta: use("import { Eta } from 'eta';", "new Eta().renderString('<%= it.a %>', { a: 1 })"),
  react: use(
    "import { createElement } from 'react'; import { renderToString } from 'react-dom/server';",
    "renderToString(createElement('p', null, 'a'))",
  ),
  preact: use(
    "import { h } from 'preact'; import { renderToString } from 'preact-render-to-string';",
    "renderToString(h('p', null, 'a'))",
  ),
  vue: use(
    "import { createSSRApp, h } from 'vue'; import { renderToString } from '@vue/server-renderer';",
    "await renderToString(createSSRApp({ render: () => h('p', 'a') }))",
  ),
  svelte: use(
    "import { compile } from 'svelte/compiler';",
    "compile('<p>{1 + 1}</p>', { generate: 'server' }).warnings.length",
  ),

  // data
  yaml: use("import { parse, stringify } from 'yaml';", "stringify(parse('a: [1, 2]\\nb: {c: d}'))"),
  "js-yaml": use("import { dump, load } from 'js-yaml';", "dump(load('a: [1, 2]'))"),
  toml: use("import toml from 'toml';", "toml.parse('[a]\\nb = 1')"),
  "smol-toml": use("import { parse, stringify } from 'smol-toml';", "stringify(parse('[a]\\nb = 1'))"),
  ini: use("import { parse, stringify } from 'ini';", "stringify(parse('[a]\\nb=1'))"),
  dotenv: use("import dotenv from 'dotenv';", "dotenv.parse('A=1\\nB=\"x y\"')"),
  "csv-parse": use("import { parse } from 'csv-parse/sync';", "parse('a,b\\n1,2', { columns: true })"),
  "csv-stringify": use("import { stringify } from 'csv-stringify/sync';", "stringify([[1, 'a,b']])"),
  papaparse: use("import Papa from 'papaparse';", "Papa.parse('a,b\\n1,2', { header: true }).data"),
  xlsx: use("import * as XLSX from 'xlsx';", "XLSX.utils.sheet_to_csv(XLSX.utils.aoa_to_sheet([[1, 2], ['a', 'b']]))"),
  exceljs: use(
    "import ExcelJS from 'exceljs';",
    "await (async () => { const b = new ExcelJS.Workbook(); b.addWorksheet('a').addRow([1, 'x']); const c = new ExcelJS.Workbook(); await c.xlsx.load(await b.xlsx.writeBuffer()); return c.getWorksheet('a').getRow(1).values.slice(1); })()",
  ),
  "jsonc-parser": use(
    "import { modify, parse } from 'jsonc-parser';",
    "[parse('{ \"a\": 1 /* b */ }'), modify('{}', ['a'], 1, {})]",
  ),
  json5: use("import JSON5 from 'json5';", "JSON5.parse('{a: 1, /* b */}')"),
  "jsonpath-plus": use(
    "import { JSONPath } from 'jsonpath-plus';",
    "JSONPath({ path: '$..b', json: { a: { b: 1 }, b: 2 } })",
  ),
  jmespath: use("import jmespath from 'jmespath';", "jmespath.search({ a: [{ b: 1 }, { b: 2 }] }, 'a[*].b')"),
  ajv: use(
    "import { Ajv } from 'ajv';",
    "(() => { const check = new Ajv().compile({ type: 'object', required: ['a'] }); return [check({}), check.errors[0].message]; })()",
  ),
  "ajv 2020 with formats": use(
    "import { Ajv2020 } from 'ajv/dist/2020.js'; import formats from 'ajv-formats';",
    "(() => { const ajv = new Ajv2020(); formats.default(ajv); return ajv.compile({ type: 'string', format: 'email' })('x'); })()",
  ),
  joi: use("import Joi from 'joi';", "Joi.object({ a: Joi.number() }).validate({ a: '5' }).value"),
  yup: use("import { number, object } from 'yup';", "await object({ a: number().required() }).validate({ a: '5' })"),
  valibot: use(
    "import * as v from 'valibot';",
    "v.safeParse(v.object({ a: v.number() }), { a: 'x' }).issues[0].message",
  ),
  "zod-to-json-schema": use(
    "import { zodToJsonSchema } from 'zod-to-json-schema'; import { z as z3 } from 'zod/v3';",
    "zodToJsonSchema(z3.object({ a: z3.number() }))",
  ),
  superstruct: use(
    "import { number, object, validate } from 'superstruct';",
    "validate({ a: 'x' }, object({ a: number() }))[0].message",
  ),
  "io-ts": use(
    "import * as t from 'io-ts'; import { isRight } from 'fp-ts/lib/Either.js';",
    "isRight(t.type({ a: t.number }).decode({ a: 1 }))",
  ),
  "fp-ts": use(
    "import * as O from 'fp-ts/lib/Option.js'; import { pipe } from 'fp-ts/lib/function.js';",
    "pipe(O.some(1), O.map((n) => n + 1), O.getOrElse(() => 0))",
  ),
  arktype: use("import { type } from 'arktype';", "String(type({ a: 'number' })({ a: 'x' }))"),
  "@sinclair/typebox": use(
    "import { Type } from '@sinclair/typebox'; import { Value } from '@sinclair/typebox/value';",
    "Value.Check(Type.Object({ a: Type.Number() }), { a: 'x' })",
  ),
  msgpackr: use("import { pack, unpack } from 'msgpackr';", "unpack(pack({ a: [1, 'b'] }))"),
  "@msgpack/msgpack": use("import { decode, encode } from '@msgpack/msgpack';", "decode(encode({ a: [1, 'b'] }))"),
  protobufjs: use(
    "import protobuf from 'protobufjs';",
    "(() => { const T = protobuf.parse('syntax = \"proto3\"; message T { string a = 1; }').root.lookupType('T'); return T.decode(T.encode({ a: 'x' }).finish()).a; })()",
  ),
  bson: use("import { deserialize, serialize } from 'bson';", "deserialize(serialize({ a: 1, b: 'x' }))"),
  "cbor-x": use("import { decode, encode } from 'cbor-x';", "decode(encode({ a: [1, 'b'] }))"),
  avsc: use(
    "import avsc from 'avsc';",
    "(() => { const t = avsc.Type.forValue({ a: 1 }); return t.fromBuffer(t.toBuffer({ a: 5 })).a; })()",
  ),
  graphql: use(
    "import { buildSchema, graphql } from 'graphql';",
    "await graphql({ schema: buildSchema('type Query { a: Int }'), source: '{ a }', rootValue: { a: 1 } })",
  ),
  "geoip-lite": use("import geoip from 'geoip-lite';", "geoip.lookup('8.8.8.8')?.country"),

  // languages
  typescript: use("import ts from 'typescript';", "ts.transpile('const a: number = 1')"),
  "typescript type check": use(
    "import ts from 'typescript';",
    "(() => { const host = ts.createCompilerHost({}); const read = host.getSourceFile; host.getSourceFile = (name, ...rest) => name === 'a.ts' ? ts.createSourceFile(name, 'const a: number = \"x\"; [].map(String);', 99) : read(name, ...rest); return ts.getPreEmitDiagnostics(ts.createProgram(['a.ts'], { noEmit: true, types: [] }, host)).map((d) => d.code); })()",
  ),
  "ts-morph": use(
    "import { Project } from 'ts-morph';",
    "new Project({ useInMemoryFileSystem: true }).createSourceFile('a.ts', 'class A {}').getClasses().map((c) => c.getName())",
  ),
  prettier: use("import { format } from 'prettier';", "await format('const a={b:1}', { parser: 'babel' })"),
  "@babel/core": use(
    "import { transformAsync } from '@babel/core';",
    "(await transformAsync('const a = 1 ?? 2', { configFile: false, babelrc: false, plugins: [() => ({ visitor: { Identifier(p) { p.node.name = 'b'; } } })] })).code",
  ),
  "@babel/parser": use("import { parse } from '@babel/parser';", "parse('const a = 1').program.body[0].type"),
  "@babel/traverse": use(
    "import { parse } from '@babel/parser'; import traverse from '@babel/traverse'; import generate from '@babel/generator';",
    "(() => { const tree = parse('a + b'); (traverse.default ?? traverse)(tree, { Identifier: (p) => { p.node.name += '1'; } }); return (generate.default ?? generate)(tree).code; })()",
  ),
  acorn: use("import { parse } from 'acorn';", "parse('a + 1', { ecmaVersion: 2022 }).body[0].type"),
  esprima: use("import esprima from 'esprima';", "esprima.tokenize('a + 1').map((t) => t.value)"),
  recast: use("import { parse, print } from 'recast';", "print(parse('let  a = 1')).code"),
  "magic-string": use(
    "import MagicString from 'magic-string';",
    "new MagicString('a b').overwrite(0, 1, 'c').toString()",
  ),
  "source-map": use(
    "import { SourceMapGenerator } from 'source-map';",
    "(() => { const m = new SourceMapGenerator({ file: 'a' }); m.addMapping({ generated: { line: 1, column: 0 }, source: 'b', original: { line: 2, column: 1 } }); return m.toString(); })()",
  ),
  "source-map consumer": use(
    "import { SourceMapConsumer } from 'source-map';",
    'await SourceMapConsumer.with(\'{"version":3,"sources":["b"],"names":[],"mappings":"AACC"}\', null, (c) => c.originalPositionFor({ line: 1, column: 0 }))',
  ),
  terser: use("import { minify } from 'terser';", "(await minify('function f(long) { return long + 1 }')).code"),
  "uglify-js": use("import uglify from 'uglify-js';", "uglify.minify('function f(long) { return long + 1 }').code"),
  eslint: use(
    "import { Linter } from 'eslint';",
    "new Linter().verify('var a = 1', { rules: { 'no-var': 'error' } }).map((m) => m.ruleId)",
  ),
  "eslint formatter": use(
    "import { ESLint } from 'eslint';",
    "(await (await new ESLint({ overrideConfigFile: true }).loadFormatter('stylish')).format([]))",
  ),
  espree: use("import { parse } from 'espree';", "parse('a', { ecmaVersion: 2022 }).body.length"),
  escodegen: use(
    "import escodegen from 'escodegen'; import { parse } from 'acorn';",
    "escodegen.generate(parse('a+1', { ecmaVersion: 5 }))",
  ),
  astring: use(
    "import { generate } from 'astring'; import { parse } from 'acorn';",
    "generate(parse('a+1', { ecmaVersion: 5 }))",
  ),
  meriyah: use("import { parseScript } from 'meriyah';", "parseScript('a+1').body[0].type"),
  sucrase: use(
    "import { transform } from 'sucrase';",
    "transform('const a: number = 1', { transforms: ['typescript'] }).code",
  ),
  rollup: use(
    "import { rollup } from 'rollup';",
    "(await (await rollup({ input: 'a', plugins: [{ name: 'x', resolveId: (id) => id, load: () => 'export default 1' }] })).generate({ format: 'es' })).output[0].code",
  ),
  vite: use("import { parseAst } from 'vite';", "parseAst('a').body.length"),
  "oxc-parser": use("import { parseSync } from 'oxc-parser';", "parseSync('a.js', 'a').program.body.length"),
  "@swc/core": use(
    "import { transformSync } from '@swc/core';",
    "transformSync('const a: number = 1', { jsc: { parser: { syntax: 'typescript' } } }).code",
  ),
  "web-tree-sitter": use(
    "import { Parser } from 'web-tree-sitter';",
    "await (async () => { await Parser.init(); return typeof new Parser(); })()",
  ),
  "vscode-json-languageservice": use(
    "import { getLanguageService, TextDocument } from 'vscode-json-languageservice';",
    "await (async () => { const s = getLanguageService({}); const d = TextDocument.create('a:b.json', 'json', 1, '{ \"a\": }'); return (await s.doValidation(d, s.parseJSONDocument(d))).map((x) => x.message); })()",
  ),
  "vscode-uri": use("import { URI } from 'vscode-uri';", "URI.file('/a b').toString()"),

  // command lines and terminals
  commander: use(
    "import { Command } from 'commander';",
    "new Command().option('-a, --all').exitOverride().parse(['-a'], { from: 'user' }).opts()",
  ),
  yargs: use(
    "import yargs from 'yargs';",
    "await yargs(['--a', '5']).help(false).version(false).option('a', { type: 'number' }).parseAsync().then(({ a }) => a)",
  ),
  chalk: use("import { Chalk } from 'chalk';", "new Chalk({ level: 1 }).red('a')"),
  kleur: use("import kleur from 'kleur';", "((kleur.enabled = true), kleur.bold('a'))"),
  picocolors: use("import pc from 'picocolors';", "pc.createColors(true).red('a')"),
  inquirer: use("import inquirer from 'inquirer';", "typeof inquirer.createPromptModule()"),
  ora: use("import ora from 'ora';", "ora({ text: 'a', isEnabled: false }).start().succeed().text"),
  "cli-table3": use(
    "import Table from 'cli-table3';",
    "(() => { const t = new Table({ style: { head: [], border: [] } }); t.push([1, 2]); return t.toString(); })()",
  ),
  boxen: use("import boxen from 'boxen';", "boxen('a', { padding: 1 })"),
  figlet: use("import figlet from 'figlet';", "figlet.textSync('a')"),
  meow: use(
    "import meow from 'meow';",
    "meow({ importMeta: import.meta, argv: ['--a', '1'], flags: { a: { type: 'number' } }, pkg: { name: 'x' } }).flags",
  ),
  cac: use(
    "import { cac } from 'cac';",
    "cac('x').option('--a <n>', 'A').parse(['node', 'x', '--a', '1'], { run: false }).options",
  ),
  arg: use("import arg from 'arg';", "arg({ '--a': Number }, { argv: ['--a', '1'] })['--a']"),
  minimist: use("import minimist from 'minimist';", "minimist(['--a', '1', 'b'])"),
  mri: use("import mri from 'mri';", "mri(['--a', '1', 'b'])"),
  sade: use("import sade from 'sade';", "sade('x', true).parse(['node', 'x', 'a'], { lazy: true })?.name"),
  clipanion: use(
    "import { Cli, Command, Option } from 'clipanion';",
    "await (async () => { class A extends Command { static paths = [['a']]; n = Option.String('--n'); async execute() { return Number(this.n); } } return new Cli().register(A) ?? 0; })() ?? (() => { class A extends Command { static paths = [['a']]; } const c = new Cli(); c.register(A); return c.process(['a']).path; })()",
  ),
  "string-width": use("import width from 'string-width';", "width('日本a')"),
  "wrap-ansi": use("import wrap from 'wrap-ansi';", "wrap('a b c d', 3)"),
  listr2: use(
    "import { Listr } from 'listr2';",
    "await new Listr([{ title: 'a', task: (c) => { c.a = 1; } }], { renderer: 'silent' }).run()",
  ),
  enquirer: use("import enquirer from 'enquirer';", "typeof enquirer.prompt"),
  prompts: use(
    "import prompts from 'prompts';",
    "await (async () => { prompts.inject(['x']); return prompts({ type: 'text', name: 'a', message: 'A' }); })()",
  ),
  zx: use(
    "import { $ } from 'zx';",
    "await (async () => { $.verbose = false; return (await $`/bin/echo hi`).stdout; })()",
  ),
  execa: use("import { execa } from 'execa';", "(await execa('/bin/echo', ['hi'])).stdout"),
  "cross-spawn": use("import spawn from 'cross-spawn';", "spawn.sync('/bin/echo', ['hi']).stdout.toString()"),
  shelljs: use("import shell from 'shelljs';", "shell.echo('a').stdout"),
  "shelljs exec": use("import shell from 'shelljs';", "shell.exec('echo hi', { silent: true }).stdout"),
  which: use("import which from 'which';", "await which('sh', { path: '/bin' })"),

  // files
  glob: use(
    "import { glob } from 'glob';",
    "await glob('hos*', { cwd: '/etc' }).then((found) => found.includes('hosts'))",
  ),
  "fast-glob": use("import fg from 'fast-glob';", "(await fg('host*', { cwd: '/etc' })).includes('hosts')"),
  minimatch: use("import { minimatch } from 'minimatch';", "minimatch('a/b.ts', '**/*.{ts,js}')"),
  micromatch: use("import micromatch from 'micromatch';", "micromatch(['a.js', 'b.md'], '*.js')"),
  globby: use("import { globby } from 'globby';", "(await globby('host*', { cwd: '/etc' })).includes('hosts')"),
  chokidar: use(
    "import chokidar from 'chokidar';",
    "await (async () => { const w = chokidar.watch('/etc/hosts'); const path = await new Promise((done) => w.once('add', done)); await w.close(); return path; })()",
  ),
  "fs-extra": use("import fs from 'fs-extra';", "await fs.pathExists('/etc/hosts')"),
  rimraf: use("import { rimraf } from 'rimraf';", "await rimraf('/nowhere/at/all')"),
  mkdirp: use("import { mkdirp } from 'mkdirp';", "(await mkdirp('/tmp')) ?? 'there'"),
  archiver: use(
    "import * as archiver from 'archiver';",
    "await (async () => { const a = archiver.ZipArchive ? new archiver.ZipArchive() : archiver.default('zip'); a.append('x', { name: 'a.txt', date: new Date(0) }); a.finalize(); let n = 0; for await (const c of a) n += c.length; return n > 100; })()",
  ),
  tar: use(
    "import { create } from 'tar';",
    "await (async () => { let n = 0; for await (const c of create({ cwd: '/etc', gzip: false }, ['hosts'])) n += c.length; return n % 512; })()",
  ),
  "tar-stream": use(
    "import tar from 'tar-stream';",
    "await (async () => { const p = tar.pack(); p.entry({ name: 'a', mtime: new Date(0) }, 'x'); p.finalize(); let n = 0; for await (const c of p) n += c.length; return n; })()",
  ),
  jszip: use(
    "import JSZip from 'jszip';",
    "await (async () => { const z = new JSZip(); z.file('a', 'x'); return (await JSZip.loadAsync(await z.generateAsync({ type: 'uint8array' }))).file('a').async('string'); })()",
  ),
  "adm-zip": use(
    "import AdmZip from 'adm-zip';",
    "(() => { const z = new AdmZip(); z.addFile('a', Buffer.from('x')); return new AdmZip(z.toBuffer()).readAsText('a'); })()",
  ),
  unzipper: use(
    "import AdmZip from 'adm-zip'; import unzipper from 'unzipper';",
    "await (async () => { const z = new AdmZip(); z.addFile('a', Buffer.from('x')); const d = await unzipper.Open.buffer(z.toBuffer()); return (await d.files[0].buffer()).toString(); })()",
  ),
  yazl: use(
    "import yazl from 'yazl';",
    "await (async () => { const z = new yazl.ZipFile(); z.addBuffer(Buffer.from('x'), 'a', { mtime: new Date(0) }); z.end(); let n = 0; for await (const c of z.outputStream) n += c.length; return n > 50; })()",
  ),
  tmp: use(
    "import tmp from 'tmp';",
    "(() => { const f = tmp.fileSync(); f.removeCallback(); return typeof f.name; })()",
  ),
  "proper-lockfile": use(
    "import lockfile from 'proper-lockfile';",
    "await (async () => { const release = await lockfile.lock('/etc/hosts', { lockfilePath: process.cwd() + '/x.lock' }); await release(); return lockfile.check('/etc/hosts', { lockfilePath: process.cwd() + '/x.lock' }); })()",
  ),
  "graceful-fs": use("import fs from 'graceful-fs';", "fs.existsSync('/etc/hosts')"),
  "find-up": use("import { findUp } from 'find-up';", "await findUp('hosts', { cwd: '/etc' })"),
  cosmiconfig: use(
    "import { cosmiconfig } from 'cosmiconfig';",
    "await cosmiconfig('nothing', { searchStrategy: 'none' }).search('/etc')",
  ),
  ignore: use("import ignore from 'ignore';", "ignore().add('*.log').ignores('a.log')"),
  mime: use("import mime from 'mime';", "mime.getType('a.json')"),
  "mime-types": use("import mime from 'mime-types';", "mime.lookup('a.json')"),
  "signal-exit": use("import { onExit } from 'signal-exit';", "typeof onExit(() => {})"),
  pako: use("import * as pako from 'pako';", "Buffer.from(pako.inflate(pako.deflate(Buffer.from('abc')))).toString()"),
  fflate: use(
    "import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';",
    "strFromU8(unzipSync(zipSync({ a: strToU8('x') })).a)",
  ),
  snappy: use(
    "import { compressSync, uncompressSync } from 'snappy';",
    "uncompressSync(compressSync('abc'), { asBuffer: false })",
  ),

  // networks
  express: use("import express from 'express';", served("express().get('/', (_, r) => r.json({ a: 1 })).listen(0)")),
  koa: use("import Koa from 'koa';", served("new Koa().use((c) => { c.body = 'a'; }).listen(0)")),
  fastify: use("import Fastify from 'fastify';", "(await Fastify().get('/', () => ({ a: 1 })).inject('/')).body"),
  hono: use(
    "import { Hono } from 'hono';",
    "await (await new Hono().get('/', (c) => c.text('a')).request('/')).text()",
  ),
  "socket.io": use(
    "import { Server } from 'socket.io'; import { io } from 'socket.io-client';",
    "await (async () => { const server = new Server(0); server.on('connection', (s) => s.emit('a', 1)); const client = io('http://127.0.0.1:' + server.httpServer.address().port, { transports: ['websocket'] }); const got = await new Promise((done) => client.on('a', done)); client.close(); await server.close(); return got; })()",
  ),
  ws: use(
    "import { WebSocket, WebSocketServer } from 'ws';",
    "await (async () => { const server = new WebSocketServer({ port: 0 }); server.on('connection', (s) => s.send('a')); const client = new WebSocket('ws://127.0.0.1:' + server.address().port); const got = await new Promise((done) => client.on('message', (m) => done(String(m)))); client.close(); server.close(); return got; })()",
  ),
  axios: use(
    "import { createServer } from 'node:http'; import axios from 'axios';",
    "await (async () => { const s = createServer((_, r) => r.end('{\"a\":1}')).listen(0); const { data } = await axios.get('http://127.0.0.1:' + s.address().port); s.close(); return data; })()",
  ),
  got: use(
    "import { createServer } from 'node:http'; import got from 'got';",
    "await (async () => { const s = createServer((_, r) => r.end('{\"a\":1}')).listen(0); const data = await got('http://127.0.0.1:' + s.address().port).json(); s.close(); return data; })()",
  ),
  "node-fetch": use(
    "import { createServer } from 'node:http'; import fetch, { Headers } from 'node-fetch';",
    "await (async () => { const s = createServer((_, r) => r.end('a')).listen(0); const data = await (await fetch('http://127.0.0.1:' + s.address().port, { headers: new Headers({ a: 'b' }) })).text(); s.close(); return data; })()",
  ),
  undici: use(
    "import { createServer } from 'node:http'; import { request } from 'undici';",
    "await (async () => { const s = createServer((_, r) => r.end('a')).listen(0); const { body } = await request('http://127.0.0.1:' + s.address().port); const data = await body.text(); s.close(); return data; })()",
  ),
  ky: use(
    "import { createServer } from 'node:http'; import ky from 'ky';",
    "await (async () => { const s = createServer((_, r) => r.end('{\"a\":1}')).listen(0); const data = await ky('http://127.0.0.1:' + s.address().port).json(); s.close(); return data; })()",
  ),
  superagent: use(
    "import { createServer } from 'node:http'; import superagent from 'superagent';",
    "await (async () => { const s = createServer((_, r) => { r.setHeader('content-type', 'application/json'); r.end('{\"a\":1}'); }).listen(0); const { body } = await superagent.get('http://127.0.0.1:' + s.address().port); s.close(); return body; })()",
  ),
  cookie: use("import * as cookie from 'cookie';", "Object.keys(cookie).length > 0"),
  "tough-cookie": use("import { Cookie } from 'tough-cookie';", "Cookie.parse('a=b; Path=/').toString()"),
  qs: use("import qs from 'qs';", "qs.parse('a[b]=1&c[]=2')"),
  "body-parser": use("import bodyParser from 'body-parser';", "typeof bodyParser.json()"),
  "form-data": use(
    "import FormData from 'form-data';",
    "(() => { const f = new FormData(); f.setBoundary('x'); f.append('a', 'b'); return f.getBuffer().toString(); })()",
  ),
  nodemailer: use(
    "import nodemailer from 'nodemailer';",
    "JSON.parse((await nodemailer.createTransport({ jsonTransport: true }).sendMail({ to: 'a@b.test', subject: 'x', messageId: 'm' })).message).subject",
  ),
  ssh2: use("import ssh2 from 'ssh2';", "[typeof new ssh2.Client().connect, ssh2.utils.parseKey('x').message]"),
  dockerode: use("import Docker from 'dockerode';", "new Docker({ host: '127.0.0.1', port: 1 }).getContainer('a').id"),
  "simple-git": use("import { simpleGit } from 'simple-git';", "typeof simpleGit().log"),

  // services
  openai: use(
    "import OpenAI from 'openai';",
    "new OpenAI({ apiKey: 'k', baseURL: 'http://127.0.0.1:1' }).buildURL('/a', {})",
  ),
  "@anthropic-ai/sdk": use(
    "import Anthropic from '@anthropic-ai/sdk';",
    "typeof new Anthropic({ apiKey: 'k' }).messages.create",
  ),
  "@aws-sdk/client-s3": use(
    "import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';",
    "await new S3Client({ region: 'x', maxAttempts: 1, endpoint: 'http://127.0.0.1:1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }).send(new ListBucketsCommand({})).catch((e) => typeof e.message)",
  ),
  googleapis: {
    ...use("import { google } from 'googleapis';", "typeof google.drive({ version: 'v3', auth: 'k' }).files.list"),
    big: true,
  },
  "@octokit/rest": use(
    "import { Octokit } from '@octokit/rest';",
    "new Octokit().request.endpoint('GET /repos/{owner}', { owner: 'a' }).url",
  ),
  stripe: use("import Stripe from 'stripe';", "typeof new Stripe('k').customers.create"),
  twilio: use("import twilio from 'twilio';", "new twilio.twiml.VoiceResponse().toString()"),
  "@slack/web-api": use("import { WebClient } from '@slack/web-api';", "typeof new WebClient('t').chat.postMessage"),
  "@modelcontextprotocol/sdk": use(
    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';",
    "typeof new McpServer({ name: 'a', version: '1' }).connect",
  ),
  "@langchain/core": use(
    "import { PromptTemplate } from '@langchain/core/prompts';",
    "await PromptTemplate.fromTemplate('a {b}').format({ b: 'c' })",
  ),
  "@notionhq/client": use(
    "import { Client } from '@notionhq/client';",
    "typeof new Client({ auth: 'k' }).pages.create",
  ),

  // databases
  mongodb: use(
    "import { MongoClient, ObjectId } from 'mongodb';",
    "[new ObjectId('0123456789ab0123456789ab').toString(), typeof new MongoClient('mongodb://127.0.0.1:1').db]",
  ),
  mongoose: use(
    "import mongoose from 'mongoose';",
    "(() => { const M = mongoose.model('A', new mongoose.Schema({ n: Number })); return new M({ n: '5' }).n; })()",
  ),
  pg: use("import pg from 'pg';", '[pg.escapeLiteral("a\'b"), typeof new pg.Client().connect]'),
  mysql2: use("import mysql from 'mysql2';", "mysql.format('select ?', [\"a'b\"])"),
  ioredis: use(
    "import { Redis } from 'ioredis';",
    "(() => { const r = new Redis({ lazyConnect: true }); r.disconnect(); return r.status; })()",
  ),
  redis: use("import { createClient } from 'redis';", "createClient().isOpen"),
  postgres: use("import postgres from 'postgres';", "typeof postgres('postgres://127.0.0.1:1/a')"),
  knex: use("import knex from 'knex';", "knex({ client: 'pg' })('a').where({ b: 1 }).toString()"),
  kysely: use(
    "import * as k from 'kysely';",
    "new k.Kysely({ dialect: { createAdapter: () => new k.PostgresAdapter(), createDriver: () => new k.DummyDriver(), createIntrospector: (d) => new k.PostgresIntrospector(d), createQueryCompiler: () => new k.PostgresQueryCompiler() } }).selectFrom('a').selectAll().compile().sql",
  ),
  "drizzle-orm": use(
    "import { Database } from 'bun:sqlite'; import { drizzle } from 'drizzle-orm/bun-sqlite'; import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';",
    "(() => { const db = new Database(':memory:'); db.run('create table a (n integer)'); const d = drizzle(db); const a = sqliteTable('a', { n: integer() }); d.insert(a).values({ n: 5 }).run(); return d.select().from(a).all(); })()",
  ),
  typeorm: {
    ...use(
      "import 'reflect-metadata'; import { Column, Entity, getMetadataArgsStorage, PrimaryGeneratedColumn } from 'typeorm';\n@Entity() class A { @PrimaryGeneratedColumn() id: number; @Column() name: string; }",
      "[new A() instanceof A, getMetadataArgsStorage().columns.map((c) => c.propertyName + String(c.options.type?.name))]",
    ),
    compilerOptions: METADATA,
  },
  sequelize: use("import { DataTypes, Sequelize } from 'sequelize';", "DataTypes.STRING(5).toSql()"),
  "sql.js": use(
    "import initSqlJs from 'sql.js';",
    "await (async () => { const SQL = await initSqlJs(); return new SQL.Database().exec('select 6 * 7')[0].values; })()",
  ),
  "classic-level": use(
    "import { ClassicLevel } from 'classic-level';",
    "await (async () => { const l = new ClassicLevel(process.cwd() + '/level'); await l.put('a', 'b'); const v = await l.get('a'); await l.close(); return v; })()",
  ),
  lowdb: use(
    "import { Low, Memory } from 'lowdb';",
    "await (async () => { const l = new Low(new Memory(), { a: 1 }); await l.write(); await l.read(); return l.data; })()",
  ),
  "@seald-io/nedb": use(
    "import Nedb from '@seald-io/nedb';",
    "await (async () => { const d = new Nedb(); await d.insertAsync({ _id: 'a', n: 1 }); return d.findAsync({}); })()",
  ),
  lokijs: use(
    "import Loki from 'lokijs';",
    "(() => { const c = new Loki('a').addCollection('b'); c.insert({ n: 1 }); return c.find({ n: 1 }).length; })()",
  ),
  "cassandra-driver": use(
    "import cassandra from 'cassandra-driver';",
    "cassandra.types.Uuid.fromString('00000000-0000-1000-8000-000000000000').toString()",
  ),
  "@elastic/elasticsearch": use(
    "import { Client } from '@elastic/elasticsearch';",
    "typeof new Client({ node: 'http://127.0.0.1:1' }).search",
  ),

  // the language
  lodash: use("import _ from 'lodash';", "_.chunk([1, 2, 3], 2)"),
  "lodash-es": use("import { groupBy } from 'lodash-es';", "groupBy([1, 2, 3], (n) => n % 2)"),
  "date-fns": use(
    "import { addDays, formatISO } from 'date-fns';",
    "formatISO(addDays(new Date(2020, 1, 28), 2), { representation: 'date' })",
  ),
  dayjs: use(
    "import dayjs from 'dayjs'; import utc from 'dayjs/plugin/utc.js'; dayjs.extend(utc);",
    "dayjs.utc(0).add(1, 'month').format()",
  ),
  luxon: use("import { DateTime } from 'luxon';", "DateTime.fromMillis(0, { zone: 'Europe/Rome' }).toISO()"),
  moment: use("import moment from 'moment';", "moment.utc(0).add(1, 'month').format('LL')"),
  "moment locale": use(
    "import moment from 'moment';",
    "(() => { moment.locale('de'); return moment.utc(0).format('MMMM'); })()",
  ),
  "moment-timezone": use("import moment from 'moment-timezone';", "moment.tz(0, 'America/New_York').format()"),
  rxjs: use(
    "import { from, lastValueFrom, map, toArray } from 'rxjs';",
    "await lastValueFrom(from([1, 2]).pipe(map((n) => n * 2), toArray()))",
  ),
  ramda: use("import * as R from 'ramda';", "R.pipe(R.map(R.inc), R.sum)([1, 2])"),
  immutable: use("import { Map } from 'immutable';", "Map({ a: 1 }).set('b', 2).toJS()"),
  uuid: use("import { v5 } from 'uuid';", "v5('a', v5.URL)"),
  nanoid: use("import { nanoid } from 'nanoid';", "nanoid().length"),
  semver: use("import semver from 'semver';", "semver.satisfies('1.2.3', '^1.0.0')"),
  bluebird: use("import Promise from 'bluebird';", "await Promise.map([1, 2], (n) => n * 2)"),
  async: use("import async from 'async';", "await async.map([1, 2], async (n) => n * 2)"),
  "p-limit": use("import pLimit from 'p-limit';", "await Promise.all([1, 2].map((n) => pLimit(1)(() => n * 2)))"),
  "p-queue": use("import PQueue from 'p-queue';", "await new PQueue().add(() => 5)"),
  eventemitter3: use(
    "import EventEmitter from 'eventemitter3';",
    "(() => { let n = 0; const e = new EventEmitter(); e.on('a', (x) => { n = x; }); e.emit('a', 5); return n; })()",
  ),
  immer: use("import { produce } from 'immer';", "produce({ a: 1 }, (d) => { d.a = 2; })"),
  zustand: use("import { createStore } from 'zustand/vanilla';", "createStore(() => ({ a: 1 })).getState()"),
  redux: use("import { createStore } from 'redux';", "createStore((s = 5) => s).getState()"),
  effect: use(
    "import { Effect } from 'effect';",
    "await Effect.runPromise(Effect.map(Effect.succeed(1), (n) => n + 1))",
  ),
  neverthrow: use("import { ok } from 'neverthrow';", "ok(1).map((n) => n + 1).unwrapOr(0)"),
  xstate: use(
    "import { createActor, createMachine } from 'xstate';",
    "(() => { const a = createActor(createMachine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } })).start(); a.send({ type: 'go' }); return a.getSnapshot().value; })()",
  ),
  "decimal.js": use("import Decimal from 'decimal.js';", "new Decimal('0.1').plus('0.2').toString()"),
  "bignumber.js": use("import BigNumber from 'bignumber.js';", "new BigNumber('0.1').plus('0.2').toString()"),
  "big.js": use("import Big from 'big.js';", "new Big('0.1').plus('0.2').toString()"),
  mathjs: use("import { evaluate } from 'mathjs';", "String(evaluate('sqrt(16) * 2 inch to cm'))"),
  chance: use("import Chance from 'chance';", "new Chance(1).integer({ min: 0, max: 1000 })"),
  "@faker-js/faker": use(
    "import { faker } from '@faker-js/faker/locale/de';",
    "(() => { faker.seed(1); return faker.person.firstName(); })()",
  ),
  seedrandom: use("import seedrandom from 'seedrandom';", "seedrandom('a')()"),
  ms: use("import ms from 'ms';", "ms('2 days')"),
  bytes: use("import bytes from 'bytes';", "bytes('1kb')"),
  "pretty-bytes": use("import pretty from 'pretty-bytes';", "pretty(1337)"),
  debug: use("import debug from 'debug';", "debug('a').enabled"),
  "change-case": use("import { snakeCase } from 'change-case';", "snakeCase('fooBar')"),
  slugify: use("import slugify from 'slugify';", "slugify('Ä b')"),
  pluralize: use("import pluralize from 'pluralize';", "pluralize('mouse', 2)"),
  he: use("import he from 'he';", "he.decode('&auml;')"),
  entities: use("import { decodeHTML } from 'entities';", "decodeHTML('&auml;')"),
  diff: use("import { createPatch } from 'diff';", "createPatch('a', 'x\\n', 'y\\n')"),
  "fast-deep-equal": use("import equal from 'fast-deep-equal';", "equal({ a: [1] }, { a: [1] })"),
  deepmerge: use("import merge from 'deepmerge';", "merge({ a: { b: 1 } }, { a: { c: 2 } })"),
  "fuse.js": use("import Fuse from 'fuse.js';", "new Fuse(['apple', 'pear'], {}).search('aple').map((f) => f.item)"),
  lunr: use(
    "import lunr from 'lunr';",
    "lunr(function () { this.field('a'); this.add({ id: 1, a: 'hello' }); }).search('hello').length",
  ),
  minisearch: use(
    "import MiniSearch from 'minisearch';",
    "(() => { const m = new MiniSearch({ fields: ['a'] }); m.add({ id: 1, a: 'hello' }); return m.search('hello').length; })()",
  ),
  "lru-cache": use(
    "import { LRUCache } from 'lru-cache';",
    "(() => { const c = new LRUCache({ max: 1 }); c.set('a', 1); c.set('b', 2); return [c.get('a') ?? null, c.get('b')]; })()",
  ),
  "object-hash": use("import hash from 'object-hash';", "hash({ a: 1 })"),
  "iconv-lite": use(
    "import iconv from 'iconv-lite';",
    "[...iconv.encode('ä', 'win1252'), iconv.decode(Buffer.from([0x82, 0xa0]), 'shiftjis')]",
  ),
  numeral: use("import numeral from 'numeral';", "numeral(1234.5).format('0,0.00')"),
  validator: use("import validator from 'validator';", "validator.isEmail('a@b.test')"),
  "libphonenumber-js": use("import parse from 'libphonenumber-js';", "parse('+39 06 1234567').country"),
  "cron-parser": use(
    "import { CronExpressionParser } from 'cron-parser';",
    "CronExpressionParser.parse('0 0 * * *', { currentDate: new Date(0), tz: 'UTC' }).next().toISOString()",
  ),
  rrule: use(
    "import { RRule } from 'rrule';",
    "new RRule({ freq: RRule.DAILY, count: 2, dtstart: new Date(0) }).all().length",
  ),
  i18next: use(
    "import i18next from 'i18next';",
    "await (async () => { await i18next.init({ lng: 'de', showSupportNotice: false, resources: { de: { translation: { a: 'hallo {{n}}' } } } }); return i18next.t('a', { n: 1 }); })()",
  ),
  "intl-messageformat": use(
    "import { IntlMessageFormat } from 'intl-messageformat';",
    "new IntlMessageFormat('{n, plural, one {# a} other {# b}}', 'en').format({ n: 2 })",
  ),
  color: use("import Color from 'color';", "new Color('red').darken(0.5).hex()"),
  "simple-statistics": use("import { median } from 'simple-statistics';", "median([1, 2, 10])"),

  // secrets
  "crypto-js": use("import CryptoJS from 'crypto-js';", "CryptoJS.SHA256('a').toString()"),
  bcryptjs: use("import bcrypt from 'bcryptjs';", "bcrypt.compareSync('a', bcrypt.hashSync('a', 4))"),
  jose: use(
    "import { jwtVerify, SignJWT } from 'jose';",
    "await (async () => { const k = new Uint8Array(32); return (await jwtVerify(await new SignJWT({ a: 1 }).setProtectedHeader({ alg: 'HS256' }).sign(k), k)).payload; })()",
  ),
  jsonwebtoken: use(
    "import jwt from 'jsonwebtoken';",
    "jwt.verify(jwt.sign({ a: 1 }, 'k', { noTimestamp: true }), 'k')",
  ),
  tweetnacl: use("import nacl from 'tweetnacl';", "nacl.hash(new Uint8Array(1)).length"),
  "@noble/hashes": use("import { sha256 } from '@noble/hashes/sha2.js';", "[...sha256(new Uint8Array(1))].slice(0, 4)"),
  "node-forge": use("import forge from 'node-forge';", "forge.md.sha256.create().update('a').digest().toHex()"),
  elliptic: use(
    "import elliptic from 'elliptic';",
    "new elliptic.ec('secp256k1').keyFromPrivate('01', 'hex').getPublic('hex').length",
  ),
  bcrypt: use("import bcrypt from 'bcrypt';", "bcrypt.compareSync('a', bcrypt.hashSync('a', 4))"),
  argon2: use("import argon2 from 'argon2';", "(await argon2.hash('a')).slice(0, 9)"),

  // logs and threads
  winston: use(
    "import winston from 'winston';",
    "winston.createLogger({ silent: true, transports: [new winston.transports.Console()] }).level",
  ),
  pino: use(
    "import pino from 'pino';",
    "(() => { const lines = []; pino({ base: null, timestamp: false }, { write: (l) => lines.push(l) }).info('a'); return lines; })()",
  ),
  bunyan: use(
    "import bunyan from 'bunyan';",
    "(() => { const r = new bunyan.RingBuffer({ limit: 1 }); bunyan.createLogger({ name: 'a', streams: [{ type: 'raw', stream: r }] }).info('b'); return r.records[0].msg; })()",
  ),
  loglevel: use("import log from 'loglevel';", "(() => { log.setLevel('warn', false); return log.getLevel(); })()"),
  consola: use(
    "import { createConsola } from 'consola';",
    "(() => { const seen = []; createConsola({ reporters: [{ log: (l) => seen.push(l.args[0]) }] }).info('a'); return seen; })()",
  ),
  piscina: use("import { Piscina } from 'piscina';", "typeof Piscina"),

  // classes by metadata
  "reflect-metadata": use(
    "import 'reflect-metadata';",
    "(() => { const o = {}; Reflect.defineMetadata('a', 1, o); return Reflect.getMetadata('a', o); })()",
  ),
  tsyringe: {
    ...use(
      "import 'reflect-metadata'; import { container, injectable } from 'tsyringe';\nclass Engine { name = 'e'; }\n@injectable() class Car { constructor(public engine: Engine) {} }",
      "container.resolve(Car).engine.name",
    ),
    compilerOptions: METADATA,
  },
  inversify: {
    ...use(
      "import 'reflect-metadata'; import { Container, injectable } from 'inversify';\n@injectable() class Engine { name = 'e'; }\n@injectable() class Car { constructor(public engine: Engine) {} }",
      "(() => { const c = new Container(); c.bind(Engine).toSelf(); c.bind(Car).toSelf(); return c.get(Car).engine.name; })()",
    ),
    compilerOptions: METADATA,
  },
  "class-transformer": {
    ...use(
      "import 'reflect-metadata'; import { plainToInstance, Type } from 'class-transformer';\nclass A { @Type() at: Date; }",
      "plainToInstance(A, { at: '1970-01-01' }).at instanceof Date",
    ),
    compilerOptions: METADATA,
  },
  "class-validator": {
    ...use(
      "import { IsEmail, validateSync } from 'class-validator';\nclass A { @IsEmail() mail = 'x'; }",
      "validateSync(new A())[0].constraints",
    ),
    compilerOptions: METADATA,
  },
  "@nestjs/core": {
    ...use(
      "import 'reflect-metadata'; import { Injectable, Module } from '@nestjs/common'; import { NestFactory } from '@nestjs/core';\n@Injectable() class Engine { name = 'e'; }\n@Injectable() class Car { constructor(readonly engine: Engine) {} }\n@Module({ providers: [Engine, Car] }) class App {}",
      "(await NestFactory.createApplicationContext(App, { logger: false })).get(Car).engine.name",
    ),
    compilerOptions: METADATA,
  },

  // pictures and pages
  pdfkit: use(
    "import PDFDocument from 'pdfkit';",
    "await (async () => { const d = new PDFDocument(); let n = 0; d.on('data', (c) => { n += c.length; }); d.text('a').end(); await new Promise((done) => d.on('end', done)); return n > 500; })()",
  ),
  "pdf-lib": use(
    "import { PDFDocument } from 'pdf-lib';",
    "await (async () => { const d = await PDFDocument.create(); d.addPage(); return (await PDFDocument.load(await d.save())).getPageCount(); })()",
  ),
  "pdfjs-dist": use(
    "import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'; import { PDFDocument } from 'pdf-lib';",
    "await (async () => { const d = await PDFDocument.create(); d.addPage(); return (await getDocument({ data: await d.save() }).promise).numPages; })()",
  ),
  docx: use(
    "import { Document, Packer, Paragraph } from 'docx';",
    "(await Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph('a')] }] }))).length > 1000",
  ),
  mammoth: use(
    "import mammoth from 'mammoth'; import { Document, Packer, Paragraph } from 'docx';",
    "(await mammoth.extractRawText({ buffer: await Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph('a')] }] })) })).value",
  ),
  pngjs: use("import { PNG } from 'pngjs';", "PNG.sync.read(PNG.sync.write(new PNG({ width: 2, height: 1 }))).width"),
  jimp: use("import { Jimp } from 'jimp';", "new Jimp({ width: 2, height: 1 }).bitmap.width"),
  qrcode: use("import QRCode from 'qrcode';", "QRCode.create('a').modules.size"),
  sharp: use(
    "import sharp from 'sharp';",
    "(await sharp({ create: { width: 2, height: 1, channels: 3, background: 'red' } }).png().toBuffer()).length > 50",
  ),
};

function use(head: string, value: string): Use {
  return { head, value };
}

/** Those that take the least time. */
export const quick: readonly string[] = [
  "vscode-uri",
  "cac",
  "chalk",
  "kleur",
  "string-width",
  "sade",
  "clipanion",
  "mri",
  "arg",
  "boxen",
  "cookie",
  "minimist",
  "undici",
  "consola",
  "ky",
  "reflect-metadata",
  "cross-spawn",
  "glob",
  "hono",
  "picocolors",
  "@slack/web-api",
  "node-fetch",
  "drizzle-orm",
  "fast-glob",
  "cli-table3",
  "meow",
  "which",
  "piscina",
  "@octokit/rest",
  "ws",
];

/** The packages that some uses import. */
export function packagesOf(some: readonly Use[]): string[] {
  const specifiers = some.flatMap(({ head }) =>
    [...head.matchAll(/(?:from|import) '([^']+)'/g)].map(([, from = ""]) => from),
  );
  return [
    ...new Set(
      specifiers.map((from) =>
        from
          .split("/")
          .slice(0, from.startsWith("@") ? 2 : 1)
          .join("/"),
      ),
    ),
  ];
}

// Prints how large and how finely cut the house is: `npm run house`. A test holds what must stay at zero.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

const isSpec = (file) => /\.(spec|test)\.ts$/.test(file);

function tracked(...patterns) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns]);
  return listed
    .toString()
    .split('\n')
    .filter((file) => file !== '' && existsSync(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

const countLines = (sources) => sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

/** Exported types that several files of libs or of the program define: `{ name, files }`. */
export function equalNames() {
  const byName = new Map();
  for (const { file, text } of tracked('libs/*.ts', 'apps/server/*.ts').filter(({ file }) => !isSpec(file))) {
    for (const [, name] of text.matchAll(/^export (?:abstract )?(?:class|interface|type|enum) (\w+)/gm)) {
      byName.set(name, [...(byName.get(name) ?? []), file]);
    }
  }
  return [...byName].filter(([, files]) => files.length > 1).map(([name, files]) => ({ name, files }));
}

/** The abstract classes of `*.port.ts`, with the classes that implement them and what gives them a reason. */
export function ports() {
  const program = tracked('libs/*.ts', 'apps/server/*.ts').filter(({ file }) => !isSpec(file));
  const tests = tracked('test/*.ts', 'libs/*.spec.ts', 'apps/*.spec.ts');
  const contracts = tests.filter(({ file }) => file.startsWith('test/contracts/'));
  const page = readFileSync('docs/extending.md', 'utf8');
  const names = program
    .filter(({ file }) => file.endsWith('.port.ts'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^export abstract class (\w+)/gm)].map(([, name]) => ({ name, file })),
    );
  const implementedIn = (sources, name) =>
    sources.filter(({ text }) =>
      new RegExp(`class \\w*[^{]*(?:extends|implements)[^{]*\\b${name}\\b[^{]*\\{`).test(text),
    );
  return names.map(({ name, file }) => ({
    name,
    file,
    inProgram: implementedIn(program, name).length,
    inTests: implementedIn(tests, name).length + tests.filter(({ text }) => isFaked(name, text)).length,
    hasContract: contracts.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)),
    isExplained: page.includes(`\`${name}\``),
  }));
}

/** Whether a test has an object literal that stands for the port. */
function isFaked(name, text) {
  return new RegExp(`(?:\\} as|satisfies)(?: unknown as)? ${name}\\b|: ${name} = \\{|Pick<${name}\\b`).test(text);
}

/** Ports with one implementation, no contract suite, and no line in docs/extending.md that says who replaces them. */
export function portsWithoutReason() {
  return ports().filter(
    ({ inProgram, inTests, hasContract, isExplained }) => inProgram + inTests < 2 && !hasContract && !isExplained,
  );
}

/** The stories of docs/stories.md: the heading and the files, in order. */
export function stories() {
  if (!existsSync('docs/stories.md')) return [];
  const sections = readFileSync('docs/stories.md', 'utf8').split(/^## /m).slice(1);
  return sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')).trim(),
    files: [...new Set([...section.matchAll(/^(?:\d+\.|-|\|) +`([^`]+\.ts)`/gm)].map(([, file]) => file))],
  }));
}

/** Lines without tests from which a lib is too large to be understood without a story. */
const maxUntoldLines = 2_000;

/** Libs of more than 2,000 lines of which no story names a file: `{ lib, lines }`, the largest first. */
export function untoldLibs() {
  const told = new Set(stories().flatMap(({ files }) => files.map(libOf)));
  return [...byLib()]
    .map(([lib, sources]) => ({ lib, lines: countLines(sources) }))
    .filter(({ lib, lines }) => lines > maxUntoldLines && !told.has(lib))
    .sort((a, b) => b.lines - a.lines);
}

/** Functions whose bodies are equal, as pairs of places. Only bodies of at least 160 characters count. */
export function copies() {
  const bodies = new Map();
  for (const { file, text } of tracked('libs/*.ts', 'apps/server/*.ts').filter(({ file }) => !isSpec(file))) {
    for (const [, name, body] of text.matchAll(/^(?:export )?(?:async )?function (\w+)[^\n]*\{\n([\s\S]*?)^\}/gm)) {
      if (body.length < 160) continue;
      const shape = body.replace(/\s+/g, ' ');
      bodies.set(shape, [...(bodies.get(shape) ?? []), `${file} ${name}`]);
    }
  }
  return [...bodies.values()].filter((places) => places.length > 1);
}

const limits =
  /^export (?:abstract )?class (\w*(?:Budget|Turns|Queue|Slots|Places|Allowance|Caps|Shares?|Limiter|Lanes))\b/gm;

/** The exported classes whose names say that they limit something; queues of work in the database are among them. */
export function limitClasses() {
  return tracked('libs/*.ts')
    .filter(({ file }) => !isSpec(file))
    .flatMap(({ file, text }) => [...text.matchAll(limits)].map(([, name]) => ({ name, file })));
}

/** What makes the house heavy: what is counted, how much there is, and what is aimed at. */
export function weights() {
  const program = tracked('libs/*.ts').filter(({ file }) => !isSpec(file));
  const sql = tracked('libs/*.sql');
  const occurrences = (sources, pattern) =>
    sources.reduce((sum, { text }) => sum + (text.match(pattern) ?? []).length, 0);
  const events = [...program, ...sql, ...tracked('apps/dashboard/src/*.ts', 'apps/dashboard/src/*.tsx')];
  return [
    ['lines of libs', countLines(program), 112_000],
    [
      'of them, lines of infrastructure/http',
      countLines(program.filter(({ file }) => /infrastructure\/http/.test(file))),
      15_000,
    ],
    ['files of libs under 30 lines', program.filter((source) => countLines([source]) < 30).length, 250],
    ['exported classes that limit something', limitClasses().length, 10],
    ['claims of rows by hand (SKIP LOCKED)', occurrences([...program, ...sql], /SKIP LOCKED/g), 10],
    [
      'files that name `email.bounced`',
      events.filter(({ file, text }) => !isSpec(file) && /'email\.bounced'/.test(text)).length,
      5,
    ],
  ].map(([what, now, goal]) => ({ what, now, goal }));
}

function suffixOf(file) {
  return /\.([\w-]+)\.ts$/.exec(basename(file))?.[1] ?? 'none';
}

function print() {
  const program = tracked('libs/*.ts').filter(({ file }) => !isSpec(file));
  console.log('Lines and files by lib, without tests');
  for (const [lib, sources] of [...byLib()].sort((a, b) => countLines(b[1]) - countLines(a[1]))) {
    console.log(`  ${lib.padEnd(18)} ${String(countLines(sources)).padStart(6)} ${String(sources.length).padStart(5)}`);
  }
  console.log(`  ${'all'.padEnd(18)} ${String(countLines(program)).padStart(6)} ${String(program.length).padStart(5)}`);

  console.log('\nWeights, and what is aimed at');
  for (const { what, now, goal } of weights()) {
    console.log(`  ${what.padEnd(40)} ${String(now).padStart(7)} ${String(goal).padStart(7)}`);
  }

  const described = program.filter(({ file }) => /^libs\/http\/src\/openapi\//.test(file));
  console.log(`\nLines that describe the API: ${countLines(described)} in ${described.length} files`);

  console.log('\nFiles per story (docs/stories.md)');
  const told = stories();
  for (const { title, files } of told) console.log(`  ${title.padEnd(38)} ${String(files.length).padStart(4)}`);
  const ofEmail = told
    .filter(({ title }) => /^(An email is (accepted|delivered)|A webhook is called)$/.test(title))
    .flatMap(({ files }) => files);
  console.log(`  ${'An email until its webhook'.padEnd(38)} ${String(new Set(ofEmail).size).padStart(4)}`);

  const untold = untoldLibs();
  console.log(`\nLibs of more than ${maxUntoldLines} lines that no story names: ${untold.length}`);
  for (const { lib, lines } of untold) console.log(`  ${lib.padEnd(18)} ${String(lines).padStart(6)}`);

  const all = ports();
  const count = (filter) => all.filter(filter).length;
  console.log(`\nPorts: ${all.length}`);
  console.log(`  several implementations in the program   ${count(({ inProgram }) => inProgram > 1)}`);
  console.log(`  one, and a fake of the tests             ${count((p) => p.inProgram < 2 && p.inTests > 0)}`);
  console.log(
    `  one, and a contract suite or a reason    ${count((p) => p.inProgram < 2 && p.inTests === 0 && (p.hasContract || p.isExplained))}`,
  );
  const bare = portsWithoutReason();
  console.log(`  one, without a reason                    ${bare.length}`);
  for (const { name, file } of bare) console.log(`    ${name}  ${file}`);

  const equal = equalNames();
  console.log(`\nExported type names that stand twice: ${equal.length}`);
  for (const { name, files } of equal) console.log(`  ${name}: ${files.join(', ')}`);

  const repeated = copies();
  console.log(`\nFunctions that stand twice: ${repeated.length}`);
  for (const places of repeated) console.log(`  ${places.join(' = ')}`);

  const useCases = program.filter(({ text }) => /\bexecute\(/.test(text)).length;
  console.log(`\nFiles that call or define \`execute\`: ${useCases}`);
  const bare2 = program.filter(({ file }) => suffixOf(file) === 'none' && file.includes('/application/')).length;
  console.log(`Files of application layers without a suffix of their kind: ${bare2}`);
}

/** The name of the lib to which a file belongs; undefined for a file of an app. */
function libOf(file) {
  return /^libs\/([^/]+)\//.exec(file)?.[1];
}

/** The files of each lib, without tests. */
function byLib() {
  const libs = new Map();
  for (const source of tracked('libs/*.ts').filter(({ file }) => !isSpec(file))) {
    const lib = libOf(source.file);
    libs.set(lib, [...(libs.get(lib) ?? []), source]);
  }
  return libs;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--limits')) for (const { name, file } of limitClasses()) console.log(`${name}  ${file}`);
  else print();
}

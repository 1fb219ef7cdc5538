import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { signed, SystemFigures } from '../bench/prove/proof.js';
import { stretched } from '../support/runner/stretched.js';
import { describeUnless, whyNo } from '../support/runner/unless.js';

const run = promisify(execFile);
const emails = 100;

interface Proof {
  readonly systems: { readonly postrider: SystemFigures };
  readonly public_key: string;
  readonly signature: string;
}

/** What the second program says: nothing is wrong, or one sentence. */
async function verify(text: string, ...options: string[]): Promise<{ code: number; says: string }> {
  const file = join(directory, 'proof.json');
  await writeFile(file, text);
  try {
    const { stdout } = await run('python3', ['scripts/verify-proof.py', file, ...options]);
    return { code: 0, says: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, says: stderr };
  }
}

let directory: string;

describeUnless(whyNo('python3', '--version') ?? whyNo('openssl', 'version'))('npm run prove', () => {
  let text: string;
  let proof: Proof;
  let output: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'postrider-prove-test-'));
    const out = join(directory, 'made.json');
    const sizes = ['--emails', String(emails), '--rounds', '1', '--warm', '0', '--seed', '7'];
    const program = 'dist/test/bench/prove/main.js';
    output = (await run(process.execPath, [program, ...sizes, '--out', out])).stdout;
    text = await readFile(out, 'utf8');
    proof = JSON.parse(text) as Proof;
    // Two systems are started, measured and killed: 35 s alone, and 120 s beside four processes that want both processors.
  }, stretched(300_000));

  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('loses no accepted email while the server and PostgreSQL are killed, and says so in one sentence', () => {
    const { totals, kill_rounds: killRounds } = proof.systems.postrider;
    expect(totals).toMatchObject({ accepted: 2 * emails, lost: 0, server_kills: 1, postgres_kills: 1 });
    // Each email that arrived twice had an attempt whose outcome was not written when a process died.
    expect(totals.repeated).toBe(killRounds[0]?.counts.repeated);
    expect(output).toMatch(/^On this machine Postrider delivered \d+ emails of 4 KB a second; .*none of 200 accepted/);
    expect(output.trim()).not.toContain('\n');
  });

  it('makes a document that a second program verifies', async () => {
    expect(await verify(text)).toEqual({ code: 0, says: expect.stringContaining('lost 0 accepted emails') });
    expect(await verify(text, '--expect-key', proof.public_key)).toMatchObject({ code: 0 });
    // The one that the README quotes.
    expect(await verify(await readFile('docs/proof.json', 'utf8'))).toMatchObject({ code: 0 });
  });

  it.each(['emails_per_second', 'node', 'accepted', 'lost', 'memory_bytes', 'seed'])(
    'is refused with another digit in %s',
    async (figure) => {
      const digit = new RegExp(`("${figure}": \\d*)(\\d)`);
      const changed = text.replace(digit, (_, before: string, last: string) => `${before}${(Number(last) + 1) % 10}`);
      expect(changed).not.toBe(text);
      expect(await verify(changed)).toEqual({ code: 1, says: expect.stringContaining('changed after it was signed') });
    },
  );

  it('is refused when figures that do not follow from each other are signed again', async () => {
    const { public_key: _, signature: __, ...content } = proof;
    const { privateKey } = generateKeyPairSync('ed25519');
    const again = (changed: string): string => JSON.stringify(signed(JSON.parse(changed) as object, privateKey));
    const written = JSON.stringify(content);

    expect(await verify(again(written))).toMatchObject({ code: 0 });
    const faster = written.replace(/("emails_per_second":)\d+/, '$19999');
    expect(await verify(again(faster))).toEqual({ code: 1, says: expect.stringMatching(/emails_per_second is 9999/) });
    const fewer = written.replace(/("received_accepted":)100,/, '$199,');
    expect(await verify(again(fewer))).toEqual({ code: 1, says: expect.stringContaining('are said to be lost') });
  });

  it('is refused when it is signed with another key than the expected one', async () => {
    const { public_key: expected, signature: _, ...content } = proof;
    const again = JSON.stringify(signed(content, generateKeyPairSync('ed25519').privateKey));
    const says = expect.stringContaining('not with the expected one');
    expect(await verify(again, '--expect-key', expected)).toEqual({ code: 1, says });
  });
});

import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The location in Debian's package, which may not be in PATH. */
const binary = ['opendkim', '/usr/sbin/opendkim'].find((candidate) => {
  try {
    execFileSync(candidate, ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** Undefined if opendkim is not installed: the tests that need it are then skipped with that reason. */
export const openDkim = binary === undefined ? undefined : { verify };

/** The results (`pass`, `fail`, …) of opendkim for each signature of a message, with these TXT records in its DNS. */
async function verify(message: Uint8Array, records: Readonly<Record<string, string>>): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-opendkim-'));
  try {
    const path = (name: string): string => join(directory, name);
    const keys = Object.entries(records).map(([name, record]) => `${name} ${record}\n`);
    await writeFile(path('keys'), keys.join(''));
    await writeFile(path('message'), message);
    await writeFile(path('config'), `Mode v\nTestPublicKeys ${path('keys')}\nTemporaryDirectory ${directory}\n`);
    const output = await run(['-x', path('config'), '-t', path('message'), '-v', '-v']);
    return [...output.matchAll(/^[ \t]+dkim=(\w+) .*header\.a=/gm)].map(([, verdict]) => verdict as string);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(binary as string, args, (_, stdout, stderr) => resolve(`${stdout}${stderr}`));
  });
}

import { readFile } from 'node:fs/promises';
import { imageLimits } from '../../../libs/images/src/domain/image.js';
import { parse } from '../../../libs/images/src/infrastructure/encoding/image.parser.js';

/** Peak of the memory of this process so far, in bytes. */
async function peakBytes(): Promise<number> {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Decodes a small image and then the one at the path, and prints what became of it and by how much the peak rose. */
const [small = '', path = ''] = process.argv.slice(2);
await parse(await readFile(small), imageLimits);
const before = await peakBytes();
const result = await parse(await readFile(path), imageLimits);
const outcome = 'refused' in result ? result.refused : result.type;
process.stdout.write(JSON.stringify({ outcome, bytes: (await peakBytes()) - before }));

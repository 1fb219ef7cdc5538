import type { Parser } from '#platform/parsing';
import type { DkimVerdict } from '../../domain/inbox-message.js';

export interface DkimKeys {
  /** What the DNS has under the names of the keys; a name without records is absent. */
  readonly records: ReadonlyMap<string, string>;
}

/** Verifies with mailauth. Its parsers and their tables are 6 MB of memory, which are in the thread only. */
export async function parse(bytes: Uint8Array, { records }: DkimKeys): Promise<DkimVerdict> {
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** In the form of Node's `resolveTxt`, absence included. */
  const resolver = (name: string): Promise<string[][]> => {
    const record = records.get(name.trim().toLowerCase());
    if (record !== undefined) return Promise.resolve([[record]]);
    return Promise.reject(Object.assign(new Error(`${name} has no TXT record`), { code: 'ENODATA' }));
  };
  const { results } = await dkimVerify(message, { resolver });
  return verdictOf(results.map(({ status }) => status.result));
}

export const dkimParser: Parser<DkimKeys, DkimVerdict> = { url: import.meta.url, parse, maxInlineBytes: 0 };

/** mailauth answers a message without signatures with one result, `none`; all its other words but `pass` are failures. */
function verdictOf(results: readonly string[]): DkimVerdict {
  if (results.includes('pass')) return 'pass';
  return results.every((result) => result === 'none') ? 'none' : 'fail';
}

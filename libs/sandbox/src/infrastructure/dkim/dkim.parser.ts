import type { Parser } from '#platform/parsing';
import type { InboxDkimResult } from '../../domain/inbox-message.js';

export interface DkimKeys {
  /** The DNS records of the keys by name. A name without a record is absent. */
  readonly records: ReadonlyMap<string, string>;
}

/** Verifies with mailauth. Its parsers and tables take 6 MB of memory, which only the thread has. */
export async function parse(bytes: Uint8Array, { records }: DkimKeys): Promise<InboxDkimResult> {
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Behaves like Node's `resolveTxt`, including the error for absent records. */
  const resolver = (name: string): Promise<string[][]> => {
    const record = records.get(name.trim().toLowerCase());
    if (record !== undefined) return Promise.resolve([[record]]);
    return Promise.reject(Object.assign(new Error(`${name} has no TXT record`), { code: 'ENODATA' }));
  };
  const { results } = await dkimVerify(message, { resolver });
  return verdictOf(results.map(({ status }) => status.result));
}

export const dkimParser: Parser<DkimKeys, InboxDkimResult> = { url: import.meta.url, parse, maxInlineBytes: 0 };

/**
 * The verdict from mailauth's results. It returns one result `none` for a message without signatures; all results other
 * than `pass` are failures.
 */
function verdictOf(results: readonly string[]): InboxDkimResult {
  if (results.includes('pass')) return 'pass';
  return results.every((result) => result === 'none') ? 'none' : 'fail';
}

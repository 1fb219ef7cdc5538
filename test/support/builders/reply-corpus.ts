import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A reply of a real server and the verdict that it must get. */
export interface CorpusReply {
  readonly provider: string;
  /** The command that it answered. */
  readonly stage: 'banner' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'dot';
  readonly outcome: 'bounced' | 'deferred';
  readonly category: string;
  /** Its lines with their codes, as on the wire. */
  readonly lines: readonly string[];
}

/** The replies of test/corpus/replies. Addresses and domains in them are made up. */
export function replyCorpus(): readonly CorpusReply[] {
  const [, ...rows] = readFileSync(join('test', 'corpus', 'replies', 'replies.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  return rows.map((row) => {
    const [provider, stage, outcome, category, reply] = row.split('\t') as [string, string, string, string, string];
    return { provider, stage, outcome, category, lines: reply.split('\\n') } as CorpusReply;
  });
}

import { expect, it } from '@jest/globals';
import { replyCorpus } from '../../../../test/support/builders/reply-corpus.js';
import type { CorpusReply } from '../../../../test/support/builders/reply-corpus.js';
import type { SmtpPhase } from './smtp-options.js';
import { SmtpReply, SmtpReplyParser } from './smtp-reply-parser.js';
import { outcomeFromReply } from './smtp-transaction.js';

const phases: Readonly<Record<CorpusReply['stage'], SmtpPhase>> = {
  banner: 'banner',
  ehlo: 'ehlo',
  mail: 'mail',
  rcpt: 'rcpt',
  data: 'dataInitiation',
  dot: 'dataTermination',
};

function parsed(lines: readonly string[]): SmtpReply {
  const bytes = Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
  const replies: SmtpReply[] = [];
  new SmtpReplyParser().push(bytes, bytes.length, (reply) => replies.push(reply));
  return replies[0] as SmtpReply;
}

const corpus = replyCorpus();

it('the corpus has enough replies, each of them once for a provider', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(150);
  expect(new Set(corpus.map(({ provider, stage, lines }) => `${provider} ${stage} ${lines.join('\n')}`)).size).toBe(
    corpus.length,
  );
});

it.each(corpus.map((entry) => [entry.provider, entry.stage, entry.lines.join(' '), entry] as const))(
  '%s at %s: %s',
  (_provider, _stage, _text, { stage, lines, outcome, category }) => {
    const judged = outcomeFromReply(phases[stage], parsed(lines), { host: 'mx.example.test' }, 1);

    expect(judged).toMatchObject({ kind: outcome, category });
  },
);

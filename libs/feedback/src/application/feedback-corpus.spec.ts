import { expect, it } from '@jest/globals';
import { readReport } from '#mime';
import { replyCorpus } from '../../../../test/support/builders/reply-corpus.js';
import { gatherCorpus } from '../../../../test/support/builders/gather-corpus.js';
import { judge } from './judge-report.js';

/** The expected outcome of each message of test/corpus/feedback for the recipient whose return path received it. */
const expectations: readonly (readonly [
  name: string,
  outcome: string,
  action: string | null,
  status: string | null,
  category: string | null,
])[] = [
  ['action-before-recipient', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['action-expired', 'bounced Transient/General', 'failed', '4.4.7', 'unknown'],
  ['amazon-report', 'bounced Transient/General', 'failed', '4.4.7', 'unknown'],
  ['arf-auth-failure', 'recorded', 'auth-failure', null, null],
  ['arf-comcast-fraud', 'complained', 'fraud', null, null],
  ['arf-fastmail', 'complained', 'abuse', null, null],
  ['arf-not-spam', 'recorded', 'not-spam', null, null],
  ['arf-virus', 'recorded', 'virus', null, null],
  ['arf-yahoo', 'complained', 'abuse', null, null],
  ['attachment-refused', 'bounced Transient/AttachmentRejected', 'failed', '5.7.0', 'attachment'],
  ['blocks-run-together', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['challenge', 'recorded', 'challenge', null, null],
  ['content-refused', 'bounced Transient/ContentRejected', 'failed', '5.7.1', 'content'],
  ['cut-off', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['dmarc-refused', 'bounced Permanent/General', 'failed', '5.7.26', 'policy'],
  ['dovecot-quota', 'bounced Transient/MailboxFull', 'failed', '5.2.2', 'mailbox-full'],
  ['exchange-2003-text', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['exchange-access-denied', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.4.1', 'bad-address'],
  ['exchange-online-not-found', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.10', 'bad-address'],
  ['exchange-too-large', 'bounced Transient/MessageTooLarge', 'failed', '5.2.3', 'too-large'],
  ['exim-report', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['exim-text', 'bounced Permanent/NoEmail, suppressed', 'failed', null, 'bad-address'],
  ['exim-warning-text', 'delayed', 'delayed', null, null],
  ['expired', 'bounced Transient/General', 'failed', '4.4.7', 'unknown'],
  ['forwarded-elsewhere', 'bounced Permanent/NoEmail', 'failed', '5.1.1', 'bad-address'],
  ['gateway-wraps-reply', 'bounced Transient/MailboxFull', 'failed', '5.2.2', 'mailbox-full'],
  ['gmx-text', 'bounced Permanent/NoEmail, suppressed', 'failed', null, 'bad-address'],
  ['google-delay', 'delayed', 'delayed', '4.4.1', null],
  ['google-no-such-domain', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.2', 'bad-address'],
  ['google-no-such-user', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['google-over-quota', 'bounced Transient/MailboxFull', 'failed', '5.2.2', 'mailbox-full'],
  ['html-only', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['icloud-over-quota', 'bounced Transient/MailboxFull', 'failed', '5.2.2', 'mailbox-full'],
  ['icloud-unknown-alias', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['list-expanded', 'recorded', 'expanded', '2.0.0', null],
  ['mailru-base64', 'bounced Permanent/NoEmail, suppressed', 'failed', null, 'bad-address'],
  ['no-reason-given', 'bounced Undetermined/Undetermined', 'failed', null, 'unknown'],
  ['no-such-domain', 'bounced Permanent/NoEmail, suppressed', 'failed', null, 'bad-address'],
  ['not-reached-no-subject', 'bounced Permanent/NoEmail, suppressed', 'failed', null, 'bad-address'],
  ['notes-not-listed', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['other-boundary', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['out-of-office-exchange', 'recorded', 'auto-reply', null, null],
  ['out-of-office-german', 'recorded', 'auto-reply', null, null],
  ['outlook-jmrp', 'complained', 'abuse', null, null],
  ['outlook-mailbox-full', 'bounced Transient/MailboxFull', 'failed', '5.2.2', 'mailbox-full'],
  ['outlook-spamhaus', 'bounced Transient/General', 'failed', '5.7.606', 'reputation'],
  ['postfix-delayed', 'delayed', 'delayed', '4.4.1', null],
  ['postfix-success', 'recorded', 'relayed', '2.1.5', null],
  ['postfix-user-unknown', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['qmail-remote-text', 'bounced Transient/ContentRejected', 'failed', '5.7.1', 'content'],
  ['qmail-text', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['read-receipt', 'recorded', 'receipt', null, null],
  ['reply-in-words-only', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['reply-of-a-human', 'recorded', null, null, null],
  ['retry-timeout', 'bounced Transient/General', 'failed', '4.4.7', 'unknown'],
  ['sendmail-report', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.2', 'bad-address'],
  ['sendmail-text', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['status-as-text', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.6', 'bad-address'],
  ['unavailable-text', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.0.0', 'bad-address'],
  ['utf8-global', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['vacation', 'recorded', 'auto-reply', null, null],
  ['wrong-charset', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.1.1', 'bad-address'],
  ['yahoo-report', 'bounced Permanent/NoEmail, suppressed', 'failed', '5.0.0', 'bad-address'],
  ['yahoo-text', 'bounced Permanent/NoEmail, suppressed', 'failed', null, 'bad-address'],
];

const corpus = new Map(gatherCorpus('feedback').map(({ name, raw }) => [name, raw]));

function outcomeOf(raw: Uint8Array, address: string): unknown[] {
  const { verdict, record } = judge(readReport(raw), address);
  const { action, status, category } = record;
  if (verdict.kind !== 'bounced') return [verdict.kind, action, status, category];
  const { type, subType } = verdict.bounce;
  return [`bounced ${type}/${subType}${verdict.suppresses ? ', suppressed' : ''}`, action, status, category];
}

it('every message of the corpus has an expectation', () => {
  expect([...corpus.keys()]).toEqual(expectations.map(([name]) => name).sort());
  expect(corpus.size).toBeGreaterThanOrEqual(30);
});

it.each(expectations)('%s: %s', (name, ...expected) => {
  const address = name === 'google-no-such-domain' ? 'jane@nowhere.test' : 'Jane@Example.test';
  expect(outcomeOf(corpus.get(name) as Uint8Array, address)).toEqual(expected);
});

it('the record names the reporter and has the diagnostic of the other server on one line', () => {
  const { verdict, record } = judge(readReport(corpus.get('postfix-user-unknown') as Uint8Array), 'jane@example.test');
  const diagnostic = '550 5.1.1 <jane@example.test>: Recipient address rejected: User unknown in local recipient table';
  expect(record).toMatchObject({ kind: 'delivery', reporter: 'mx.example.test', diagnostic });
  expect(verdict).toMatchObject({ bounce: { message: diagnostic, diagnosticCode: [`smtp; ${diagnostic}`] } });
});

it('a report counts only for the recipient that it names', () => {
  const raw = corpus.get('blocks-run-together') as Uint8Array;
  expect(outcomeOf(raw, 'john@example.test')).toEqual(['recorded', 'delivered', '2.1.5', null]);
  expect(outcomeOf(raw, 'list@other.test')).toEqual(['recorded', null, null, null]);
});

it('the reader does not fail on any message of the corpus, wherever it is cut off', () => {
  for (const raw of corpus.values()) {
    for (let length = 0; length < raw.length; length += 97)
      judge(readReport(raw.subarray(0, length)), 'jane@example.test');
  }
});

it('long runs of a repeated piece are read in linear time', () => {
  const header =
    'From: MAILER-DAEMON@x.test\r\nSubject: failure notice\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n';
  for (const piece of [' ', '-', 'a@', '5.1.', '<', '= ']) {
    const raw = Buffer.from(header + piece.repeat((256 * 1024) / piece.length));
    expect(outcomeOf(raw, 'jane@example.test')[0]).toMatch(/^bounced (?:Undetermined|Permanent\/General)/);
  }
});

it.each(
  replyCorpus()
    .filter(({ stage, outcome }) => outcome === 'bounced' && stage !== 'mail')
    .map(({ lines, category }) => [lines.join(' '), category] as const),
)('a reply that a report quotes means the same: %s', (reply, category) => {
  const [, code, status] = /^(\d{3})[ -](\d\.\d+\.\d+)?/.exec(reply) as unknown as [string, string, string?];
  // As a host writes it that had the reply: without the status where the reply had none.
  const diagnostic = reply.replace(/^\d{3}[ -](?:\d\.\d+\.\d+ )?/, '');
  const reported = {
    addresses: ['ann@example.test'],
    action: 'failed',
    status,
    replyCode: Number(code),
    diagnostic,
  } as const;

  const { verdict, record } = judge(
    { kind: 'delivery', reporter: 'mx.example.test', recipients: [reported] },
    'ann@example.test',
  );

  expect(record.category).toBe(category);
  expect(verdict).toMatchObject({ kind: 'bounced', suppresses: category === 'bad-address' });
});

it('a report that names the return path as the unknown address is not about the recipient', () => {
  const diagnostic = '550 5.1.1 <B-1.x@Bounces.test>: unknown user';
  const reported = {
    addresses: ['ann@example.test'],
    action: 'failed',
    status: '5.1.1',
    replyCode: 550,
    diagnostic,
  } as const;

  const { verdict, record } = judge(
    { kind: 'delivery', reporter: 'mx.example.test', recipients: [reported] },
    'ann@example.test',
    'b-1.x@bounces.test',
  );

  expect(record.category).toBe('bad-sender');
  expect(verdict).toMatchObject({ kind: 'bounced', bounce: { type: 'Transient' }, suppresses: false });
});

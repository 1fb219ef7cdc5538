import {
  Act,
  babble,
  disconnect,
  dribble,
  ehlo,
  endless,
  interrupt,
  reply,
  replyAndDisconnect,
  Script,
  ServerPhase,
  silence,
  startTls,
  stopReading,
  trickle,
} from '../servers/scripted-smtp-server.js';
import { expiredCertificate, testCertificate } from '../servers/test-certificate.js';

/** The expected result of an email, as its trace shows it. */
export interface Expected {
  readonly outcome: 'delivered' | 'deferred' | 'bounced';
  readonly outcomeUnknown?: true;
  readonly category?: string;
  /** The recorded reply of the server: code, enhanced code, text. */
  readonly reply?: string;
  /** Matches the reason. A reason that quotes a reply contains the reply. */
  readonly reason?: RegExp;
  /** Type and subtype of the bounce in the customer's event. */
  readonly bounce?: string;
  /** The failure concerns the site, not the recipient: the lane pauses. */
  readonly isSiteTrouble?: true;
  readonly tls?: { readonly authorized: boolean };
  /** `host`: the host was found but not connected to. `nothing`: no host was found. */
  readonly reaches?: 'host' | 'nothing';
}

export interface Scenario {
  readonly name: string;
  /** The script of the domain's only mail host; `undefined`: nothing listens there. */
  readonly script: Script | undefined;
  readonly isLarge?: true;
  readonly expected: Expected;
}

const okText = '250 2.0.0 Queued';
const delivered = (more: Partial<Expected> = {}): Expected => ({ outcome: 'delivered', reply: okText, ...more });
const later = (more: Partial<Expected> = {}): Expected => ({ outcome: 'deferred', ...more });
const siteDown = (more: Partial<Expected> = {}): Expected => ({ outcome: 'deferred', isSiteTrouble: true, ...more });
const unknown = (reason: RegExp): Expected => ({ outcome: 'deferred', outcomeUnknown: true, reason });
const bounced = (category: string, bounce: string): Expected => ({ outcome: 'bounced', category, bounce });

/** A reply of several lines. */
const manyLines = (code: string, count: number): string =>
  `${`${code}-More and more\r\n`.repeat(count)}${code} The end`;

/** Repeats the text until the other side stops reading. */
const flood = (text: string): Act => endless(text.repeat(Math.ceil(80_000 / text.length)));

/** The greeting, EHLO and STARTTLS: a failure here concerns the site, whatever the text says. */
const beforeTheFirstMail: readonly [string, Script, Expected][] = [
  [
    'a greeting with 554',
    { banner: reply('554 5.3.2 Not today') },
    siteDown({ category: 'unknown', reply: '554 5.3.2 Not today' }),
  ],
  [
    'a greeting with 550 that sounds like a bad address',
    { banner: reply('550 5.1.1 User unknown') },
    siteDown({ category: 'unknown', reply: '550 5.1.1 User unknown' }),
  ],
  [
    'a greeting with 421',
    { banner: replyAndDisconnect('421 4.3.2 Busy') },
    siteDown({ category: 'rate', reply: '421 4.3.2 Busy' }),
  ],
  [
    'a greeting with 421 4.7.0',
    { banner: replyAndDisconnect('421 4.7.0 Too many connections') },
    siteDown({ category: 'rate', reply: '421 4.7.0 Too many connections' }),
  ],
  [
    'a greeting that names a blocklist',
    { banner: replyAndDisconnect('554 Blocked by Spamhaus') },
    siteDown({ category: 'reputation', reply: '554 Blocked by Spamhaus' }),
  ],
  ['a hang-up instead of a greeting', { banner: disconnect }, siteDown({ reason: /closed|ECONNRESET/ })],
  ['silence instead of a greeting', { banner: silence }, siteDown({ reason: /timed out while waiting for the gr/ })],
  ['an endless greeting', { banner: flood('220-More and more\r\n') }, siteDown({ reason: /a reply/ })],
  ['a huge greeting', { banner: reply(manyLines('220', 5_000)) }, siteDown({ reason: /a reply/ })],
  ['an endless line', { banner: flood('2') }, siteDown({ reason: /a reply|a line/ })],
  ['an endless trickle', { banner: trickle('220-x\r\n') }, siteDown({ reason: /timed out while waiting/ })],
  ['a trickle without a line end', { banner: trickle('2') }, siteDown({ reason: /timed out while waiting/ })],
  ['a greeting that is none', { banner: reply('HTTP/1.1 400 Bad Request') }, siteDown({ reason: /reply/ })],
  ['a greeting with 354', { banner: reply('354 Go on') }, siteDown({ reason: /unexpected reply 354/ })],
  [
    'a reply to EHLO before it was said',
    { banner: reply('220 Hi\r\n250 Hello') },
    siteDown({ reason: /replied before a command was sent/ }),
  ],
  [
    'EHLO with the reply 421',
    { ehlo: replyAndDisconnect('421 4.3.2 Closing') },
    siteDown({ category: 'rate', reply: '421 4.3.2 Closing' }),
  ],
  [
    'EHLO with the reply 451',
    { ehlo: reply('451 4.3.0 Trouble') },
    siteDown({ category: 'unknown', reply: '451 4.3.0 Trouble' }),
  ],
  [
    'EHLO and HELO refused',
    { ehlo: reply('500 What'), helo: reply('550 5.7.1 Invalid HELO name') },
    siteDown({ category: 'our-fault', reply: '550 5.7.1 Invalid HELO name' }),
  ],
  ['a hang-up at EHLO', { ehlo: disconnect }, siteDown({ reason: /while saying EHLO/ })],
  ['silence at EHLO', { ehlo: silence }, siteDown({ reason: /timed out while saying EHLO/ })],
  ['a trickle at EHLO', { ehlo: trickle('250-x\r\n') }, siteDown({ reason: /timed out while saying EHLO/ })],
  ['an endless reply to EHLO', { ehlo: flood('250-KEYWORD\r\n') }, siteDown({ reason: /a reply/ })],
  [
    'more behind the answer to STARTTLS, which may be an attacker’s',
    { ehlo: ehlo('STARTTLS'), starttls: reply('220 Go\r\n250-injected') },
    siteDown({ reason: /more than its reply to STARTTLS/ }),
  ],
  [
    'a whole reply behind the answer to STARTTLS',
    { ehlo: ehlo('STARTTLS'), starttls: reply('220 Go\r\n250 injected') },
    siteDown({ reason: /replied before a command was sent|more than its reply/ }),
  ],
  [
    'STARTTLS with the reply 421',
    { ehlo: ehlo('STARTTLS'), starttls: replyAndDisconnect('421 4.3.2 Closing') },
    siteDown({ category: 'rate', reply: '421 4.3.2 Closing' }),
  ],
];

const withTls = { ehlo: ehlo('STARTTLS', 'PIPELINING', 'ENHANCEDSTATUSCODES') };
const unverified = delivered({ tls: { authorized: false } });
/** The server offers STARTTLS only on the first connection. */
const tlsOnce: Script = { ehlo: [ehlo('STARTTLS'), ehlo('PIPELINING')] };

/** Peculiarities that do not prevent delivery. */
const itsOwnWay: readonly [string, Script, Expected][] = [
  ['HELO only', { ehlo: reply('502 5.5.1 Not implemented') }, delivered()],
  ['no PIPELINING', { ehlo: ehlo('8BITMIME') }, delivered()],
  ['no extension at all', { ehlo: reply('250 scripted.test') }, delivered()],
  ['a greeting byte by byte', { banner: dribble('220 Hi') }, delivered()],
  [
    'replies byte by byte',
    { mail: dribble('250 OK'), rcpt: dribble('250 OK'), dot: dribble('250 OK') },
    delivered({ reply: '250 OK' }),
  ],
  ['251 for a recipient that moved', { rcpt: reply('251 Will forward') }, delivered()],
  ['252 for a recipient it cannot verify', { rcpt: reply('252 Cannot verify') }, delivered()],
  [
    'a final reply of many lines',
    { dot: reply('250-2.0.0 Queued\r\n250-as 12345\r\n250 2.0.0 Thanks') },
    delivered({ reply: '250 2.0.0 Queued as 12345 Thanks' }),
  ],
  [
    'a large final reply',
    { dot: reply(manyLines('250', 200)) },
    delivered({ reply: `250 ${'More and more '.repeat(70)}` }),
  ],
  ['STARTTLS offered and refused', { ...withTls, starttls: reply('454 4.7.0 Not now') }, delivered()],
  ['a self-signed certificate for another name', { ...withTls, starttls: startTls() }, unverified],
  ['a certificate that expired in 2002', { ...withTls, starttls: startTls(expiredCertificate) }, unverified],
  [
    'a certificate chain without end, in the clear then',
    { ...tlsOnce, starttls: startTls({ cert: testCertificate.cert.repeat(600) }) },
    delivered(),
  ],
  [
    'nothing in common but TLS 1.0, in the clear then',
    { ...tlsOnce, starttls: startTls({ minVersion: 'TLSv1', maxVersion: 'TLSv1' }) },
    delivered(),
  ],
  ['nonsense for a handshake, in the clear then', { ...tlsOnce, starttls: babble('220 Go', 'what?') }, delivered()],
  ['silence for a handshake, in the clear then', { ...tlsOnce, starttls: reply('220 Go') }, delivered()],
  ['a hang-up for a handshake, in the clear then', { ...tlsOnce, starttls: replyAndDisconnect('220 Go') }, delivered()],
  ['a hang-up after the final reply', { dot: replyAndDisconnect('250 2.0.0 Queued') }, delivered()],
];

/** Refusals with the same meaning at RCPT, at the final dot, and at RCPT without PIPELINING. */
const refusals: readonly [string, string, Expected][] = [
  ['a mailbox that does not exist', '550 5.1.1 No such user', bounced('bad-address', 'Permanent NoEmail')],
  ['one that does not, in words only', '550 User unknown', bounced('bad-address', 'Permanent NoEmail')],
  ['a disabled mailbox', '550 5.2.1 Account disabled', bounced('bad-address', 'Permanent NoEmail')],
  ['a full mailbox, for good', '552 5.2.2 Mailbox full', bounced('mailbox-full', 'Transient MailboxFull')],
  ['a full mailbox, for now', '452 4.2.2 Over quota', later({ category: 'mailbox-full' })],
  ['greylisting', '450 4.7.1 Greylisted, come back', later({ category: 'greylisting' })],
  ['greylisting with 5yz', '550 5.7.1 Greylisted, come back', later({ category: 'greylisting' })],
  ['too many recipients with 5yz', '552 5.5.3 Too many recipients', later({ category: 'rate' })],
  ['a rate limit', '450 4.2.1 Receiving mail too quickly', later({ category: 'rate' })],
  ['a blocklist', '550 5.7.1 Blocked, see Spamhaus', bounced('reputation', 'Transient General')],
  ['a blocklist that says 5.1.1', '550 5.1.1 Listed at zen.spamhaus.org', bounced('reputation', 'Transient General')],
  ['a sender whose domain is not found', '550 5.1.8 Domain not found', bounced('bad-sender', 'Transient General')],
  ['a sender that is unknown', '550 Sender verify failed: no such user', bounced('bad-sender', 'Transient General')],
  ['a policy', '550 5.7.1 Not allowed', bounced('policy', 'Permanent General')],
  ['DMARC', '550 5.7.26 Unauthenticated mail', bounced('policy', 'Permanent General')],
  ['relaying', '554 5.7.1 Relay access denied', bounced('policy', 'Permanent General')],
  ['spam', '554 5.7.1 This is spam', bounced('content', 'Transient ContentRejected')],
  ['a virus', '554 5.6.0 Virus found', bounced('content', 'Transient ContentRejected')],
  ['an attachment', '552 5.7.0 Attachment not allowed', bounced('attachment', 'Transient AttachmentRejected')],
  ['a size', '552 5.3.4 Message too big', bounced('too-large', 'Transient MessageTooLarge')],
  ['no words at all', '550 Go away', bounced('unknown', 'Permanent General')],
  ['missing credentials', '530 5.7.0 Authenticate first', later({ category: 'our-fault' })],
  ['our missing name', '550 5.7.25 No PTR record', bounced('our-fault', 'Transient General')],
  ['an unspecified failure of the server', '451 4.3.0 Try later', later({ category: 'unknown' })],
];

const breaks: readonly [string, Act, Expected][] = [
  ['a hang-up', disconnect, later({ reason: /closed|ECONNRESET|EPIPE/ })],
  ['silence', silence, later({ reason: /timed out while/ })],
  ['a trickle', trickle('250-x\r\n'), later({ reason: /timed out while/ })],
  ['421', replyAndDisconnect('421 4.3.2 Going down'), later({ category: 'rate', reply: '421 4.3.2 Going down' })],
  ['nonsense', reply('what?'), later({ reason: /reply/ })],
  ['an endless reply', flood('250-x\r\n'), later({ reason: /a reply/ })],
  ['a huge reply', reply(manyLines('250', 5_000)), later({ reason: /a reply/ })],
];
const brokenPhases: readonly ServerPhase[] = ['mail', 'rcpt', 'data'];

const breakOffs: readonly [string, Script, Expected][] = [
  ...brokenPhases.flatMap((phase) =>
    breaks.map(([name, act, expected]): [string, Script, Expected] => [
      `${name} at ${phase}`,
      { [phase]: act },
      expected,
    ]),
  ),
  ['a hang-up in place of the final reply', { dot: disconnect }, unknown(/closed|ECONNRESET|EPIPE/)],
  ['silence in place of the final reply', { dot: silence }, unknown(/timed out while waiting for the reply/)],
  ['a trickle in place of the final reply', { dot: trickle('2') }, unknown(/timed out while waiting for the reply/)],
  ['nonsense in place of the final reply', { dot: reply('what?') }, unknown(/reply/)],
  ['an endless final reply', { dot: flood('250-x\r\n') }, unknown(/a reply/)],
  [
    '421 in place of the final reply, which is a known outcome',
    { dot: replyAndDisconnect('421 4.3.2 Going down') },
    later({ category: 'rate', reply: '421 4.3.2 Going down' }),
  ],
];

const withinLargeContent: readonly [string, Act, Expected][] = [
  ['a hang-up', interrupt('354 Go', 100_000), later({ reason: /sending the message/ })],
  [
    'a refusal',
    interrupt('354 Go', 100_000, '552 5.3.4 Too big'),
    { ...bounced('too-large', 'Transient MessageTooLarge'), reply: '552 5.3.4 Too big' },
  ],
  ['a server that reads no more', stopReading('354 Go'), later({ reason: /timed out while sending the message/ })],
];

const quoted = (text: string, expected: Expected): Expected => ({ ...expected, reply: text });

export const scenarios: readonly Scenario[] = [
  ...[...beforeTheFirstMail, ...itsOwnWay, ...breakOffs].map(([name, script, expected]) => ({
    name,
    script,
    expected,
  })),
  ...refusals.flatMap(([name, text, expected]) => [
    {
      name: `${name}, at RCPT`,
      script: { rcpt: reply(text), data: reply('554 5.5.1 No valid recipients') },
      expected: quoted(text, expected),
    },
    { name: `${name}, at the final dot`, script: { dot: reply(text) }, expected: quoted(text, expected) },
    {
      name: `${name}, at RCPT without PIPELINING`,
      script: { ehlo: ehlo('8BITMIME'), rcpt: reply(text) },
      expected: quoted(text, expected),
    },
  ]),
  ...withinLargeContent.map(([name, act, expected]): Scenario => ({
    name: `${name} in the middle of the content`,
    script: { ehlo: ehlo('8BITMIME'), data: act },
    isLarge: true,
    expected,
  })),
  {
    name: 'a host on which nothing listens',
    script: undefined,
    expected: siteDown({ reason: /ECONNREFUSED/, reaches: 'host' }),
  },
];

import { afterEach, describe, expect, test } from '@jest/globals';
import { InMemoryDnsResolver } from '#domains';
import type { DeliveryOutcome } from '../../libs/delivery/src/domain/delivery-outcome.js';
import { suppresses } from '../../libs/delivery/src/domain/delivery-outcome.js';
import { changeAfter } from '../../libs/delivery/src/domain/recipient-progress.js';
import { nextAttemptAt } from '../../libs/delivery/src/domain/retry-schedule.js';
import { MxDeliveryTransport } from '../../libs/delivery/src/infrastructure/transport/mx-delivery-transport.js';
import type { SmtpTimeouts } from '../../libs/delivery/src/infrastructure/transport/smtp/smtp-options.js';
import { outboundMessage } from '../support/delivery-messages.js';
import {
  disconnect,
  dribble,
  ehlo,
  endless,
  interrupt,
  reply,
  replyAndDisconnect,
} from '../support/scripted-smtp-server.js';
import { ScriptedSmtpServer, silence, stopReading } from '../support/scripted-smtp-server.js';
import type { Act, Script, ServerPhase } from '../support/scripted-smtp-server.js';

/** Short, so that silence ends soon; a connection kept idle does not matter here. */
const timeouts = Object.fromEntries(
  ['connect', 'banner', 'ehlo', 'starttls', 'auth', 'mail', 'rcpt', 'dataInitiation', 'dataBlock', 'dataTermination']
    .map((phase) => [phase, 150])
    .concat([['quit', 50]]),
) as Partial<SmtpTimeouts>;

const queuedAt = new Date('2026-11-21T12:00:00Z');
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

interface End {
  readonly kind: DeliveryOutcome['kind'] | 'unknown';
  readonly category?: string;
  /** No attempt of any other message of the lane is spent on it. */
  readonly site?: boolean;
  readonly bounce?: string;
}

async function outcomeOf(script: Script, content?: Buffer): Promise<DeliveryOutcome> {
  const peer = await ScriptedSmtpServer.listen(script, { host: '127.0.0.4' });
  const dns = new InMemoryDnsResolver();
  dns.set('site.test', { mx: [{ exchange: 'mx.site.test', preference: 10 }] });
  dns.set('mx.site.test', { a: ['127.0.0.4'] });
  const transport = new MxDeliveryTransport(dns, {
    port: peer.port,
    heloName: 'client.test',
    allowPrivateDestinations: true,
    backOff: 1,
    timeouts,
  });
  open.push(peer, transport);
  const message = outboundMessage({ recipients: ['ann@site.test'], ...(content === undefined ? {} : { content }) });
  const [outcome] = await transport.deliver(message);
  return outcome as DeliveryOutcome;
}

function expectEnd(outcome: DeliveryOutcome, { kind, category, site = false, bounce }: End): void {
  const isDeferred = outcome.kind === 'deferred';
  expect(isDeferred && outcome.outcomeUnknown ? 'unknown' : outcome.kind).toBe(kind);
  expect(outcome.kind === 'delivered' ? undefined : outcome.category).toBe(category);
  expect(isDeferred && outcome.isSiteTrouble === true).toBe(site);
  expect(suppresses(outcome)).toBe(bounce === 'Permanent NoEmail');
  expect(outcome.detail).toMatchObject({ host: 'mx.site.test' });

  const retryAt = isDeferred ? nextAttemptAt(1, queuedAt, queuedAt, 0.5) : undefined;
  expect(retryAt?.getTime()).toBe(isDeferred ? queuedAt.getTime() + 60_000 : undefined);
  const recipient = { emailId: 'e', recipientNo: 0, address: 'ann@site.test', size: 1, attempt: 1, lease: 1, queuedAt };
  const change = changeAfter({ recipient, outcome, startedAt: queuedAt, retryAt }, queuedAt);
  expect(change.status).toBe(isDeferred ? 'delayed' : outcome.kind);
  const told = change.data?.bounce as { type: string; subType: string } | undefined;
  expect(told === undefined ? undefined : `${told.type} ${told.subType}`).toBe(bounce);
}

const delivered: End = { kind: 'delivered' };
const later = (category?: string): End => ({ kind: 'deferred', category });
const siteDown = (category?: string): End => ({ kind: 'deferred', category, site: true });
const unknown: End = { kind: 'unknown' };
const bounced = (category: string, bounce: string): End => ({ kind: 'bounced', category, bounce });

describe('trouble before the first MAIL is the site’s', () => {
  test.each<[string, Script, End]>([
    ['a greeting with 554', { banner: reply('554 5.3.2 Not today') }, siteDown('unknown')],
    [
      'a greeting with 550 that sounds like a bad address',
      { banner: reply('550 5.1.1 User unknown') },
      siteDown('bad-address'),
    ],
    ['a greeting with 421', { banner: replyAndDisconnect('421 4.3.2 Busy') }, siteDown('rate')],
    ['a greeting with 421 4.7.0', { banner: replyAndDisconnect('421 4.7.0 Too many connections') }, siteDown('rate')],
    [
      'a greeting that names a blocklist',
      { banner: replyAndDisconnect('554 Blocked by Spamhaus') },
      siteDown('reputation'),
    ],
    ['a hang-up instead of a greeting', { banner: disconnect }, siteDown()],
    ['silence instead of a greeting', { banner: silence }, siteDown()],
    ['an endless greeting', { banner: endless('220-More and more\r\n') }, siteDown()],
    ['an endless line', { banner: endless('2'.repeat(1_000)) }, siteDown()],
    ['a greeting that is none', { banner: reply('HTTP/1.1 400 Bad Request') }, siteDown()],
    ['a greeting with 354', { banner: reply('354 Go on') }, siteDown()],
    ['a reply to EHLO before it was said', { banner: reply('220 Hi\r\n250 Hello') }, siteDown()],
    ['EHLO answered with 421', { ehlo: replyAndDisconnect('421 4.3.2 Closing') }, siteDown('rate')],
    ['EHLO answered with 451', { ehlo: reply('451 4.3.0 Trouble') }, siteDown('unknown')],
    [
      'EHLO and HELO refused',
      { ehlo: reply('500 What'), helo: reply('550 5.7.1 Invalid HELO name') },
      siteDown('our-fault'),
    ],
    ['a hang-up at EHLO', { ehlo: disconnect }, siteDown()],
    ['silence at EHLO', { ehlo: silence }, siteDown()],
    ['an endless reply to EHLO', { ehlo: endless('250-KEYWORD\r\n') }, siteDown()],
  ])('%s', async (_, script, end) => expectEnd(await outcomeOf(script), end));
});

describe('a server that merely does things its own way', () => {
  test.each<[string, Script]>([
    ['HELO only', { ehlo: reply('502 5.5.1 Not implemented') }],
    ['no PIPELINING', { ehlo: ehlo('8BITMIME') }],
    ['no extension at all', { ehlo: reply('250 scripted.test') }],
    ['a greeting byte by byte', { banner: dribble('220-Hello\r\n220 scripted.test') }],
    ['replies byte by byte', { mail: dribble('250 OK'), rcpt: dribble('250 OK'), dot: dribble('250 OK') }],
    ['251 for a recipient that moved', { rcpt: reply('251 Will forward') }],
    ['252 for a recipient it cannot verify', { rcpt: reply('252 Cannot verify') }],
    ['a final reply of many lines', { dot: reply('250-2.0.0 Queued\r\n250-as 12345\r\n250 2.0.0 Thanks') }],
    ['STARTTLS offered and refused', { ehlo: ehlo('STARTTLS', 'PIPELINING'), starttls: reply('454 4.7.0 Not now') }],
    [
      'STARTTLS answered with 220 and no TLS, in the clear then',
      { ehlo: [ehlo('STARTTLS'), ehlo()], starttls: replyAndDisconnect('220 Go') },
    ],
    ['a hang-up after the final reply', { dot: replyAndDisconnect('250 2.0.0 Queued') }],
  ])('%s', async (_, script) => expectEnd(await outcomeOf(script), delivered));
});

describe('a refusal of the message or the recipient', () => {
  test.each<[string, string, End]>([
    ['a mailbox that does not exist', '550 5.1.1 No such user', bounced('bad-address', 'Permanent NoEmail')],
    ['one that does not, in words only', '550 User unknown', bounced('bad-address', 'Permanent NoEmail')],
    ['a disabled mailbox', '550 5.2.1 Account disabled', bounced('bad-address', 'Permanent NoEmail')],
    ['a full mailbox, for good', '552 5.2.2 Mailbox full', bounced('mailbox-full', 'Transient MailboxFull')],
    ['a full mailbox, for now', '452 4.2.2 Over quota', later('mailbox-full')],
    ['greylisting', '450 4.7.1 Greylisted, come back', later('greylisting')],
    ['greylisting with 5yz', '550 5.7.1 Greylisted, come back', later('greylisting')],
    ['too many recipients with 5yz', '552 5.5.3 Too many recipients', later('rate')],
    ['a rate limit', '450 4.2.1 Receiving mail too quickly', later('rate')],
    ['a blocklist', '550 5.7.1 Blocked, see Spamhaus', bounced('reputation', 'Transient General')],
    ['a blocklist that says 5.1.1', '550 5.1.1 Listed at zen.spamhaus.org', bounced('reputation', 'Transient General')],
    ['a policy', '550 5.7.1 Not allowed', bounced('policy', 'Permanent General')],
    ['DMARC', '550 5.7.26 Unauthenticated mail', bounced('policy', 'Permanent General')],
    ['relaying', '554 5.7.1 Relay access denied', bounced('policy', 'Permanent General')],
    ['spam', '554 5.7.1 This is spam', bounced('content', 'Transient ContentRejected')],
    ['a virus', '554 5.6.0 Virus found', bounced('content', 'Transient ContentRejected')],
    ['an attachment', '552 5.7.0 Attachment not allowed', bounced('attachment', 'Transient AttachmentRejected')],
    ['a size', '552 5.3.4 Message too big', bounced('too-large', 'Transient MessageTooLarge')],
    ['no words at all', '550 Go away', bounced('unknown', 'Permanent General')],
    ['missing credentials', '530 5.7.0 Authenticate first', later('our-fault')],
    ['our missing name', '550 5.7.25 No PTR record', bounced('our-fault', 'Transient General')],
    ['a nameless trouble of its own', '451 4.3.0 Try later', later('unknown')],
  ])('%s, at RCPT and at the final dot', async (_, text, end) => {
    expectEnd(await outcomeOf({ rcpt: reply(text), data: reply('554 5.5.1 No valid recipients') }), end);
    expectEnd(await outcomeOf({ dot: reply(text) }), end);
    expectEnd(await outcomeOf({ ehlo: ehlo('8BITMIME'), rcpt: reply(text) }), end);
  });
});

describe('a conversation that breaks off', () => {
  const broken: readonly [string, Act, End][] = [
    ['a hang-up', disconnect, later()],
    ['silence', silence, later()],
    ['421', replyAndDisconnect('421 4.3.2 Going down'), later('rate')],
    ['nonsense', reply('what?'), later()],
    ['an endless reply', endless('250-x\r\n'), later()],
  ];
  const phases: readonly ServerPhase[] = ['mail', 'rcpt', 'data'];
  const cases = phases.flatMap((phase) => broken.map(([name, act, end]) => [name, phase, act, end] as const));

  test.each(cases)('%s at %s', async (_, phase, act, end) => {
    expectEnd(await outcomeOf({ [phase]: act }), end);
  });

  test.each<[string, Act]>([
    ['a hang-up', disconnect],
    ['silence', silence],
    ['nonsense', reply('what?')],
  ])('%s in place of the final reply leaves the outcome unknown', async (_, act) => {
    expectEnd(await outcomeOf({ dot: act }), unknown);
  });

  test('421 in place of the final reply is an answer', async () => {
    expectEnd(await outcomeOf({ dot: replyAndDisconnect('421 4.3.2 Going down') }), later('rate'));
  });

  const large = Buffer.alloc(8 * 1024 * 1024, `${'x'.repeat(62)}\r\n`);
  test.each<[string, Act, End]>([
    ['a hang-up', interrupt('354 Go', 100_000), later()],
    ['a refusal', interrupt('354 Go', 100_000, '552 5.3.4 Too big'), bounced('too-large', 'Transient MessageTooLarge')],
    ['a server that reads no more', stopReading('354 Go'), later()],
  ])('%s in the middle of the content', async (_, act, end) => {
    expectEnd(await outcomeOf({ ehlo: ehlo('8BITMIME'), data: act }, large), end);
  });
});

import { beforeEach, expect, it } from '@jest/globals';
import { newId, Notice } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { clean } from '../../../../test/support/fakes/in-memory-receiving.js';
import { Verdicts } from '../domain/verdicts.js';
import { ReceivedContents } from './ports/received-contents.port.js';
import { ServiceMailboxes, ServiceMessage } from './ports/service-mailbox.port.js';
import { PostmasterAddresses, PostmasterMailbox } from './postmaster-mailbox.js';

const names = { regions: ['eu', 'us'], hostsOf: (region: string) => ({ host: `Mail.${region}.test` }) };
let notices: Notice[];
let operator: string | undefined;
let hosted: string[];
let text: string;
let clock: FakeClock;
let mailbox: PostmasterMailbox;

beforeEach(() => {
  [notices, operator, hosted, text] = [[], 'ops@example.test', [], 'Your server sends spam.'];
  clock = new FakeClock();
  const port = {
    get operator() {
      return operator;
    },
    sender: undefined,
    announce: async (notice: Notice) => void notices.push(notice),
  };
  const domains = { find: async (name: string) => (hosted.includes(name) ? { name } : undefined) };
  mailbox = new PostmasterMailbox(
    new ServiceMailboxes(),
    new PostmasterAddresses(names as never, domains as never, port),
    port,
    { textOf: async () => text } as unknown as ReceivedContents,
    { refusals: { enforcesDmarc: true, refusesSpam: true, refusesViruses: true }, maxScans: 1 },
    clock,
  );
});

function message(subject = 'Spam', verdicts: Partial<Verdicts> = {}): ServiceMessage {
  const attachments = [{ filename: 'spam.eml', contentType: 'message/rfc822' }];
  return {
    id: newId(),
    digest: subject,
    recipient: 'abuse@mail.eu.test',
    mailFrom: 'ann@customer.test',
    network: 'n',
    hops: 1,
    isAutomatic: false,
    facts: { from: 'ann@customer.test', authors: ['ann@customer.test'], messageId: '', subject, attachments } as never,
    verdicts: { ...clean, ...verdicts },
    content: new Uint8Array(),
  };
}

it('takes mail for the postmaster at each host of the service, and for the one without a domain', async () => {
  for (const address of ['postmaster', 'PostMaster@mail.eu.test', 'abuse@MAIL.us.test']) {
    expect(await mailbox.accepts(address)).toBe(true);
  }
  for (const address of ['ann@mail.eu.test', 'postmaster@eu.test', 'postmaster@', 'abuse']) {
    expect(await mailbox.accepts(address)).toBe(false);
  }
});

it('takes none where nobody would read it, or where a team has the host as its domain', async () => {
  hosted = ['mail.eu.test'];
  expect(await mailbox.accepts('postmaster@mail.eu.test')).toBe(false);
  expect(await mailbox.accepts('postmaster@mail.us.test')).toBe(true);
  operator = undefined;
  expect(await mailbox.accepts('postmaster@mail.us.test')).toBe(false);
  operator = 'Postmaster@mail.us.test';
  expect(await mailbox.accepts('postmaster@mail.us.test')).toBe(false);
});

it('the operator gets the text, who wrote it, and how far that is proven', async () => {
  await mailbox.take(message('Spam'));
  const subject = 'To abuse@mail.eu.test: Spam';
  expect(notices).toEqual([
    { key: 'postmaster Spam', subject, text: expect.stringContaining(text), isByMailOnly: true },
  ]);
  expect(notices[0]?.text).toContain('From: ann@customer.test\n');
  expect(notices[0]?.text).toContain('SPF pass, DKIM none, DMARC none');
  expect(notices[0]?.text).toContain('not passed on: spam.eml');
});

it('long and odd texts are cut and made storable', async () => {
  text = `a\0${'\ud83d'}${'x'.repeat(100_000)}`;
  await mailbox.take(message('s'.repeat(5_000)));
  const [notice] = notices as [Notice];
  expect(notice.text.length).toBeLessThan(33_000);
  expect(notice.text).toContain('(The rest is cut off.)');
  expect(notice.text.isWellFormed() && !notice.text.includes('\0')).toBe(true);
  expect(notice.subject.length).toBeLessThan(300);
});

it('forged mail is refused as for everybody, and a flood is told to come back', async () => {
  const forged = { dmarc: { result: 'fail', domain: 'bank.test', policy: 'reject', alignedBy: [] } } as const;
  await expect(mailbox.take(message('x', forged))).rejects.toMatchObject({ replyCode: 550 });
  for (let count = 0; count < 60; count++) await mailbox.take(message(String(count)));
  await expect(mailbox.take(message('more'))).rejects.toMatchObject({ kind: 'unavailable' });
  clock.advance(60 * 60_000);
  await mailbox.take(message('later'));
  expect(notices).toHaveLength(61);
});

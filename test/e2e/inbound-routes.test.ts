import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authenticate } from 'mailauth';
import { AuthorSignature } from '../support/servers/author-signature.js';
import { dkimpy } from '../support/servers/dkimpy.js';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { resolverOf } from '../support/servers/mailauth-resolver.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { TeamHost } from '../support/programs/team-host.js';
import { until } from '../support/runner/until.js';

if (dkimpy === undefined) console.log('dkimpy is not installed: only mailauth verifies the seals in these tests');

const author = new AuthorSignature('customer.test');
let inbound: InboundProgram;

beforeAll(async () => {
  inbound = await InboundProgram.start();
  const { dns } = inbound;
  // An author with a strict policy, whose server is this machine.
  dns.set('customer.test', { txt: ['v=spf1 ip4:127.0.0.1 -all'] });
  dns.set('_dmarc.customer.test', { txt: ['v=DMARC1; p=reject; adkim=s'] });
  dns.set('s1._domainkey.customer.test', author.record);
  dns.set('mail.service.test', { a: ['192.0.2.1'] });
});
afterAll(() => inbound.stop());

async function api(method: string, path: string, body?: unknown, key?: string) {
  const response = await inbound.program.request(path, {
    method,
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as ParsedJson };
}

async function route(recipient: string, action: object, fields: object = {}): Promise<string> {
  const { status, body } = await api('POST', '/routes', { recipient, action, ...fields });
  expect(status).toBe(201);
  return body.id as string;
}

const signed = (text: string): Promise<Buffer> => author.sign(Buffer.from(text.replace(/\r?\n/g, '\r\n')));

const letter = (subject: string, more = ''): string =>
  `From: Ada <ada@customer.test>\nTo: support@acme.test\nSubject: ${subject}\nMessage-ID: <${subject.replace(/\W/g, '')}@customer.test>\nDate: Sun, 22 Nov 2026 10:00:00 +0000\n${more}\nHello.\n.\nBye.\n`;

const delivered = (address: string) =>
  inbound.program.transport.delivered.filter(({ recipients }) => recipients.includes(address));

async function forwarded(address: string, count = 1) {
  await until(() => delivered(address).length >= count);
  return delivered(address).at(-1) as ReturnType<typeof delivered>[number];
}

const routingOf = async (id: string) =>
  (await api('GET', `/emails/receiving/${id}/routing`)).body.data as unknown as Record<string, unknown>[];

describe('a forwarded message', () => {
  let original: Buffer;
  let copy: Awaited<ReturnType<typeof forwarded>>;

  beforeAll(async () => {
    await route('fwd@acme.test', { type: 'forward', to: ['bob@home.test'] });
    original = await signed(letter('Question'));
    await inbound.received(original, { to: 'fwd@acme.test' });
    copy = await forwarded('bob@home.test');
  });

  it('is the same, byte for byte, behind the header fields that were added', () => {
    const bytes = Buffer.from(copy.content);
    expect(bytes.subarray(-original.length)).toEqual(original);
    const added = bytes.subarray(0, -original.length).toString();
    expect(added).toMatch(/^ARC-Seal: /i);
    expect(added).toContain('\r\nDelivered-To: fwd@acme.test\r\nReceived: from ');
    expect(added).not.toMatch(/^Return-Path:/im);
  });

  it('passes DMARC by the signature of its author, and SPF by the rewritten sender', async () => {
    expect(copy.mailFrom).toMatch(/^SRS0=[a-z2-7]{16}=[a-z2-7]{2}=customer\.test=ada@send\.acme\.test$/);
    const verdict = await authenticate(Buffer.from(copy.content), {
      ip: '192.0.2.1',
      helo: 'mail.service.test',
      sender: copy.mailFrom,
      mta: 'mx.home.test',
      resolver: resolverOf(inbound.dns),
      disableBimi: true,
    });
    expect(verdict.spf).toMatchObject({ domain: 'send.acme.test', status: { result: 'pass' } });
    expect(verdict.dkim.results).toContainEqual(
      expect.objectContaining({ signingDomain: 'customer.test', status: expect.objectContaining({ result: 'pass' }) }),
    );
    expect(verdict.dmarc).toMatchObject({ status: { result: 'pass' } });
  });

  it('has a seal that mailauth and dkimpy accept, with our verdicts', async () => {
    const verdict = await authenticate(Buffer.from(copy.content), {
      ip: '192.0.2.1',
      sender: copy.mailFrom,
      resolver: resolverOf(inbound.dns),
      disableBimi: true,
    });
    expect(verdict.arc).toMatchObject({ i: 1, status: { result: 'pass' } });
    expect(verdict.arc).toMatchObject({
      authenticationResults: { spf: { result: 'pass' }, dmarc: { result: 'pass' } },
    });
    if (dkimpy === undefined) return;
    const name = 'postrider._domainkey.acme.test';
    const [key = ''] = await inbound.dns.txt(name);
    expect(await dkimpy.verifyArc(copy.content, { [name]: key })).toMatch(/^pass/);
  });

  it('is sealed again behind a seal that is intact', async () => {
    await route('second@acme.test', { type: 'forward', to: ['carol@home.test'] });
    await inbound.received(Buffer.from(copy.content), { to: 'second@acme.test', from: 'x@other.test' });
    const twice = await forwarded('carol@home.test');
    const verdict = await authenticate(Buffer.from(twice.content), {
      ip: '192.0.2.1',
      sender: '',
      resolver: resolverOf(inbound.dns),
      disableBimi: true,
    });
    expect(verdict.arc).toMatchObject({ i: 2, status: { result: 'pass' } });
    // The sender is not proven, so a bounce would hit a stranger: it comes to us.
    expect(twice.mailFrom).toMatch(/^bounces\+[a-z2-7]{45}@send\.acme\.test$/);
  });

  it('is an email of the team, told of by its own events, and the route shows it', async () => {
    const id = await inbound.received(await signed(letter('Shown')), { to: 'fwd@acme.test' });
    await until(async () => (await routingOf(id)).length === 1);
    const [result] = await routingOf(id);
    expect(result).toMatchObject({ action: 'forward', target: 'bob@home.test', outcome: 'done' });
    const sent = () => api('GET', `/emails/${String(result?.email_id)}`);
    await until(async () => (await sent()).body.last_event === 'delivered');
    expect((await sent()).body).toMatchObject({ from: 'ada@customer.test', text: expect.stringContaining('Bye.') });
    expect((await api('GET', '/emails/receiving/0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31/routing')).status).toBe(404);
  });

  it('with the null sender keeps it, and one of a program bounces to nobody', async () => {
    await inbound.received(await signed(letter('Bounce')), { to: 'fwd@acme.test', from: '' });
    await until(() => delivered('bob@home.test').some(({ mailFrom }) => mailFrom === ''));
    const automatic = await signed(letter('Away', 'Auto-Submitted: auto-replied\n'));
    await inbound.received(automatic, { to: 'fwd@acme.test' });
    await until(() => delivered('bob@home.test').some(({ content }) => Buffer.from(content).includes('Subject: Away')));
    const away = delivered('bob@home.test').find(({ content }) => Buffer.from(content).includes('Subject: Away'));
    expect(away?.mailFrom).toMatch(/^bounces\+/);
  });
});

describe('a bounce of a forwarded message', () => {
  const bounceOf = (to: string): string =>
    `From: MAILER-DAEMON@home.test\nTo: <${to}>\nSubject: Undelivered\nAuto-Submitted: auto-replied\n\nNo such user.\n`;

  it('goes on to the author, with the null sender', async () => {
    const rewritten = delivered('bob@home.test').find(({ mailFrom }) => mailFrom.startsWith('SRS0='))?.mailFrom ?? '';
    const bounce = bounceOf(rewritten);
    expect(await inbound.bring(bounce, { to: rewritten, from: '' })).toMatch(/^250/);
    expect(await inbound.bring(bounce, { to: rewritten.toLowerCase(), from: '' })).toMatch(/^250/);
    const back = await forwarded('ada@customer.test');
    expect(back.mailFrom).toBe('');
    expect(Buffer.from(back.content).toString()).toContain('No such user.');
    const listed = await api('GET', '/emails/receiving');
    expect(JSON.stringify(listed.body)).not.toContain('Undelivered');
  });

  it('is refused where it is no bounce, or the address is not ours', async () => {
    const { mailFrom } = delivered('bob@home.test').find((message) => message.mailFrom.startsWith('SRS0=')) ?? {
      mailFrom: '',
    };
    expect(await inbound.bring(letter('Spam'), { to: mailFrom, from: 'eve@evil.test' })).toMatch(/^550 5\.7\.1/);
    expect(await inbound.bring(letter('Spam'), { to: mailFrom.replace('=ada@', '=eve@'), from: '' })).toMatch(/^550/);
    expect(await inbound.bring(letter('Spam'), { to: mailFrom.replace('send.', 'bounce.'), from: '' })).toMatch(/^550/);
  });
});

describe('loops', () => {
  it('of two addresses that forward to each other end', async () => {
    await route('ping@acme.test', { type: 'forward', to: ['pong@acme.test'] });
    await route('pong@acme.test', { type: 'forward', to: ['ping@acme.test'] });
    await inbound.received(await signed(letter('Loop')), { to: 'ping@acme.test' });
    const passes = async () => {
      const { data } = (await api('GET', '/emails/receiving?limit=100')).body as {
        data?: { id: string; subject: string; received_for: string[] }[];
      };
      return (data ?? []).filter(({ subject }) => subject === 'Loop');
    };
    await until(async () => (await passes()).length === 2);
    const [last] = await passes();
    await until(async () => (await routingOf(last?.id ?? '')).length === 1);
    expect(await routingOf(last?.id ?? '')).toMatchObject([
      { outcome: 'loop', detail: 'The message was delivered to ping@acme.test before' },
    ]);
    expect(await passes()).toHaveLength(2);
  });

  it('through servers that remove our mark end by the number of servers', async () => {
    const hops = Array.from(
      { length: 31 },
      (_, n) => `Received: from a${n}.test by b${n}.test; Sun, 22 Nov 2026 10:00:00 +0000`,
    );
    const id = await inbound.received(`${hops.join('\n')}\n${letter('Far')}`, { to: 'fwd@acme.test' });
    await until(async () => (await routingOf(id)).length === 1);
    expect(await routingOf(id)).toMatchObject([{ outcome: 'loop', detail: 'The message has passed 31 servers' }]);
  });
});

describe('routes', () => {
  it('refuse, drop, and choose by the header', async () => {
    await route('gone@acme.test', { type: 'reject', text: 'Ann has left' });
    expect(await inbound.bring(letter('x'), { to: 'gone@acme.test' })).toMatch(/^550 5\.1\.1 Ann has left/);
    await route('hole+*@acme.test', { type: 'drop' });
    const dropped = await inbound.bring(letter('Dropped'), { to: 'hole+1@acme.test' });
    expect(dropped).toMatch(/^250/);
    await route(
      'sorted@acme.test',
      { type: 'forward', to: ['invoices@home.test'] },
      {
        conditions: [{ header: 'Subject', test: 'starts_with', value: 'invoice' }],
      },
    );
    await inbound.received(letter('Offer'), { to: 'sorted@acme.test' });
    await inbound.received(letter('Invoice'), { to: 'sorted@acme.test' });
    const invoice = await forwarded('invoices@home.test');
    expect(Buffer.from(invoice.content).toString()).toContain('Subject: Invoice');
    expect(delivered('invoices@home.test')).toHaveLength(1);
    expect(JSON.stringify((await api('GET', '/emails/receiving?limit=100')).body)).not.toContain('Dropped');
  });

  it('hand a message to a host over LMTP and SMTP, once each', async () => {
    const sink = await TeamHost.listen({ lmtp: true });
    const plain = await TeamHost.listen({});
    try {
      await route('box@acme.test', { type: 'lmtp', host: '127.0.0.1', port: sink.port }, { continue: true });
      await route('box@acme.test', { type: 'smtp', host: '127.0.0.1', port: plain.port });
      const original = await signed(letter('Box'));
      const id = await inbound.received(original, { to: 'box@acme.test' });
      await until(async () => (await routingOf(id)).length === 2);
      expect(await routingOf(id)).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
      for (const { messages, commands } of [sink, plain]) {
        expect(messages).toHaveLength(1);
        expect(messages[0]?.subarray(-original.length)).toEqual(original);
        expect(commands).toEqual(
          expect.arrayContaining([expect.stringMatching(/^MAIL FROM:<ada@customer\.test>/), 'RCPT TO:<box@acme.test>']),
        );
      }
      expect([sink.commands[0], plain.commands[0]]).toEqual([
        expect.stringMatching(/^LHLO /),
        expect.stringMatching(/^EHLO /),
      ]);
    } finally {
      await Promise.all([sink.close(), plain.close()]);
    }
  });

  it('are managed over HTTP, each team its own, in an explicit order', async () => {
    const first = await route('*@order.test', { type: 'webhook' });
    const second = await route('*@order.test', { type: 'drop' }, { position: 1, name: 'Before' });
    const order = async () =>
      ((await api('GET', '/routes?limit=100')).body.data as unknown as { id: string; position: number }[]).map(
        ({ id }) => id,
      );
    expect((await order())[0]).toBe(second);
    expect((await api('PATCH', `/routes/${first}`, { position: 1, continue: true })).body).toMatchObject({
      position: 1,
      continue: true,
    });
    expect((await order()).slice(0, 2)).toEqual([first, second]);
    expect((await api('GET', `/routes/${second}`)).body).toMatchObject({ object: 'route', name: 'Before' });
    const { apiKey } = await addSecondTeam(inbound.program.postrider.app);
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as [string, object?][]) {
      expect((await api(method, `/routes/${first}`, body, apiKey)).status).toBe(404);
    }
    for (const id of [first, second])
      expect((await api('DELETE', `/routes/${id}`)).body).toMatchObject({ deleted: true });
  });

  it('are explained as they then act', async () => {
    const explain = async (recipient: string, headers = {}) =>
      (await api('POST', '/routes/explain', { recipient, headers })).body;
    expect(await explain('gone@acme.test')).toMatchObject({ outcome: 'rejected', reply: '550 5.1.1 Ann has left' });
    expect(await explain('sorted@acme.test', { Subject: 'Invoice 1' })).toMatchObject({
      outcome: 'accepted',
      actions: [{ type: 'forward', to: ['invoices@home.test'], problem: null }],
    });
    expect(await explain('sorted@acme.test')).toMatchObject({ actions: [{ type: 'webhook', route_id: null }] });
    expect(await explain('dmarc-reports@send.acme.test')).toMatchObject({ outcome: 'report' });
  });
});

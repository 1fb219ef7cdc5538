import { generateKeyPairSync } from 'node:crypto';
import { createServer as createHttpServer, IncomingMessage, Server as HttpServer } from 'node:http';
import { AddressInfo, createServer, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import nodemailer from 'nodemailer';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { until } from '../support/runner/until.js';

let inbound: InboundProgram;
let rspamd: HttpServer;
let clamd: Server;
let scored: { headers: IncomingMessage['headers']; body: string }[];
let answer: unknown;
let scannerSays: string;

const portOf = (server: HttpServer | Server): number => (server.address() as AddressInfo).port;

/** Speaks the protocol of Rspamd. */
function startRspamd(): Promise<HttpServer> {
  const server = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    request.on('end', () => {
      scored.push({ headers: request.headers, body });
      if (answer === undefined) response.destroy();
      else response.end(JSON.stringify(answer));
    });
  });
  return new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(server)));
}

/** Speaks the protocol of clamd: INSTREAM. */
function startClamd(): Promise<Server> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.subarray(-4).equals(Buffer.alloc(4))) socket.end(`${scannerSays}\0`);
    });
  });
  return new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(server)));
}

beforeAll(async () => {
  scored = [];
  answer = { score: 1.5, required_score: 15, action: 'no action', symbols: { MIME_GOOD: { score: -0.1 } } };
  scannerSays = 'stream: OK';
  [rspamd, clamd] = await Promise.all([startRspamd(), startClamd()]);
  inbound = await InboundProgram.start({
    RSPAMD_URL: `http://127.0.0.1:${portOf(rspamd)}`,
    CLAMAV_URL: `tcp://127.0.0.1:${portOf(clamd)}`,
    INBOUND_SPAM: 'reject',
  });
});
afterAll(async () => {
  await inbound.stop();
  rspamd.close();
  clamd.close();
});

const verdictsOf = async (id: string) =>
  (await inbound.get(`/emails/receiving/${id}`)).body.verdicts as Record<string, Record<string, unknown>>;

describe('recipients', () => {
  it('are decided one by one, and nothing is relayed', async () => {
    const client = await inbound.open();
    await client.ask('EHLO mx.customer.test');
    await client.ask('MAIL FROM:<ada@customer.test>');
    expect(await client.ask('RCPT TO:<someone@elsewhere.test>')).toMatch(/^550 5\.7\.1/);
    expect(await client.ask('RCPT TO:<@acme.test:someone@elsewhere.test>')).toMatch(/^5/);
    expect(await client.ask('RCPT TO:<someone%elsewhere.test@acme.test>')).toMatch(/^550 5\.7\.1/);
    expect(await client.ask('RCPT TO:<support@sub.acme.test>')).toMatch(/^550 5\.7\.1/);
    expect(await client.ask('RCPT TO:<Support@ACME.test>')).toMatch(/^250/);
    // A report and mail for a team have replies of their own.
    expect(await client.ask('RCPT TO:<fbl@mail.service.test>')).toMatch(/^452 4\.5\.3/);
    await client.ask('RSET');
    await client.ask('MAIL FROM:<>');
    expect(await client.ask('RCPT TO:<fbl@mail.service.test>')).toMatch(/^250/);
    expect(await client.ask('RCPT TO:<support@acme.test>')).toMatch(/^452 4\.5\.3/);
    client.drop();
    expect(inbound.program.transport.delivered).toEqual([]);
  });

  it('of a domain whose records were never seen are told to come back', async () => {
    await inbound.resend.domains.create({ name: 'unseen.test', capabilities: { receiving: 'enabled' } });
    expect(await inbound.bring('Subject: x\n\n.\n', { to: 'a@unseen.test' })).toMatch(/^451 4\.7\.1/);
    await inbound.resend.domains.create({ name: 'sends-only.test' });
    expect(await inbound.bring('Subject: x\n\n.\n', { to: 'a@sends-only.test' })).toMatch(/^550 5\.7\.1/);
  });

  it('beyond a hundred are to be sent in the next transaction', async () => {
    const client = await inbound.open();
    await client.ask('EHLO mx.customer.test');
    await client.ask('MAIL FROM:<ada@customer.test>');
    const replies: string[] = [];
    for (let count = 0; count < 102; count++) replies.push(await client.ask(`RCPT TO:<r${count}@acme.test>`));
    expect(replies.slice(0, 100).every((reply) => reply.startsWith('250'))).toBe(true);
    expect(replies.slice(100).every((reply) => reply.startsWith('452'))).toBe(true);
    client.drop();
  });
});

describe('a message', () => {
  it('comes from nodemailer over TLS, with an address beyond ASCII', async () => {
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port: inbound.port,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    });
    const sent = await transport.sendMail({
      from: 'Jürgen <jürgen@customer.test>',
      to: 'größe@acme.test',
      subject: 'Grüße',
      text: 'Straße',
      attachments: [{ filename: 'a.txt', content: 'a' }],
    });
    const id = /OK: (\S+)/.exec(sent.response)?.[1] ?? '';
    expect((await inbound.get(`/emails/receiving/${id}`)).body).toMatchObject({
      received_for: ['größe@acme.test'],
      from: 'jürgen@customer.test',
      subject: 'Grüße',
      text: expect.stringContaining('Straße'),
    });
  });

  it('that passed too many servers is in a loop, and one with lone line breaks is refused', async () => {
    expect(await inbound.bring(`${'Received: from a by b\n'.repeat(51)}Subject: x\n\n.\n`)).toMatch(/^554 5\.4\.6/);
    expect(await inbound.bring(Buffer.from('Subject: x\r\n\r\na\nb\r\n'))).toMatch(/^550 5\.6\.0/);
  });

  it('keeps the results of others and loses those that claim to be ours', async () => {
    const forged = 'Authentication-Results: (a) Mail.Service.Test/1; dmarc=pass\n';
    const others = 'Authentication-Results: other.test; spf=fail\n';
    const id = await inbound.received(
      `${forged}${others}Authentication-Results:\n mail.service.test;\n spf=pass\nSubject: x\n\n.\n`,
    );
    const source = (await inbound.source(id)).toString();
    expect(source.match(/Authentication-Results:/g)).toHaveLength(2);
    expect(source).toContain('Authentication-Results: other.test; spf=fail\r\nSubject: x\r\n\r\n.\r\n');
    expect(source).not.toContain('dmarc=pass');
  });

  it('is scored and scanned, and is accepted where nobody responds', async () => {
    scored = [];
    const id = await inbound.received('Subject: scored\n\n.\n');
    expect(scored[0]).toMatchObject({
      headers: { ip: '127.0.0.1', helo: 'mx.customer.test', from: 'ada@customer.test', rcpt: 'support@acme.test' },
      body: 'Subject: scored\r\n\r\n.\r\n',
    });
    expect(await verdictsOf(id)).toMatchObject({
      spam: { score: 1.5, required_score: 15, is_spam: false, symbols: { MIME_GOOD: -0.1 } },
      virus: { result: 'clean' },
    });
    answer = undefined;
    scannerSays = 'INSTREAM size limit exceeded. ERROR';
    const unscored = await inbound.received('Subject: unscored\n\n.\n');
    expect(await verdictsOf(unscored)).toMatchObject({ spam: null, virus: { result: 'unscanned' } });
    answer = { score: 20, required_score: 15, action: 'reject', symbols: {} };
    scannerSays = 'stream: OK';
    expect(await inbound.bring('Subject: spam\n\n.\n')).toMatch(/^550 5\.7\.1 .*spam/);
    answer = { score: 0, action: 'no action' };
    scannerSays = 'stream: Eicar-Test-Signature FOUND';
    expect(await inbound.bring('Subject: virus\n\n.\n')).toMatch(/^550 5\.7\.1 .*Eicar-Test-Signature/);
    scannerSays = 'stream: OK';
  });

  it('is large and is read back byte for byte', async () => {
    const body = 'All work and no play makes Jack a dull boy. \r\n'.repeat(70_000);
    const large = Buffer.from(`From: a@b.test\r\nSubject: large\r\n\r\n${body}`);
    const id = await inbound.received(large);
    expect((await inbound.source(id)).subarray(-large.length).equals(large)).toBe(true);
    expect((await inbound.get(`/emails/receiving/${id}`)).body).toMatchObject({ subject: 'large', size: large.length });
  });
});

describe('the origin of a message', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  let count = 0;
  /** Each case has names of its own, because answers of the DNS are kept for a minute. */
  const domain = (records: { spf?: string; dmarc?: string; name?: string }): string => {
    const name = records.name ?? `sender${count++}.test`;
    inbound.dns.set(name, { txt: records.spf === undefined ? [] : [records.spf] });
    inbound.dns.set(`key._domainkey.${name}`, { txt: [`v=DKIM1; k=rsa; p=${p}`] });
    if (records.dmarc !== undefined) inbound.dns.set(`_dmarc.${name}`, { txt: [records.dmarc] });
    return name;
  };
  /** A message of this domain, signed with its key. */
  const signed = async (from: string, signer = from, text = 'signed'): Promise<string> => {
    const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
    const { message } = await transport.sendMail({
      from: `ada@${from}`,
      to: 'support@acme.test',
      subject: 'Signed',
      text,
      dkim: { domainName: signer, keySelector: 'key', privateKey: pem },
    });
    return (message as Buffer).toString();
  };

  it('passes by SPF and DKIM', async () => {
    const name = domain({ spf: 'v=spf1 ip4:127.0.9.9 -all', dmarc: 'v=DMARC1; p=reject' });
    inbound.dns.set('127.0.9.9', { ptr: [`mx.${name}`] });
    inbound.dns.set(`mx.${name}`, { a: ['127.0.9.9'] });
    const id = await inbound.received(await signed(name), { from: `ada@${name}`, localAddress: '127.0.9.9' });
    expect((await inbound.get(`/emails/receiving/${id}`)).body).toMatchObject({
      authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
      verdicts: {
        spf: { result: 'pass', domain: name },
        dkim: [{ result: 'pass', domain: name, selector: 'key', aligned: true }],
        dmarc: { result: 'pass', policy: 'reject', aligned_by: ['spf', 'dkim'] },
        fcrdns: { result: 'pass', name: `mx.${name}` },
      },
    });
  });

  it('is refused where its domain asks for it, and only there', async () => {
    const rejecting = domain({ spf: 'v=spf1 -all', dmarc: 'v=DMARC1; p=reject; adkim=s' });
    expect(await inbound.bring(`From: ceo@${rejecting}\nSubject: x\n\n.\n`)).toMatch(/^550 5\.7\.26 .*DMARC/);
    const altered = (await signed(rejecting)).replace('signed', 'altered');
    expect(await inbound.bring(altered)).toMatch(/^550 5\.7\.26/);
    // Strict alignment: the signature of a subdomain does not count.
    const sub = domain({ name: `sub.${rejecting}` });
    expect(await inbound.bring(await signed(rejecting, sub))).toMatch(/^550 5\.7\.26/);
    expect(await inbound.bring(await signed(rejecting))).toMatch(/^250/);
    // A subdomain without a policy of its own inherits it.
    expect(await inbound.bring(`From: ceo@other.${rejecting}\nSubject: x\n\n.\n`)).toMatch(/^550 5\.7\.26/);
    // A second author does not hide the first.
    const free = domain({});
    expect(await inbound.bring(`From: a@${free}, ceo@${rejecting}\nSubject: x\n\n.\n`)).toMatch(/^550 5\.7\.26/);
    const quarantining = domain({ dmarc: 'v=DMARC1; p=quarantine' });
    const id = await inbound.received(`From: ceo@${quarantining}\nSubject: x\n\n.\n`);
    expect(await verdictsOf(id)).toMatchObject({ dmarc: { result: 'fail', policy: 'quarantine' } });
    const testing = domain({ dmarc: 'v=DMARC1; p=reject; pct=0' });
    expect(await inbound.bring(`From: ceo@${testing}\nSubject: x\n\n.\n`)).toMatch(/^250/);
  });

  it('is not refused while the DNS is away', async () => {
    const name = domain({ spf: 'v=spf1 -all', dmarc: 'v=DMARC1; p=reject' });
    inbound.dns.fail(`key._domainkey.${name}`);
    const id = await inbound.received(await signed(name), { from: `ada@${name}` });
    expect(await verdictsOf(id)).toMatchObject({ dkim: [{ result: 'temperror' }], dmarc: { result: 'temperror' } });
  });
});

describe('mail between two domains that are hosted here', () => {
  let neighbours = 0;

  const deliveredTo = async (id: string): Promise<readonly (string | null)[]> => {
    const events = await inbound.program.request(`/emails/${id}/events`);
    const { data } = (await events.json()) as { data: readonly { type: string; recipient: string | null }[] };
    return data.filter(({ type }) => type === 'email.delivered').map(({ recipient }) => recipient);
  };

  it('goes straight in, and is delivered once it is durable', async () => {
    const name = `neighbour${++neighbours}.test`;
    await inbound.addDomain(name);
    const before = inbound.program.transport.delivered.length;
    const { data } = await inbound.resend.emails.send({
      from: `Hello <hello@${name}>`,
      to: ['support@acme.test', 'someone@elsewhere.test'],
      subject: 'Neighbours',
      text: 'Hi',
    });
    await until(async () => (await deliveredTo(data?.id ?? '')).includes('support@acme.test'));
    const { data: list } = await inbound.resend.emails.receiving.list({ limit: 1 });
    expect(list?.data[0]).toMatchObject({
      subject: 'Neighbours',
      from: `hello@${name}`,
      received_for: ['support@acme.test'],
      authentication: { spf: 'pass', dmarc: 'pass' },
    });
    await until(async () => (await deliveredTo(data?.id ?? '')).includes('someone@elsewhere.test'));
    const outside = inbound.program.transport.delivered.slice(before).flatMap(({ recipients }) => recipients);
    expect(outside).toEqual(['someone@elsewhere.test']);
  });
});

it('a message that is sent again after its 250 was lost is stored once, and one that is sent twice is stored twice', async () => {
  const message = 'From: again@customer.test\nMessage-ID: <again@customer.test>\nSubject: again\n\n.\n';
  const count = async () =>
    ((await inbound.get('/emails/receiving?from=again@customer.test')).body.data as unknown[]).length;
  const lost = await SmtpDialogue.open(inbound.port);
  await lost.ask('EHLO mx.customer.test');
  const reply = await lost.submit(
    'again@customer.test',
    'support@acme.test',
    message.replace(/\n/g, '\r\n').replace('\r\n.', '\r\n..'),
  );
  lost.drop();
  const id = await inbound.received(message, { from: 'again@customer.test' });
  expect(reply).toContain(id);
  expect(await count()).toBe(1);
  // The client has sent QUIT after that reply: the same bytes are now a new message.
  await until(async () => {
    await inbound.received(message, { from: 'again@customer.test' });
    return (await count()) === 2;
  });
});

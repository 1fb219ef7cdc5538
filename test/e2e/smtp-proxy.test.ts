import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { binaryProxyHeader, textProxyHeader } from '../support/builders/proxy-headers.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { submissionApiKey, SubmissionProgram } from '../support/programs/submission-program.js';
import { until } from '../support/runner/until.js';

let program: SubmissionProgram;

beforeAll(async () => {
  program = await SubmissionProgram.start({
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_PROXY_PROTOCOL: 'true',
    SMTP_CONNECTIONS_PER_ADDRESS: '2',
  });
});
afterAll(() => program.stop());

const headers = [
  ['in text', textProxyHeader],
  ['in binary', binaryProxyHeader],
] as const;

describe.each(headers)('a PROXY header %s', (_, headerOf) => {
  it.each(['starttls', 'tls'] as const)('names the client to which the limits apply: %s', async (mode) => {
    const open = (address: string): Promise<SmtpDialogue> =>
      SmtpDialogue.proxied(program.port(mode), headerOf(address, 40_000), mode === 'tls');
    const first = [await open('192.0.2.1'), await open('192.0.2.1')];
    // Over TLS there is no reply before the handshake.
    if (mode === 'tls') await expect(open('192.0.2.1')).rejects.toThrow('hung up');
    else {
      const third = SmtpDialogue.unread(program.port(mode));
      third.send(headerOf('192.0.2.1', 40_000));
      expect(await third.reply()).toMatch(/^421 4\.7\.0 Too many connections from your address/);
    }
    const others = [await open('192.0.2.2'), await open('2001:db8:0:0:0:0:0:1')];
    for (const client of others) expect(await client.ask('EHLO client.test')).toMatch(/^250/);
    for (const client of [...first, ...others]) client.drop();
    await until(async () => {
      const again = await open('192.0.2.1').catch(() => undefined);
      again?.drop();
      return again;
    });
  });

  it('may come byte by byte', async () => {
    const client = SmtpDialogue.unread(program.port('starttls'));
    for (const byte of headerOf('192.0.2.3', 1)) client.send(Buffer.of(byte));
    expect(await client.reply()).toMatch(/^220/);
    client.drop();
  });

  it('comes before mail that is accepted as usual', async () => {
    const client = await SmtpDialogue.proxied(program.port('tls'), headerOf('192.0.2.4', 1), true);
    await client.ask('EHLO client.test');
    expect(await client.logIn(submissionApiKey)).toMatch(/^235/);
    const content = 'From: a@sandbox.postrider.test\r\nTo: b@sink.test\r\nSubject: Proxied\r\n\r\nHello\r\n';
    expect(await client.submit('a@sandbox.postrider.test', 'b@sink.test', content)).toMatch(/^250/);
    client.drop();
  });
});

it('a health check of the proxy itself is greeted', async () => {
  const header = binaryProxyHeader('192.0.2.1', 1);
  header[12] = 0x20;
  const client = await SmtpDialogue.proxied(program.port('starttls'), header);
  expect(await client.ask('QUIT')).toMatch(/^221/);
});

it.each(['starttls', 'tls'] as const)('a connection of the proxy without a header is ended: %s', async (mode) => {
  const socket = connect({ port: program.port(mode), host: '127.0.0.1' });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write('EHLO client.test\r\n');
  await until(() => socket.closed);
  expect(text).toBe('');
});

it('a PROXY header of an untrusted client is refused', async () => {
  const socket = connect({ port: program.port('starttls'), host: '127.0.0.1', localAddress: '127.0.0.3' });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(textProxyHeader('192.0.2.1', 1));
  await until(() => text.includes('\r\n'));
  expect(text).toMatch(/^421 .* You talk too soon/);
  socket.destroy();
  const direct = await SmtpDialogue.open(program.port('starttls'), '127.0.0.3');
  expect(await direct.ask('EHLO client.test')).toMatch(/^250/);
  direct.drop();
});

it('the rule `allowed_ips` of an API key is about the client that the proxy names', async () => {
  const ask = (token: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${program.postrider.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    });
  const body = JSON.stringify({ name: 'Behind a proxy', allowed_ips: ['198.51.100.7'] });
  const made = await ask(submissionApiKey, '/api-keys', { method: 'POST', body });
  const { token } = (await made.json()) as { token: string };
  const statusFrom = async (chain: string): Promise<number> =>
    (await ask(token, '/domains', { headers: { 'x-forwarded-for': chain } })).status;
  expect(await statusFrom('198.51.100.7')).toBe(200);
  // What stands before it was sent by the client itself.
  expect(await statusFrom('198.51.100.7, 203.0.113.9')).toBe(403);
  expect((await ask(token, '/domains')).status).toBe(403);
  for (const [address, reply] of [
    ['198.51.100.7', /^235/],
    ['203.0.113.9', /^535 5\.7\.1/],
  ] as const) {
    const client = await SmtpDialogue.proxied(program.port('tls'), textProxyHeader(address, 1), true);
    await client.ask('EHLO client.test');
    expect(await client.logIn(token)).toMatch(reply);
    client.drop();
  }
});

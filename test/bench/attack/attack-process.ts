import { connect as connectTls } from 'node:tls';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { AttackPlan } from './attack-plan.js';
import { hostileMessages, hostileRequests } from './hostile-inputs.js';

/** Runs all attacks of the plan at once, in a separate process, until the parent disconnects. */
const plan = JSON.parse(process.argv[2] ?? '') as AttackPlan;

process.on('disconnect', () => process.exit(0));

const request = (path: string, body: string, apiKey = plan.apiKey): Promise<Response> =>
  fetch(`http://127.0.0.1:${plan.httpPort}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(30_000),
  });

/** Accepts connections and never sends anything. */
async function listenInSilence(): Promise<void> {
  for (const address of plan.silentAddresses) {
    const server = createServer((socket) => socket.on('error', () => socket.destroy()));
    await new Promise<void>((listening) => server.listen(plan.mxPort, address, listening));
  }
}

/** Sends three emails to each silent host. */
async function sendToSilentHosts(): Promise<void> {
  const recipients = plan.silentAddresses.flatMap((_, host) => [1, 2, 3].map((n) => `user${n}@silent${host}.test`));
  for (let from = 0; from < recipients.length; from += 100) {
    const emails = recipients
      .slice(from, from + 100)
      .map((to) => ({ from: plan.sender, to, subject: 'Hello', text: 'Hi' }));
    const response = await request('/emails/batch', JSON.stringify(emails));
    if (!response.ok) throw new Error(`The mail to silent hosts was refused: ${await response.text()}`);
  }
}

/** Announces 40 MB and sends a kilobyte per second; begins again when the connection is closed. */
async function drip(): Promise<never> {
  for (;;) {
    const socket = connect(plan.httpPort, '127.0.0.1');
    const isClosed = closed(socket);
    socket.write(
      `POST /emails HTTP/1.1\r\nHost: bench.test\r\nAuthorization: Bearer ${plan.apiKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 40000000\r\n\r\n{"html":"`,
    );
    while ((await Promise.race([isClosed, delay(1_000, 'open')])) === 'open') socket.write('x'.repeat(1_024));
    await delay(1_000);
  }
}

/** Sends another hostile input each second, with its own API key. */
async function misuse(apiKey: string, first: number): Promise<never> {
  for (let turn = first; ; turn++) {
    const message = hostileMessages[turn % hostileMessages.length] as string;
    const { path, body } = hostileRequests[turn % hostileRequests.length] as (typeof hostileRequests)[number];
    await (turn % 2 === 0 ? submit(apiKey, message) : request(path, body, apiKey).then((response) => response.text()))
      // A refusal or a closed connection is expected.
      .catch(() => undefined);
    await delay(1_000);
  }
}

/** Sends over SMTP with TLS, one message per connection. */
async function submit(apiKey: string, message: string): Promise<void> {
  const socket = connectTls({ port: plan.smtpPort, host: '127.0.0.1', rejectUnauthorized: false });
  const isClosed = closed(socket);
  const login = Buffer.from(`\0postrider\0${apiKey}`).toString('base64');
  const commands = ['EHLO attacker.test', `AUTH PLAIN ${login}`, `MAIL FROM:<${plan.address}>`];
  commands.push('RCPT TO:<user@silent0.test>', 'DATA', `${message}\r\n.`, 'QUIT');
  socket.on('data', (reply: Buffer) => {
    if (/^\d{3} .*\r\n$/m.test(reply.toString('latin1'))) socket.write(`${commands.shift() ?? 'QUIT'}\r\n`, 'latin1');
  });
  await Promise.race([isClosed, delay(20_000)]);
  socket.destroy();
}

/** Asks for it again and again. A refusal is expected. */
async function ask(method: string, path: string, body?: string): Promise<never> {
  for (;;) {
    const headers = { authorization: `Bearer ${plan.apiKey}`, 'content-type': 'application/json' };
    const answered = fetch(`http://127.0.0.1:${plan.httpPort}${path}`, { method, headers, body });
    await answered.then((response) => response.arrayBuffer()).catch(() => delay(100));
  }
}

/** Makes what is expensive to read, and begins to read it. */
async function readAll(): Promise<void> {
  const tag = '<p>{{{V0}}}</p>';
  const template = JSON.stringify({
    name: 'Large',
    html: tag.repeat(9_000).padEnd(1_000_000, 'x'),
    variables: [{ key: 'V0', type: 'string', fallback_value: 'x' }],
  });
  const made = (await (await request('/templates', template)).json()) as { id: string };
  const topic = { name: 'Topic', default_subscription: 'opt_in', junk: 'x'.repeat(900_000) };
  for (let n = 0; n < 30; n++) await request('/topics', JSON.stringify({ ...topic, name: `Topic ${n}` }));
  const condition = { header: 'subject', value: 'x'.repeat(490), not: true };
  const route = { recipient: 'r@attacker.test', conditions: Array(10).fill(condition), action: { type: 'drop' } };
  for (let n = 0; n < 100; n++) await request('/routes', JSON.stringify(route));
  const values = JSON.stringify({ variables: { V0: 'x'.repeat(100) } });
  for (let n = 0; n < plan.readers; n++) {
    void ask('GET', '/audit?limit=100');
    void ask('GET', '/emails/metrics?granularity=hourly&dimensions=period');
    void ask('GET', '/contacts?search=a');
    void ask('GET', '/emails?subject=nothing');
    void ask('POST', `/templates/${made.id}/preview`, values);
    void ask('POST', '/routes/explain', '{"recipient":"r@attacker.test","headers":{"Subject":"x"}}');
  }
}

function closed(socket: Socket): Promise<'closed'> {
  socket.on('error', () => socket.destroy());
  socket.resume();
  return new Promise((resolve) => socket.once('close', () => resolve('closed')));
}

async function makeKey(): Promise<string> {
  const response = await request('/api-keys', JSON.stringify({ name: 'hostile', permission: 'sending_access' }));
  return ((await response.json()) as { token: string }).token;
}

const keys = await Promise.all(Array.from({ length: plan.hostileKeys }, makeKey));
await listenInSilence();
await sendToSilentHosts();
await readAll();
for (let n = 0; n < plan.uploads; n++) void drip();
for (const [n, key] of keys.entries()) void misuse(key, n);
process.send?.('under way');

import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calmMs } from '../../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../../support/programs/hostile-program.js';
import { SmtpDialogue } from '../../../support/clients/smtp-dialogue.js';
import { until } from '../../../support/runner/until.js';

const attackMs = 1_500;
const connections = 30;

let hostile: HostileProgram;
beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+mx,127.0.0.1:0+tls' });
});
afterAll(() => hostile.stop());

const open = (): Promise<SmtpDialogue> => SmtpDialogue.open(hostile.program.smtpPorts[0] ?? 0);

/** Sends the bytes on each connection until the program ends it, and connects again. Returns the last line of each. */
async function flood(bytes: string): Promise<string[]> {
  const end = performance.now() + attackMs;
  const lastLines: string[] = [];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const client = await open();
        await client.ask('EHLO stranger.test');
        client.send(bytes);
        await client.ended();
        lastLines.push(client.unread.trimEnd().split('\r\n').at(-1) ?? '');
      }
    }),
  );
  return lastLines;
}

const transaction = 'MAIL FROM:<>\r\n';
const attacks: readonly [name: string, bytes: string, end: RegExp][] = [
  ['NOOP', 'NOOP\r\n'.repeat(2_000), /^421 4\.7\.0 Too many commands/],
  ['RSET', 'RSET\r\n'.repeat(2_000), /^421 4\.7\.0 Too many commands/],
  ['EHLO', 'EHLO stranger.test\r\n'.repeat(2_000), /^421 4\.7\.0 Too many commands/],
  ['RCPT', transaction + 'RCPT TO:<fbl@mail.service.test>\r\n'.repeat(2_000), /^421 4\.7\.0 Too many commands/],
  ['foreign recipients', transaction + 'RCPT TO:<a@b.test>\r\n'.repeat(2_000), /^421 4\.7\.0 Too many errors/],
  ['AUTH in clear', 'AUTH PLAIN AGEAYg==\r\n'.repeat(2_000), /^421 4\.7\.0 Too many errors/],
  ['unknown commands', 'XYZZY\r\n'.repeat(2_000), /^421 4\.7\.0 Error: too many unrecognized/],
  ['one endless command', 'x'.repeat(1_000_000), /^421 .*Command line too long/],
  ['spaces', `EHLO${' '.repeat(1_900)}x\r\n`.repeat(510), /^421 4\.7\.0 Too many/],
  ['colons', `MAIL FROM:${':'.repeat(16_000)}\r\n`.repeat(60), /^421 4\.7\.0 Too many/],
];

describe('a flood of', () => {
  it.each(attacks)('%s is ended, and delays nobody', async (_, bytes, end) => {
    const calm = await hostile.during(() => flood(bytes));

    expect(calm.result.length).toBeGreaterThan(0);
    for (const lastLines of calm.result) expect(lastLines).toMatch(end);
    expect(calm.failures).toEqual([]);
    expect(calm.slowestRequestMs).toBeLessThan(calmMs);
    expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  });
});

it('a client cannot renegotiate TLS', async () => {
  const port = hostile.program.smtpPorts[1] ?? 0;
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await until(() => text.startsWith('220'));
  let result: Error | null | undefined;
  socket.renegotiate({}, (error) => (result = error));
  await until(() => result instanceof Error || socket.destroyed);
  socket.destroy();
});

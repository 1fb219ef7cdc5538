import { expect } from '@jest/globals';
import { SmtpConnectionPool } from '../../../libs/smtp-client/src/protocol/smtp-connection-pool.js';
import type { SmtpPoolOptions } from '../../../libs/smtp-client/src/protocol/smtp-connection-pool.js';
import type { SmtpTimeouts } from '../../../libs/smtp-client/src/protocol/smtp-options.js';
import * as server from '../servers/scripted-smtp-server.js';
import { ScriptedSmtpServer } from '../servers/scripted-smtp-server.js';
import type { Script } from '../servers/scripted-smtp-server.js';

export const open: { close(): Promise<void> }[] = [];

/** Closes what `scripted` has opened. */
export async function closeScripted(): Promise<void> {
  for (const thing of open.splice(0).reverse()) await thing.close();
}

export const short = 60;
export const timeouts: SmtpTimeouts = {
  connect: short,
  banner: short,
  ehlo: short,
  starttls: short,
  auth: short,
  mail: short,
  rcpt: short,
  dataInitiation: short,
  dataBlock: short,
  dataTermination: short,
  quit: short,
  idle: 10_000,
};

export const patient = Object.fromEntries(
  Object.keys(timeouts).map((phase) => [phase, 10_000]),
) as unknown as SmtpTimeouts;

export async function scripted(
  script: Script,
  options: Partial<SmtpPoolOptions> = {},
): Promise<{ peer: ScriptedSmtpServer; pool: SmtpConnectionPool }> {
  const peer = await ScriptedSmtpServer.listen(script);
  const pool = new SmtpConnectionPool({
    host: '127.0.0.1',
    port: peer.port,
    hostName: 'mx.example.test',
    heloName: 'client.test',
    connections: 1,
    backOff: 1,
    timeouts: patient,
    ...options,
  });
  open.push(peer, pool);
  return { peer, pool };
}

export const verbs = (peer: ScriptedSmtpServer): string[] => peer.commands.map((line) => line.split(' ')[0] as string);
export const withoutPipelining = server.ehlo('8BITMIME');
export const deferred = (outcomeUnknown = false): unknown =>
  expect.objectContaining({ kind: 'deferred', outcomeUnknown });
export const bounced = expect.objectContaining({ kind: 'bounced' });
export const delivered = expect.objectContaining({ kind: 'delivered' });
export const large = Buffer.alloc(20 * 1024 * 1024, `${'x'.repeat(62)}\r\n`);

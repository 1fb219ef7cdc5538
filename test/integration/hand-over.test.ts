import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryDnsResolver } from '#domains';
import type { ServiceNames } from '#domains';
import type { Config } from '#platform/config';
import { HandOverRequest } from '../../libs/inbound-routes/src/application/ports/routed-messages.port.js';
import { SmtpHandOver } from '../../libs/inbound-routes/src/infrastructure/handover/smtp-hand-over.js';
import { TeamHost, TeamHostOptions } from '../support/programs/team-host.js';

const names = { regions: ['r'], hostsOf: () => ({ host: 'mail.service.test' }) } as unknown as ServiceNames;
const dns = new InMemoryDnsResolver();
const handOver = (allowPrivateDestinations: boolean): SmtpHandOver =>
  new SmtpHandOver(dns, names, { values: { allowPrivateDestinations } } as Config);
const hosts: TeamHost[] = [];

beforeAll(() => {
  dns.set('box.test', { a: ['127.0.0.1'] });
  dns.fail('away.test');
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});
afterAll(() => expect(hosts).toEqual([]));

async function aHost(options: TeamHostOptions = {}): Promise<TeamHost> {
  const host = await TeamHost.listen(options);
  hosts.push(host);
  return host;
}

const request = (fields: Partial<HandOverRequest> = {}): HandOverRequest => ({
  protocol: 'smtp',
  host: 'box.test',
  port: 25,
  mailFrom: 'ada@customer.test',
  recipient: 'box@acme.test',
  added: Buffer.from('Subject: x\r\n'),
  stuffed: Buffer.from('\r\n..\r\n...two\r\nend\r\n'),
  ...fields,
});

describe('a message is handed to a host of a team', () => {
  it.each(['smtp', 'lmtp'] as const)('over %s, byte for byte', async (protocol) => {
    const host = await aHost({ lmtp: protocol === 'lmtp' });
    const outcome = await handOver(true).deliver(request({ protocol, port: host.port }));
    expect(outcome).toEqual({ kind: 'delivered', detail: '250 2.0.0 kept' });
    expect(String(host.messages[0])).toBe('Subject: x\r\n\r\n.\r\n..two\r\nend\r\n');
  });

  it.each([
    ['550 5.1.1 no such box', 'refused'],
    ['451 4.3.0 later', 'failed'],
  ])('and its reply %p counts as %s', async (rcptReply, kind) => {
    const { port } = await aHost({ rcptReply });
    expect(await handOver(true).deliver(request({ port }))).toEqual({ kind, detail: rcptReply });
  });

  it('where the DNS knows its address, and it can be reached', async () => {
    const outcome = (host: string, port = 1) => handOver(true).deliver(request({ host, port }));
    expect(await outcome('away.test')).toMatchObject({ kind: 'failed', detail: expect.stringContaining('DNS') });
    expect(await outcome('nowhere.test')).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('no address'),
    });
    expect(await outcome('127.0.0.1')).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('and never to a private address without the permission of the operator', async () => {
    const { port, commands } = await aHost();
    for (const host of ['box.test', '127.0.0.1', '::1', '169.254.169.254']) {
      const outcome = await handOver(false).deliver(request({ host, port }));
      expect(outcome).toEqual({ kind: 'refused', detail: `${host} has a private address, to which no mail is sent` });
    }
    expect(commands).toEqual([]);
  });

  it('with a sender that cannot become a second command', async () => {
    const { port, commands } = await aHost();
    await handOver(true).deliver(request({ port, mailFrom: 'a@b.test>\r\nRCPT TO:<eve@evil.test' }));
    expect(commands.filter((command) => /^(?:MAIL|RCPT)/.test(command))).toEqual([
      'MAIL FROM:<>',
      'RCPT TO:<box@acme.test>',
    ]);
  });

  it('with addresses beyond ASCII only where the host takes them', async () => {
    const { port } = await aHost();
    const outcome = await handOver(true).deliver(request({ port, recipient: 'größe@acme.test' }));
    expect(outcome).toMatchObject({ kind: 'refused', detail: expect.stringContaining('ASCII') });
  });
});

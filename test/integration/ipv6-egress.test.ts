import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { InMemoryDnsResolver } from '#domains';
import { Config } from '#platform/config';
import { Ipv6Check } from '../../apps/server/src/doctor/checks/ipv6.check.js';
import { itUnless } from '../support/runner/unless.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

const reverse = '::1';
const isMissing = !Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const it = itUnless(isMissing ? 'this machine has no IPv6 loopback' : undefined);
let sink: SmtpSink | undefined;

beforeAll(async () => {
  if (!isMissing) sink = await SmtpSink.listen({ host: '::1' });
});

afterAll(() => sink?.close());

class OnPublicMachine extends Ipv6Check {
  protected override addressesOfMachine(): readonly string[] {
    return ['2a01:4f8::1'];
  }
}

async function levelsWith(write: (dns: InMemoryDnsResolver) => void, port = sink?.port ?? 0): Promise<unknown[]> {
  const dns = new InMemoryDnsResolver();
  dns.set('mx.test', { aaaa: ['::1'] });
  write(dns);
  const values = { deliveryTransport: 'mx', doctorSmtpTargets: [{ host: 'mx.test', port }] };
  const findings = await new OnPublicMachine(dns, { values } as unknown as Config).run();
  return findings.map(({ level, subject }) => [level, subject]);
}

it('asks for the reverse name of the address that a connection to an IPv6 mail host leaves from', async () => {
  expect(await levelsWith(() => undefined)).toEqual([['red', '::1']]);
  expect(await levelsWith((dns) => dns.set(reverse, { ptr: ['out.test'] }))).toEqual([['red', '::1']]);
  const both = (dns: InMemoryDnsResolver): void => {
    dns.set(reverse, { ptr: ['out.test'] });
    dns.set('out.test', { aaaa: ['0:0:0:0:0:0:0:1'] });
  };
  expect(await levelsWith(both)).toEqual([['green', '::1']]);
});

it('warns where no mail server can be reached over IPv6', async () => {
  expect(await levelsWith(() => undefined, 1)).toEqual([['yellow', undefined]]);
});

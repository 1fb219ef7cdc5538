import { expect, it } from '@jest/globals';
import { InMemoryDnsResolver } from '#domains';
import { Config } from '#platform/config';
import { Ipv6Check } from './ipv6.check.js';

class OnMachine extends Ipv6Check {
  machine: readonly string[] = ['127.0.0.1', '::1', 'fe80::1', '2a01:4f8::1'];

  protected override addressesOfMachine(): readonly string[] {
    return this.machine;
  }
}

function check(changes: object = {}) {
  const dns = new InMemoryDnsResolver();
  const values = { deliveryTransport: 'mx', doctorSmtpTargets: [{ host: 'mx.test', port: 25 }], ...changes };
  return { dns, check: new OnMachine(dns, { values } as unknown as Config) };
}

it('says plainly that a machine has no public IPv6 address', async () => {
  const { check: onMachine } = check();
  onMachine.machine = ['192.0.2.1', '::1', 'fe80::1', 'fd00::2'];
  expect(await onMachine.run()).toMatchObject([{ level: 'green', text: expect.stringMatching(/no public IPv6 add/) }]);
});

it('is not needed where mail leaves through a relay, and not tried without a server to try', async () => {
  expect(await check({ deliveryTransport: 'relay' }).check.run()).toMatchObject([{ level: 'green' }]);
  expect(await check().check.run()).toMatchObject([{ level: 'green', text: expect.stringMatching(/^not tried/) }]);
});

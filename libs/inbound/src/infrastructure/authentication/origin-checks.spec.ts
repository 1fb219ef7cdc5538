import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryDnsResolver } from '#domains';
import { MessageOrigin } from '../../application/ports/message-judge.port.js';
import { SpfResults, SenderDns } from './origin-checks.js';

let zones: InMemoryDnsResolver;
let results: SpfResults;

beforeEach(() => {
  zones = new InMemoryDnsResolver();
  results = new SpfResults(new SenderDns(zones), 'mx.service.test');
});

function origin(fields: { address?: string; mailFrom?: string; helo?: string } = {}): MessageOrigin {
  const { address = '192.0.2.1', mailFrom = 'ada@customer.test', helo = 'mx.customer.test' } = fields;
  return { client: { address, helo, tls: null }, network: '192.0.2.0/24', mailFrom, isLocal: false };
}

it('each client and each sender have a result of their own', async () => {
  zones.set('customer.test', { txt: ['v=spf1 ip4:192.0.2.1 -all'] });
  zones.set('mx.customer.test', { txt: ['v=spf1 ?all'] });
  const result = async (fields = {}) => (await results.of(origin(fields))).result;
  for (let time = 0; time < 2; time++) {
    expect(await result()).toBe('pass');
    expect(await result({ address: '192.0.2.2' })).toBe('fail');
    expect(await result({ mailFrom: 'ada@other.test' })).toBe('none');
    expect(await result({ mailFrom: '' })).toBe('neutral');
    expect(await result({ mailFrom: '', helo: 'mx.other.test' })).toBe('none');
  }
});

it('macros see the whole sender', async () => {
  zones.set('customer.test', { txt: ['v=spf1 exists:%{l}.users.customer.test -all'] });
  zones.set('ada.users.customer.test', { a: ['127.0.0.2'] });
  expect(await results.of(origin())).toEqual({ result: 'pass', domain: 'customer.test' });
  expect(await results.of(origin({ mailFrom: 'eve@customer.test' }))).toMatchObject({ result: 'fail' });
});

it('trouble of the DNS is not remembered', async () => {
  zones.fail('customer.test');
  const [one, other] = await Promise.all([results.of(origin()), results.of(origin())]);
  expect([one?.result, other?.result]).toEqual(['temperror', 'temperror']);
  zones.set('customer.test', { txt: ['v=spf1 ip4:192.0.2.1 -all'] });
  expect(await results.of(origin())).toMatchObject({ result: 'pass' });
});

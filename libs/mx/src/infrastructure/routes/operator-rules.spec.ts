import { describe, expect, it } from '@jest/globals';
import { parseOperatorRules } from './operator-rules.js';

const parse = (file: object) => parseOperatorRules(JSON.stringify(file), undefined);
const pool = [{ helo: 'Out1.acme.net', addresses: ['192.0.2.1', '2001:db8::1'] }];
const out1 = { heloName: 'out1.acme.net', ipv4: '192.0.2.1', ipv6: '2001:db8::1' };

describe('where mail leaves from', () => {
  const { sources } = parse({
    pools: { acme: pool, others: [{ helo: 'out2.acme.net', addresses: ['192.0.2.2'] }] },
    sources: [{ senders: 'Acme.test', pool: 'acme' }, { pool: 'others' }],
  });

  it.each([
    ['acme.test', [out1]],
    ['send.ACME.test', [out1]],
    ['notacme.test', [{ heloName: 'out2.acme.net', ipv4: '192.0.2.2', ipv6: undefined }]],
  ])('%s uses its pool', (sender, hosts) => {
    expect(sources.poolOf({ host: sender, teamId: 'team' })?.hosts).toEqual(hosts);
  });

  it('is left to the operating system without a rule', () => {
    expect(parse({}).sources.poolOf({ host: 'acme.test', teamId: 'team' })).toBeUndefined();
  });
});

describe('limits', () => {
  const { profiles } = parse({
    limits: [
      { hosts: '*.Google.com', connections: 3 },
      { hosts: 'mx.site.test', messages_per_minute: 30, messages_per_connection: 5 },
    ],
  });

  it('the operator’s figures override ours, and omitted ones keep our value', () => {
    expect(profiles.profileOf('aspmx.l.google.com')).toMatchObject({
      name: 'google (own)',
      connections: 3,
      messagesPerConnection: 50,
    });
    expect(profiles.profileOf('MX.site.test')).toMatchObject({
      name: 'mx.site.test',
      connections: 5,
      messagesPerMinute: 30,
      messagesPerConnection: 5,
    });
    expect(profiles.profileOf('mta5.am0.yahoodns.net')).toMatchObject({ name: 'yahoo', messagesPerConnection: 20 });
    expect(profiles.profileOf('mx.other.test')).toMatchObject({ name: 'default' });
  });
});

it.each<[object, string]>([
  [{ pools: [] }, 'pools: this must be an object'],
  [{ pools: { a: [] } }, 'Pool a: it has no hosts'],
  [{ pools: { a: [{ helo: 'x', addresses: ['192.0.2.1'] }] } }, 'Pool a: helo must be a full host name'],
  [{ pools: { a: [{ helo: 'x.test', addresses: ['here'] }] } }, 'one IPv4 address'],
  [{ pools: { a: [{ helo: 'x.test', addresses: ['192.0.2.1', '192.0.2.2'] }] } }, 'one IPv4 address'],
  [{ sources: [{ pool: 'a' }] }, 'Source 1: there is no pool of that name'],
  [{ pools: { a: pool }, sources: [{ pool: 'a', senders: 5 }] }, 'Source 1: senders is a domain'],
  [{ limits: [{ connections: 2 }] }, 'Limit 1: hosts is'],
  [{ limits: [{ hosts: 'a.test', connections: 0 }] }, 'Limit 1: connections must be a whole number'],
  [{ limits: [{ hosts: 'a.test', messages_per_minute: 'many' }] }, 'messages_per_minute must be'],
])('%j is refused with a clear message', (file, sentence) => {
  expect(() => parse(file)).toThrow(sentence);
});

import { expect, it } from '@jest/globals';
import type { Domain } from './domain.js';
import { expectedRecords } from './expected-record.js';
import { compareStandIn } from './record-comparisons.js';
import { recordView } from './record-view.js';

const domain = {
  name: 'mail.acme.test',
  sending: true,
  receiving: true,
  trackingSubdomain: null,
  customReturnPath: 'send',
  dkimPublication: 'txt',
  sandbox: false,
  failover: true,
} as unknown as Domain;
const hosts = { host: 'eu.service.test', spfInclude: undefined, standInHost: 'us.service.test' };

const mailHostsOf = (given: Domain, known: typeof hosts | { host: string; spfInclude: undefined } = hosts): object[] =>
  expectedRecords(given, [], known)
    .map((record) => recordView(record, {}, 'acme.test'))
    .filter(({ type }) => type === 'MX')
    .map(({ record, name, priority, value }) => ({ record, name, priority, value }));

it('a domain whose mail another region may send has a second host for mail, which comes after the first', () => {
  expect(mailHostsOf(domain)).toEqual([
    { record: 'SPF', name: 'send.mail', priority: 10, value: 'eu.service.test' },
    { record: 'SPF', name: 'send.mail', priority: 20, value: 'us.service.test' },
    { record: 'Receiving MX', name: 'mail.acme.test', priority: 10, value: 'eu.service.test' },
    { record: 'Receiving MX', name: 'mail.acme.test', priority: 20, value: 'us.service.test' },
  ]);
});

it('other domains have one, and so have all where the regions have one host', () => {
  const first = [
    { record: 'SPF', priority: 10 },
    { record: 'Receiving MX', priority: 10 },
  ];
  expect(mailHostsOf({ ...domain, failover: false })).toMatchObject(first);
  expect(mailHostsOf(domain, { host: 'eu.service.test', spfInclude: undefined })).toMatchObject(first);
});

it('the second host may have any preference; the record of the first one tells if it comes too early', () => {
  const first = { exchange: 'eu.service.test', preference: 10 };
  expect(compareStandIn([first], 'us.service.test')).toMatchObject({ kind: 'missing' });
  const both = [first, { exchange: 'us.service.test', preference: 50 }];
  expect(compareStandIn(both, 'us.service.test')).toEqual({ kind: 'right' });
});

import { expect, it } from '@jest/globals';
import { RouteTable } from './operator-rules.js';

const relay = 'smtp://127.0.0.1:2525';
const table = RouteTable.parse(
  JSON.stringify({
    routes: [
      { recipients: 'direct.test', via: 'mx' },
      { recipients: '*.slow.test', via: 'relay', relay: 'smtp://127.0.0.2:25' },
      { senders: 'acme.test', via: 'mx-or-relay' },
    ],
  }),
  relay,
);

it.each([
  ['direct.test', 'send.acme.test', { via: 'mx' }],
  ['a.slow.test', 'send.acme.test', { via: 'relay', relay: 'smtp://127.0.0.2:25' }],
  ['slow.test', 'send.acme.test', { via: 'mx-or-relay', relay }],
  ['Any.test', 'Send.Acme.test', { via: 'mx-or-relay', relay }],
  ['any.test', 'send.notacme.test', { via: 'mx' }],
])('mail for %s from %s goes by %j', (recipient, sender, route) => {
  expect(table.routeFor(recipient, sender)).toEqual(route);
});

it.each([
  ['{', 'not JSON'],
  ['null', 'no list'],
  ['{"routes":[{"via":"pigeon"}]}', 'Route 1: via must be'],
  ['{"routes":[{"via":"relay"}]}', 'neither a relay nor RELAY_URL'],
  ['{"routes":[{"via":"mx","recipients":5}]}', 'are domains'],
  ['{"routes":[{"via":"relay","relay":"ftp://x"}]}', 'smtp://'],
])('%s is refused', (text, sentence) => {
  expect(() => RouteTable.parse(text, undefined)).toThrow(sentence);
});

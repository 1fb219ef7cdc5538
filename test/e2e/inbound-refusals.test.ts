import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InboundProgram } from '../support/programs/inbound-program.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';

let inbound: InboundProgram;

beforeAll(async () => {
  inbound = await InboundProgram.start();
  inbound.dns.set('customer.test', { txt: ['v=spf1 ip4:127.0.0.1 -all'] });
  inbound.dns.set('_dmarc.bank.test', { txt: ['v=DMARC1; p=reject'] });
});
afterAll(() => inbound.stop());

async function api(path: string, body: object): Promise<ParsedJson> {
  const headers = { 'content-type': 'application/json' };
  const response = await inbound.program.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as ParsedJson;
}

const explained = async (recipient: string) => (await api('/routes/explain', { recipient })).reply;

it('a rewritten address takes bounces only, and judges them like other mail', async () => {
  await api('/routes', { recipient: 'fwd@acme.test', action: { type: 'forward', to: ['bob@home.test'] } });
  await inbound.received('From: ada@customer.test\nSubject: Hi\n\nHi\n', { to: 'fwd@acme.test' });
  const { delivered } = inbound.program.transport;
  const forwarded = await until(() => delivered.find(({ mailFrom }) => mailFrom.startsWith('SRS0=')));
  const to = { to: forwarded.mailFrom, from: '' };
  const before = delivered.length;

  const forged = 'From: security@bank.test\nAuto-Submitted: auto-replied\nSubject: Your account\n\nSign in.\n';
  expect(await inbound.bring(forged, to)).toMatch(/^550 5\.7\.26/);
  const letter = 'From: eve@evil.test\nSubject: Offer\n\nBuy this.\n';
  expect(await inbound.bring(letter, to)).toMatch(/^550 5\.7\.1 .*only bounces/);
  expect(await inbound.bring('From: a@home.test\nAuto-Submitted: no\n\nHi\n', to)).toMatch(/^550 5\.7\.1/);
  const bounce = 'From: MAILER-DAEMON@home.test\nSubject: Undelivered\n\nNo such user.\n';
  expect(await inbound.bring(bounce, to)).toMatch(/^250/);
  await until(() => delivered.length === before + 1);
  expect(delivered[before]).toMatchObject({ recipients: ['ada@customer.test'], mailFrom: '' });
});

it.each(['x%elsewhere.test@acme.test', 'elsewhere.test!x@acme.test'])(
  '%s names another server: it is refused also with a route for all addresses, and explained so',
  async (address) => {
    await api('/routes', { recipient: '*@acme.test', action: { type: 'webhook' } });
    const reply = await inbound.bring('From: a@customer.test\n\nHi\n', { to: address });
    expect(reply).toBe('550 5.7.1 No mail is taken for addresses with % or !, which name another server');
    expect(await explained(address)).toBe(reply);
  },
);

it('an address of a domain that is not verified yet is explained as SMTP replies', async () => {
  const { error } = await inbound.resend.domains.create({
    name: 'new.test',
    capabilities: { sending: 'enabled', receiving: 'enabled' },
  });
  expect(error).toBeNull();
  const reply = await inbound.bring('From: a@customer.test\n\nHi\n', { to: 'a@new.test' });
  expect(reply).toMatch(/^451 4\.7\.1/);
  expect(await explained('a@new.test')).toBe(reply);
});

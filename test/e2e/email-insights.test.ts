import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hour, program, startDomains, stopDomains, verifiedDomain } from '../support/builders/domain-steps.js';

interface Finding {
  readonly id: string;
  readonly status: string;
  readonly evidence: string;
  readonly fix: string | null;
}

let domainId: string;

beforeAll(async () => {
  await startDomains();
  domainId = (await verifiedDomain('acme.test')).id;
});

afterAll(() => stopDomains());

const body =
  '<p>Thank you for your order. It is on its way to you, and it will arrive on Friday before noon.</p>' +
  '<p><a href="https://www.acme.test/orders/1">Follow the parcel</a> until it is there.</p>';

async function sent(fields: Record<string, unknown> = {}): Promise<string> {
  const { body: accepted } = await program.call('POST', '/emails', {
    body: {
      from: 'Acme <hello@acme.test>',
      to: ['ada@customer.test', 'grace@customer.test'],
      subject: 'Your order is on its way',
      html: body,
      ...fields,
    },
  });
  return accepted.id as string;
}

async function findingsOf(id: string, query = ''): Promise<readonly Finding[]> {
  const { status, body: insights } = await program.call('GET', `/emails/${id}/insights${query}`);
  expect(status).toBe(200);
  const { findings, summary } = insights as unknown as { findings: Finding[]; summary: Record<string, number> };
  expect(Object.values(summary).reduce((sum, count) => sum + count)).toBe(findings.length);
  return findings;
}

const flawsIn = (findings: readonly Finding[]): string[] =>
  findings.filter(({ status }) => status !== 'good' && status !== 'not_measured').map(({ id }) => id);

it('an ordinary email has no flaws, and its signature is verified over the bytes that are sent', async () => {
  const findings = await findingsOf(await sent());
  expect(flawsIn(findings)).toEqual([]);
  const evidence = Object.fromEntries(findings.map((finding) => [finding.id, finding.evidence]));
  expect(evidence.dkim_signature).toMatch(/^The signature of acme\.test \(rsa-sha256, selector \S+\) is valid/);
  expect(evidence.dkim_key_size).toBe('The RSA key has 2048 bits.');
  expect(evidence.spf).toBe('The expected SPF records were published at the last check.');
});

it('each flaw comes with what was seen and what to do, the worst first', async () => {
  const html =
    '<p>Hello</p><a href="http://192.0.2.1/x">www.bank.com</a><form></form>' +
    '<img src="https://www.acme.test/a.png">';
  const findings = await findingsOf(await sent({ from: 'no-reply@acme.test', subject: 'RE: ACT NOW PLEASE', html }));
  expect(flawsIn(findings)).toEqual([
    ...['link_text', 'link_hosts', 'active_content'],
    ...['link_https', 'image_alt', 'image_text', 'subject_style', 'subject_reply_prefix'],
    ...['no_reply_sender', 'sender_name', 'link_domains'],
  ]);
  expect(findings[0]).toEqual({
    id: 'link_text',
    status: 'problem',
    evidence: 'The link text shows "www.bank.com", but the link opens 192.0.2.1.',
    fix: expect.stringContaining('Use words as the text of the link.'),
    source: { title: expect.any(String), url: expect.stringMatching(/^https:/) },
  });
});

it('a record that the last check did not find counts', async () => {
  const id = await sent();
  program.dns.remove('send.acme.test', 'TXT');
  await program.advance(25 * hour);
  await program.becomes(domainId, 'temporary_failure');
  const spf = (await findingsOf(id)).find((finding) => finding.id === 'spf');
  expect(spf).toMatchObject({
    status: 'warning',
    evidence: expect.stringContaining('There is no TXT record at send.acme.test.'),
    fix: 'Publish the record shown on the page of the domain.',
  });
});

it('a scheduled email is checked as it will be sent, with the date of that time', async () => {
  const scheduledAt = new Date(program.clock.now().getTime() + 72 * hour);
  const id = await sent({ scheduled_at: scheduledAt.toISOString() });
  expect(flawsIn(await findingsOf(id))).not.toContain('date');
  const source = await fetch(`${program.postrider.url}/emails/${id}/raw`, {
    headers: { authorization: `Bearer ${program.apiKey}` },
  });
  const date = /^Date: (.*)$/m.exec(await source.text())?.[1] ?? '';
  expect(Date.parse(date)).toBe(Math.floor(scheduledAt.getTime() / 1000) * 1000);
});

it('each recipient of the email can be chosen, and nobody else', async () => {
  const id = await sent();
  expect(flawsIn(await findingsOf(id, '?recipient=grace@customer.test'))).toEqual(
    flawsIn(await findingsOf(id, '?recipient=ada@customer.test')),
  );
  expect((await program.call('GET', `/emails/${id}/insights?recipient=eve@customer.test`)).status).toBe(404);
});

it('emails of other teams and unknown ones are not found, and a sending key may not ask', async () => {
  const id = await sent();
  expect((await program.call('GET', `/emails/${id}/insights`, { key: program.otherKey })).status).toBe(404);
  const unknown = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';
  expect((await program.call('GET', `/emails/${unknown}/insights`)).status).toBe(404);
  const { data } = await program.resend.apiKeys.create({ name: 'sender', permission: 'sending_access' });
  expect((await program.call('GET', `/emails/${id}/insights`, { key: data?.token })).status).toBe(401);
});

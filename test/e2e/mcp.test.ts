import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentClient, Quotation, revisions } from '../support/clients/agent-client.js';
import { DescribedDocument, operationsOf } from '../support/described/described-operations.js';
import { operationsByPermission } from '../support/described/permissions-of-operations.js';
import { startProgram, testApiKey, TestProgram, testSender } from '../support/programs/program.js';
import { anEmail } from '../support/programs/recording-program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';
import { toolSets } from '../../libs/mcp/src/infrastructure/http/tools/tool-sets.js';

let program: TestProgram;
let agent: AgentClient;

beforeAll(async () => {
  program = await startProgram({ RATE_LIMIT_PER_SECOND: '100000' });
  agent = await AgentClient.connect(program.url, testApiKey);
});

afterAll(async () => {
  await agent.close();
  await program.stop();
});

const newKey = async (key: object): Promise<string> => {
  const response = await program.request('/api-keys', {
    method: 'POST',
    body: JSON.stringify({ name: 'A key', ...key }),
  });
  return ((await response.json()) as { token: string }).token;
};
const agentWith = async <Result>(token: string, work: (agent: AgentClient) => Promise<Result>): Promise<Result> => {
  const other = await AgentClient.connect(program.url, token);
  try {
    return await work(other);
  } finally {
    await other.close();
  }
};

describe('the tools', () => {
  it.each(revisions)('are listed once each, with hints and bounds (%s)', async (revision) => {
    const client = await AgentClient.connect(program.url, testApiKey, { revision });
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual(toolSets[0]?.tools.map(({ name }) => name));
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    for (const { annotations, inputSchema, description } of tools) {
      expect(annotations).toEqual({
        title: expect.any(String),
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
      expect(description?.length).toBeLessThan(500);
      expect(inputSchema.additionalProperties).toBe(false);
      expect(JSON.stringify(inputSchema)).not.toMatch(/"type":"string"(?!,("minLength"|"enum"|"format"))/);
    }
    expect(client.instructions).toContain('untrusted');
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(20_000);
    await client.close();
  });

  it('need the permission of the operations that they use', async () => {
    const document = (await (await program.request('/openapi.json')).json()) as DescribedDocument;
    const described = new Set(operationsOf(document).map(({ operationId }) => operationId));
    for (const { permission, operations } of toolSets.flatMap(({ tools }) => tools)) {
      expect(operations.filter((id) => !described.has(id))).toEqual([]);
      expect(operationsByPermission[permission]).toEqual(expect.arrayContaining([...operations]));
    }
  });

  it('are those that the key may use. Others are refused by the operation itself', async () => {
    const token = await newKey({ permission: 'sending_access' });
    await agentWith(token, async (sender) => {
      expect(await sender.names()).toEqual(['send_email', 'check_email']);
      expect(await sender.call('list_contacts')).toEqual({
        isError: true,
        text: 'restricted_api_key: This API key is restricted to only send emails',
      });
    });
  });

  it('refuse arguments that they do not have, or that are too large', async () => {
    expect(await agent.call('no_such_tool')).toMatchObject({ isError: true, text: 'There is no tool of this name.' });
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(await agent.call(name)).toMatchObject({ isError: true });
    expect(await agent.call('list_emails', { team_id: 'x' })).toEqual({
      isError: true,
      text: 'The tool has no argument `team_id`.',
    });
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      expect((await agent.call('list_emails', { [name]: {} })).text).toBe(`The tool has no argument \`${name}\`.`);
    }
    for (const input of [{ limit: 21 }, { limit: 'all' }, { after: 'x'.repeat(257) }, { status: 'gone' }]) {
      expect(await agent.call('list_emails', input)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^The arguments are wrong: /),
      });
    }
    expect((await agent.call('get_email', { id: '../../operator/teams' })).text).toContain('must match format "uuid"');
    for (const dots of ['.', '..']) {
      const text = 'not_found: Nothing has this name.';
      expect((await agent.call('get_template', { id: dots })).text).toBe(text);
      expect((await agent.call('draft_email', { inbox: dots })).text).toBe(text);
    }
    expect((await agent.call('get_template', { id: '../domains?x=#' })).text).toMatch(/^not_found: Template/);
    expect((await agent.call('send_email', {})).text).toContain("must have required property 'to'");
  });
});

describe('sending', () => {
  it('is tried first, done when it is confirmed, and not done again when the call is repeated', async () => {
    const email = { from: testSender, to: ['agent@sink.test'], subject: 'From an agent', text: 'Hello '.repeat(7_000) };
    const sent = async (): Promise<number> =>
      ((await agent.ask<{ emails: object[] }>('list_emails', { subject: 'From an agent' })).emails ?? []).length;
    const trial = await agent.ask('send_email', email);
    expect(trial).toMatchObject({
      sent: false,
      note: expect.stringContaining('Nothing was sent'),
      recipients: [{ address: 'agent@sink.test', kind: 'to', would_send: true }],
      summary: { problem: expect.any(Number) },
      findings: expect.any(Array),
    });
    expect(await agent.ask('check_email', email)).toMatchObject({ sent: false });
    expect(await sent()).toBe(0);

    const first = await agent.ask<{ id: string }>('send_email', { ...email, confirm: true });
    expect(first).toEqual({ sent: true, id: expect.any(String) });
    expect(await agent.ask<{ id: string }>('send_email', { ...email, confirm: true })).toMatchObject({ id: first.id });
    expect(await sent()).toBe(1);
    const again = { ...email, confirm: true, idempotency_key: 'once more' };
    expect((await agent.ask<{ id: string }>('send_email', again)).id).not.toBe(first.id);
    expect(await sent()).toBe(2);
  });

  it('is refused as over the API, with its words', async () => {
    const email = {
      from: 'Acme <hello@elsewhere.test>',
      to: ['agent@sink.test'],
      subject: 'x',
      text: 'x',
      confirm: true,
    };
    expect(await agent.call('send_email', email)).toMatchObject({
      isError: true,
      text: expect.stringContaining('elsewhere.test'),
    });
    const token = await newKey({ permission: 'sending_access', allowed_recipient_domains: ['customer.test'] });
    const refused = await agentWith(token, (other) => other.call('send_email', { ...email, from: testSender }));
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('`allowed_recipient_domains`') });
  });

  it('is explained: what became of an email, with the words of the host apart', async () => {
    const { id } = (await (
      await program.request('/emails', { method: 'POST', body: JSON.stringify(anEmail({ to: 'bounced@resend.dev' })) })
    ).json()) as { id: string };
    interface Told {
      readonly status: string;
      readonly recipients: readonly { readonly status: string; readonly attempts: readonly object[] }[];
      readonly untrusted: Quotation<{ readonly recipients: readonly { readonly recipient: string }[] }>;
    }
    const told = await until(async () => {
      const answer = await agent.ask<Told>('get_email', { id });
      return answer.status === 'bounced' ? answer : undefined;
    });
    expect(told.recipients).toMatchObject([
      { n: 1, status: 'bounced', attempts: [{ attempt: 1, outcome: 'bounced' }] },
    ]);
    expect(told.untrusted.quoted).toMatchObject({
      subject: 'Hello',
      recipients: [{ n: 1, recipient: 'bounced@resend.dev', attempts: [{ reply: expect.any(String) }] }],
    });
    expect(JSON.stringify(told.recipients)).not.toContain('bounced@resend.dev');
  });

  it('of a scheduled email can be canceled', async () => {
    const email = { from: testSender, to: ['later@sink.test'], subject: 'Later', text: 'x', scheduled_at: 'in 1 hour' };
    const { id } = await agent.ask<{ id: string }>('send_email', { ...email, confirm: true });
    expect(await agent.ask('cancel_email', { id })).toEqual({ canceled: true, id });
    expect(await agent.ask('get_email', { id })).toMatchObject({ status: 'canceled' });
  });
});

describe('reading', () => {
  it('goes through lists in pages, and finds what a team has', async () => {
    for (const name of ['Ada', 'Bob', 'Cid']) {
      const contact = { email: `${name.toLowerCase()}@customer.test`, first_name: name };
      expect(await agent.ask('upsert_contact', contact)).toMatchObject({ stored: true });
    }
    interface Page {
      readonly next?: string;
      readonly untrusted: Quotation<readonly { readonly first_name: string }[]>;
    }
    const first = await agent.ask<Page>('list_contacts', { limit: 2 });
    const second = await agent.ask<Page>('list_contacts', { limit: 2, after: first.next });
    const names = [...first.untrusted.quoted, ...second.untrusted.quoted].map(({ first_name: name }) => name);
    expect(names).toEqual(['Cid', 'Bob', 'Ada']);
    expect(second.next).toBeUndefined();
    expect(await agent.ask('search', { query: 'bob' })).toMatchObject({
      found: [{ n: 1, kind: 'contact' }],
      untrusted: { quoted: [{ n: 1, name: 'Bob' }] },
    });
  });

  it('diagnoses domains, counts mail, and says who gets none', async () => {
    const { domains } = await agent.ask<{ domains: { id: string; name: string }[] }>('list_domains');
    expect(domains).toMatchObject([{ name: 'sandbox.postrider.test', status: 'verified' }]);
    const { id } = (await (
      await program.request('/domains', { method: 'POST', body: '{"name":"agents.test"}' })
    ).json()) as { id: string };
    expect(await agent.ask('get_domain', { id })).toMatchObject({
      name: 'agents.test',
      records: expect.arrayContaining([expect.objectContaining({ record: 'DKIM', type: 'TXT', required: true })]),
    });
    expect(await agent.ask('get_metrics', { granularity: 'daily' })).toMatchObject({
      granularity: 'daily',
      totals: { received: expect.any(Number) },
      periods: expect.any(Array),
    });
    await program.request('/suppressions', { method: 'POST', body: '{"email":"no-more@sink.test"}' });
    const listed = await agent.ask('list_suppressions', { email: 'no-more@sink.test' });
    expect(listed).toMatchObject({ suppressions: [{ origin: 'manual' }] });
    expect(await agent.ask('list_suppressions', { email: 'other@sink.test' })).toMatchObject({ suppressions: [] });
    expect(await agent.ask('list_suppressions')).toMatchObject({ suppressions: [{ n: 1 }, { origin: 'bounce' }] });
  });

  it('shows what a template wants, and writes broadcasts that are not sent', async () => {
    const segment = (await (await program.request('/segments', { method: 'POST', body: '{"name":"All"}' })).json()) as {
      id: string;
    };
    const broadcast = { name: 'News', segment_id: segment.id, from: testSender, subject: 'News', text: 'News' };
    const { id, page } = await agent.ask<{ id: string; page: string }>('draft_broadcast', broadcast);
    expect(page).toBe(`${program.url}/app/broadcasts/${id}`);
    expect(await (await program.request(`/broadcasts/${id}`)).json()).toMatchObject({ status: 'draft', name: 'News' });
    const template = {
      name: 'Order',
      alias: 'order',
      subject: 'Order {{{NUMBER}}}',
      html: '<p>{{{NUMBER}}}</p>',
      variables: [{ key: 'NUMBER', type: 'string', fallback_value: 'none' }],
    };
    await program.request('/templates', { method: 'POST', body: JSON.stringify(template) });
    expect(await agent.ask('get_template', { id: 'order' })).toMatchObject({
      name: 'Order',
      status: 'draft',
      variables: [{ key: 'NUMBER', type: 'string' }],
    });
  });

  it('never reaches another team: its ids are not found', async () => {
    const { apiKey } = await addSecondTeam(program.postrider.app);
    const { id } = await agent.ask<{ id: string }>('send_email', {
      from: testSender,
      to: ['own@sink.test'],
      subject: 'Ours',
      text: 'x',
      scheduled_at: 'in 1 hour',
      confirm: true,
    });
    await agentWith(apiKey, async (stranger) => {
      const unknown = '0193a1f4-0000-7000-8000-000000000000';
      for (const [name, input] of [
        ['get_email', { id }],
        ['cancel_email', { id }],
        ['read_received_email', { id }],
        ['get_domain', { id }],
      ] as const) {
        const { isError, text } = await stranger.call(name, input);
        expect([name, isError, text]).toEqual([name, true, expect.stringMatching(/^not_found: /)]);
        expect((await stranger.call(name, { id: unknown })).text).toBe(text);
      }
      expect(await stranger.ask('list_emails')).toMatchObject({ emails: [] });
      expect(await stranger.ask('search', { query: 'ada' })).toMatchObject({ found: [] });
    });
    expect(await agent.ask('get_email', { id })).toMatchObject({ status: 'scheduled' });
  });
});

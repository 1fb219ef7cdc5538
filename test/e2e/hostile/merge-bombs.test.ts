import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { broadcastHtml } from '../../support/builders/broadcast-steps.js';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import type { ParsedJson } from '../../support/runner/parsed-json.js';
import { several } from '../../support/runner/several.js';
import { until } from '../../support/runner/until.js';

/** Tags that a text may have, and as many as fit in one. */
const allowed = 10_000;
const fitting = 100_000;
/** Each of these is escaped to five characters. */
const longest = '<'.repeat(2_000);

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram();
});

afterAll(() => hostile.stop());

interface Answer {
  readonly status: number;
  readonly json: ParsedJson;
}

async function call(path: string, body?: unknown, method = 'POST'): Promise<Answer> {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await hostile.request(path, init);
  return { status: response.status, json: (await response.json()) as ParsedJson };
}

/** Runs it ten times at once. Nobody else may feel it. */
async function expectCalm(attack: () => Promise<Answer>, status: number): Promise<void> {
  const { result, failures, ...calm } = await hostile.during(() =>
    Promise.all(Array.from({ length: 10 }, () => attack())),
  );
  expect(new Set(result.map((answer) => answer.status))).toEqual(new Set([status]));
  expect(failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.memoryGrowth).toBeLessThan(500 * 1024 * 1024);
}

const tags = (count: number): string => '{{{A}}}'.repeat(count);

describe('a template with a bomb in it', () => {
  const variables = [{ key: 'A', type: 'string' }];
  let id: string;

  beforeAll(async () => {
    const { json } = await call('/templates', { name: 'Bomb', subject: tags(140), html: tags(allowed), variables });
    id = json.id as string;
    expect((await call(`/templates/${id}/publish`)).status).toBe(200);
  });

  it('is refused where it has more tags than anybody needs', () =>
    expectCalm(() => call('/templates', { name: 'Tags', html: tags(fitting), variables }), 422));

  it('makes no email', async () => {
    const email = { from: hostile.attackerSender, to: 'a@good.test', template: { id, variables: { A: longest } } };
    await expectCalm(() => call('/emails', email), 413);
    await expectCalm(
      () =>
        call(
          '/emails/batch',
          Array.from({ length: 100 }, () => email),
        ),
      413,
    );
  });

  it('shows no preview', () => expectCalm(() => call(`/templates/${id}/preview`, { variables: { A: longest } }), 422));
});

describe('a hundred templates of a megabyte', () => {
  const variables = [{ key: 'A', type: 'string' }];
  const emails: object[] = [];

  beforeAll(async () => {
    const html = '{{{A}}}' + 'x'.repeat(1_000_000);
    await several(100, async (no) => {
      const { id } = (await call('/templates', { name: `Large ${no}`, subject: 'Large', html, variables })).json;
      expect((await call(`/templates/${id}/publish`)).status).toBe(200);
      emails.push({ from: hostile.attackerSender, to: 'a@good.test', template: { id } });
    });
  });

  it('are not in memory together where a batch names all of them', () =>
    expectCalm(() => call('/emails/batch', emails), 422));
});

describe('a broadcast with a bomb in it', () => {
  let segmentId: string;

  beforeAll(async () => {
    expect((await call('/contact-properties', { key: 'a', type: 'string', fallback_value: 'x' })).status).toBe(201);
    segmentId = (await call('/segments', { name: 'Everybody' })).json.id as string;
    await several(500, async (no) => {
      const contact = { email: `c${no}@good.test`, properties: { a: longest }, segments: [{ id: segmentId }] };
      expect((await call('/contacts', contact)).status).toBe(201);
    });
  });

  const broadcast = (fields: object): object => ({
    segment_id: segmentId,
    from: hostile.attackerSender,
    subject: 'Bomb',
    html: broadcastHtml,
    ...fields,
  });
  const sent = async (fields: object): Promise<Answer> => {
    const started = await call('/broadcasts', broadcast({ ...fields, send: true }));
    return until(async () => {
      const answer = await call(`/broadcasts/${started.json.id}`, undefined, 'GET');
      return answer.json.status === 'queued' ? undefined : answer;
    });
  };

  it('is refused where it has more tags than anybody needs', () =>
    expectCalm(() => call('/broadcasts', broadcast({ html: tags(fitting) })), 422));

  it.each([
    ['body', { html: broadcastHtml.replace('{{{plan|none}}}', '') + tags(allowed - 10) }],
    ['subject', { subject: tags(140), html: broadcastHtml.replace('{{{plan|none}}}', '') }],
  ])('in its %s is started, previewed and tested, and nobody waits', async (_, fields) => {
    await expectCalm(() => sent(fields), 200);
    const { id } = (await call('/broadcasts', broadcast(fields))).json;
    const isTooLarge = 'html' in fields && !('subject' in fields);
    await expectCalm(() => call(`/broadcasts/${id}/preview`, {}), isTooLarge ? 422 : 200);
    const test = { to: Array.from({ length: 10 }, (_, no) => `c${no}@good.test`) };
    await expectCalm(() => call(`/broadcasts/${id}/test`, test), isTooLarge ? 413 : 200);
  });
});

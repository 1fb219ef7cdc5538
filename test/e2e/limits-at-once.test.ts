import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { Database } from '#postgres/database';
import { InboundProgram } from '../support/programs/inbound-program.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';

/** Requests that come at once to a team that may have one more of a thing. */
const atOnce = 20;

let inbound: InboundProgram;
let program: InboundProgram['program'];
let inbox: string;
let template: string;
let picture: Uint8Array<ArrayBuffer>;

async function post(path: string, body: object, method = 'POST'): Promise<{ status: number; json: ParsedJson }> {
  const isForm = body instanceof FormData;
  const response = await program.request(path, { method, body: isForm ? body : JSON.stringify(body) });
  return { status: response.status, json: (await response.json()) as ParsedJson };
}

async function rows<Row extends object>(text: string, values: unknown[] = []): Promise<readonly Row[]> {
  return program.postrider.app.get(Database, { strict: false }).query<never>({ text, values });
}

beforeAll(async () => {
  inbound = await InboundProgram.start();
  program = inbound.program;
  inbox = (await post('/inboxes', { email_address: 'limits@acme.test' })).json.id as string;
  await post('/contact-properties', { key: 'renews_at', type: 'string' });
  template = (await post('/templates', { name: 'Limits', html: '<p>Hi</p>' })).json.id as string;
  picture = new Uint8Array(
    await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
});

afterAll(() => inbound.stop());

interface Kind {
  readonly path: () => string;
  readonly body: (no: number) => object;
  readonly max: number;
  /** The rows that count. */
  readonly counted: string;
  /** Columns and values of a row with which the team is filled up, of the team `t` and with the number `no`. */
  readonly filled: readonly [columns: string, values: string];
}

const formOf = (name: string, file: Blob, fileName: string): FormData => {
  const form = new FormData();
  form.append(name, file, fileName);
  return form;
};
const section = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hi' }] }] };
const onDate = { event_name: 'resend:contact.date', property: 'renews_at', offset: '-3 days', time: '00:00' };

const kinds: Readonly<Record<string, Kind>> = {
  'saved sections': {
    path: () => '/editor/sections',
    body: (no) => ({ name: `Section ${no}`, content: section }),
    max: 200,
    counted: 'editor_sections',
    filled: ['id, team_id, name, document, created_at, updated_at', `uuidv7(), t.id, 'x', '{}', now(), now()`],
  },
  'versions with a name': {
    path: () => '/editor/versions',
    body: (no) => ({ resource_type: 'template', resource_id: template, name: `Version ${no}` }),
    max: 100,
    counted: 'editor_versions WHERE name IS NOT NULL',
    filled: [
      'id, team_id, resource_type, resource_id, name, kind, html, created_at, updated_at',
      `uuidv7(), t.id, 'template', $1::uuid, 'x', 'html', '', now(), now()`,
    ],
  },
  webhooks: {
    path: () => '/webhooks',
    body: (no) => ({ endpoint: `https://hooks.test/${no}`, events: ['email.sent'] }),
    max: 50,
    counted: 'webhooks',
    filled: [
      'id, team_id, created_at, endpoint, events, status, sealed_secret',
      `uuidv7(), t.id, now(), 'https://hooks.test', '{}', 'enabled', ''`,
    ],
  },
  routes: {
    path: () => '/routes',
    body: (no) => ({ recipient: `r${no}@acme.test`, action: { type: 'drop' } }),
    max: 200,
    counted: 'inbound_routes',
    filled: [
      'id, team_id, position, name, recipient, conditions, action, goes_on, enabled, created_at, updated_at',
      `uuidv7(), t.id, no, '', '*@acme.test', '[]', '{"type": "drop"}', false, true, now(), now()`,
    ],
  },
  segments: {
    path: () => '/segments',
    body: (no) => ({ name: `Segment ${no}` }),
    max: 1_000,
    counted: 'segments',
    filled: ['id, team_id, name, created_at, updated_at', `uuidv7(), t.id, 'x', now(), now()`],
  },
  topics: {
    path: () => '/topics',
    body: (no) => ({ name: `Topic ${no}`, default_subscription: 'opt_in' }),
    max: 200,
    counted: 'topics',
    filled: [
      'id, team_id, name, default_subscription, visibility, created_at, updated_at',
      `uuidv7(), t.id, 'x', 'opt_in', 'private', now(), now()`,
    ],
  },
  'contact properties': {
    path: () => '/contact-properties',
    body: (no) => ({ key: `at_once_${no}`, type: 'string' }),
    max: 500,
    counted: 'contact_properties',
    filled: [
      'id, team_id, key, type, created_at, updated_at',
      `uuidv7(), t.id, 'filled_' || no, 'string', now(), now()`,
    ],
  },
  events: {
    path: () => '/events',
    body: (no) => ({ name: `at.once.${no}` }),
    max: 1_000,
    counted: 'custom_events',
    filled: ['id, team_id, name, created_at', `uuidv7(), t.id, 'filled.' || no, now()`],
  },
  'triggers that begin with a date': {
    path: () => '/automations',
    body: (no) => ({
      name: `Automation ${no}`,
      status: 'enabled',
      steps: [
        { key: 'start', type: 'trigger', config: onDate },
        { key: 'end', type: 'delay', config: { duration: '1 hour' } },
      ],
      connections: [{ from: 'start', to: 'end' }],
    }),
    max: 50,
    counted: `automation_triggers WHERE event_name = 'resend:contact.date'`,
    filled: ['automation_id, team_id, step_key, event_name', `uuidv7(), t.id, 'start', 'resend:contact.date'`],
  },
  automations: {
    path: () => '/automations',
    body: (no) => ({
      name: `Automation ${no}`,
      status: 'disabled',
      steps: [{ key: 'start', type: 'trigger', config: { event_name: 'x' } }],
      connections: [],
    }),
    max: 500,
    counted: 'automations',
    filled: ['id, team_id, name, status, version, created_at', `uuidv7(), t.id, 'x', 'disabled', 1, now()`],
  },
  inboxes: {
    path: () => '/inboxes',
    body: (no) => ({ email_address: `at-once-${no}@acme.test` }),
    max: 1_000,
    counted: 'inboxes',
    filled: [
      'id, team_id, domain_id, address, created_at, updated_at',
      `uuidv7(), t.id, uuidv7(), no || '@full.test', now(), now()`,
    ],
  },
  'labels of an inbox': {
    path: () => `/inboxes/${inbox}/labels`,
    body: (no) => ({ name: `Label ${no}` }),
    max: 100,
    counted: 'inbox_labels',
    filled: ['id, inbox_id, name, color, created_at', `uuidv7(), $1::uuid, 'x' || no, '#000000', now()`],
  },
  drafts: {
    path: () => `/inboxes/${inbox}/drafts`,
    body: (no) => ({ subject: `Draft ${no}` }),
    max: 2_000,
    counted: 'inbox_drafts',
    filled: [
      'id, inbox_id, team_id, cc, bcc, attachment_bytes, version, created_at, updated_at',
      `uuidv7(), $1::uuid, t.id, '{}', '{}', 0, 1, now(), now()`,
    ],
  },
  images: {
    path: () => '/images',
    body: () => formOf('file', new Blob([picture], { type: 'image/png' }), 'x.png'),
    max: 5_000,
    counted: 'images',
    filled: [
      'id, team_id, name, alt, type, width, height, size, created_at',
      `uuidv7(), t.id, 'x', '', 'image/png', 1, 1, 1, now()`,
    ],
  },
};

it.each(Object.entries(kinds))('%s: requests that come at once do not exceed the limit', async (name, kind) => {
  const { path, body, max, counted, filled } = kind;
  const count = async (): Promise<number> =>
    (await rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${counted}`))[0]?.count ?? 0;
  const [columns, values] = filled;
  const given = values.includes('$1') ? [name.startsWith('versions') ? template : inbox] : [];
  await rows(
    `INSERT INTO ${counted.split(' ')[0]} (${columns})
     SELECT ${values} FROM (SELECT id FROM teams LIMIT 1) t, generate_series(1, ${max - 1 - (await count())}) no`,
    given,
  );

  const answers = await Promise.all(Array.from({ length: atOnce }, (_, no) => post(path(), body(no))));

  const accepted = answers.filter(({ status }) => status < 300);
  const refused = answers.filter(({ status }) => status >= 300);
  expect({ accepted: accepted.length, stored: await count(), refused: refused[0]?.json }).toEqual({
    accepted: 1,
    stored: max,
    refused: expect.objectContaining({ message: expect.stringMatching(/at most|has/) }),
  });
  expect(new Set(refused.map(({ json }) => json.message)).size).toBe(1);
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import PostalMime from 'postal-mime';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
let program: TestProgram;
let strict: TestProgram;
let segmentId: string;
let steps: BroadcastSteps;

beforeAll(async () => {
  const adapters = (): Adapters => new Adapters().use(DeliveryTransport, transport);
  const https = { ...inOneProcess, PUBLIC_URL: 'https://mail.acme.test' };
  program = await startProgram(https, adapters());
  strict = await startProgram({ ...https, REQUIRE_UNSUBSCRIBE_LINK: 'true' }, adapters(), program.database);
  const database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps(database, team?.id ?? '');
  segmentId = await steps.segment();
  await steps.contacts(segmentId, 1, 'reader');
});
afterAll(async () => {
  await strict.stop();
  await program.stop();
});

const fields = (subject: string, body: object): Parameters<Resend['broadcasts']['create']>[0] =>
  ({ segmentId, from: testSender, subject, send: true, ...body }) as never;

async function received(subject: string, body: object): Promise<Awaited<ReturnType<typeof PostalMime.parse>>> {
  expect((await program.resend.broadcasts.create(fields(subject, body))).error).toBeNull();
  const message = await until(() =>
    transport.delivered.find(({ content }) => Buffer.from(content).includes(`Subject: ${subject}`)),
  );
  return PostalMime.parse(message.content);
}

const link = /https:\/\/mail\.acme\.test\/unsubscribe\/[\w.~-]+/;

it('a broadcast without a link to unsubscribe gets one at its end, with both fields of one-click', async () => {
  const { html = '', text = '', headers } = await received('Html', { html: '<html><body><p>Hi</p></BODY></html>' });
  const fieldOf = (name: string): string => headers.find(({ key }) => key === name)?.value ?? '';
  expect(html).toMatch(/<p>Hi<\/p><p [^>]*><a href="https:[^"]+"[^>]*>Unsubscribe<\/a><\/p>\s*<\/BODY><\/html>\s*$/);
  expect(text).toMatch(link);
  expect(fieldOf('list-unsubscribe')).toMatch(link);
  expect(fieldOf('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');

  const path = link.exec(html)?.[0].slice('https://mail.acme.test'.length) ?? '';
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(program.url + path, { method: 'POST', body })).status).toBe(200);
  expect((await program.resend.contacts.get({ email: 'reader0@sink.test' })).data?.unsubscribed).toBe(true);
  await program.resend.contacts.update({ email: 'reader0@sink.test', unsubscribed: false });
});

it('also in the text, where it has none of its own', async () => {
  const onlyText = await received('Text', { text: 'Hi' });
  expect(onlyText.html).toBeUndefined();
  expect(onlyText.text).toMatch(/^Hi\s+Unsubscribe: https:/);
  const both = await received('Both', { html: 'Hi', text: 'Hi' });
  expect([both.html, both.text]).toEqual([expect.stringMatching(link), expect.stringMatching(link)]);
});

it('one with a link of its own stays as it was written, and so does what the API shows', async () => {
  const html = '<p>Hi</p><a href="{{{UNSUBSCRIBE_URL}}}">no more</a>';
  const own = await received('Own', { html, text: 'Hi' });
  expect([own.html?.match(/unsubscribe\//g)?.length, own.text?.trim()]).toEqual([1, 'Hi']);
  const { data } = await program.resend.broadcasts.create({ ...fields('Shown', { html: 'Hi' }), send: false } as never);
  expect((await program.resend.broadcasts.get(data?.id ?? '')).data?.html).toBe('Hi');
  const preview = await program.request(`/broadcasts/${data?.id}/preview`, { method: 'POST', body: '{}' });
  expect(((await preview.json()) as { html: string }).html).toContain('href="{{{RESEND_UNSUBSCRIBE_URL}}}"');
});

it('with REQUIRE_UNSUBSCRIBE_LINK it is refused', async () => {
  for (const [name, body] of [
    ['html', { html: 'Hi' }],
    ['text', { text: 'Hi' }],
  ] as const) {
    const { error } = await strict.resend.broadcasts.create(fields('Strict', body));
    expect(error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    expect(error?.message).toContain(`The \`${name}\` of the broadcast has no link to unsubscribe`);
  }
});

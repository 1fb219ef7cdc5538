import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { newId } from '#kernel';
import { UnsubscribeProgram } from '../support/programs/unsubscribe-program.js';

let running: UnsubscribeProgram;
let resend: Resend;
let topicId: string;
let address: string;

beforeAll(async () => {
  running = await UnsubscribeProgram.start();
  resend = running.program.resend;
});

afterAll(() => running.program.stop());

beforeEach(async () => {
  topicId = await aTopic('Product news');
  address = `ada-${newId().slice(-12)}@sink.test`;
});

async function aTopic(name: string, fields: object = {}): Promise<string> {
  const { data, error } = await resend.topics.create({
    name,
    defaultSubscription: 'opt_in',
    visibility: 'public',
    ...fields,
  } as never);
  expect(error).toBeNull();
  return data?.id as string;
}

async function subscription(of = topicId): Promise<string | undefined> {
  const { data } = await resend.contacts.topics.list({ email: address });
  return data?.data.find(({ id }) => id === of)?.subscription;
}

const isUnsubscribed = async (): Promise<boolean | undefined> =>
  (await resend.contacts.get({ email: address })).data?.unsubscribed;

/** Sends an email of the topic, and returns what the recipient got. */
async function receivedWith(fields: object = {}) {
  return running.received(await running.send({ to: address, topicId, ...fields }), address);
}

describe('the preference page', () => {
  it('shows public topics, and private ones that the contact opted in to', async () => {
    const hidden = await aTopic('Hidden one', { visibility: 'private' });
    await aTopic('Another private', { visibility: 'private' });
    await resend.contacts.create({ email: address, topics: [{ id: hidden, subscription: 'opt_in' }] } as never);
    const page = await (await running.visit((await receivedWith()).path)).text();
    for (const text of ['Product news', 'Hidden one', address, 'Unsubscribe from all emails'])
      expect(page).toContain(text);
    expect(page).not.toContain('Another private');
    expect(page).not.toContain('<script');
  });

  it('saves choices, unsubscribes from all and subscribes again', async () => {
    const { path } = await receivedWith();
    const tips = await aTopic('Tips', { defaultSubscription: 'opt_out' });
    const save = (...chosen: string[]) =>
      running.post(path, [
        ['action', 'save'],
        ...[topicId, tips].map((id): [string, string] => ['s', id]),
        ...chosen.map((id): [string, string] => ['t', id]),
      ]);
    expect(await (await save(tips)).text()).toContain('Your choices have been saved.');
    expect([await subscription(), await subscription(tips)]).toEqual(['opt_out', 'opt_in']);
    expect(await (await running.post(path, { action: 'all' })).text()).toContain(
      'You have unsubscribed from all emails.',
    );
    expect(await isUnsubscribed()).toBe(true);
    expect(await (await running.post(path, { action: 'again' })).text()).toContain('You are subscribed again.');
    expect([await isUnsubscribed(), await subscription()]).toEqual([false, 'opt_in']);
    expect((await running.received(await running.send({ to: address, topicId }), address)).path).not.toBe('');
  });

  it.each([
    ['de-CH,de;q=0.9,en;q=0.5', 'de', 'E-Mail-Einstellungen'],
    ['sv, ja;q=0.7, en;q=0.2', 'ja', 'メール配信設定'],
    ['xx', 'en', 'Email preferences'],
  ])('speaks the language of %s', async (accept, language, title) => {
    const response = await running.visit((await receivedWith()).path, { headers: { 'accept-language': accept } });
    expect([response.headers.get('content-language'), response.headers.get('vary')]).toEqual([
      language,
      'Accept-Language',
    ]);
    expect(await response.text()).toContain(`<h1>${title}</h1>`);
  });

  it('has the name, the logo and the colour of the team, and escapes what people wrote', async () => {
    const logo = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64');
    const change = { name: 'Acme <b>&', logo, accent_color: '#0F766E' };
    const set = await running.program.request('/preference-page', { method: 'PATCH', body: JSON.stringify(change) });
    expect(await set.json()).toEqual({
      object: 'preference_page',
      name: 'Acme <b>&',
      is_team_name: false,
      logo,
      logo_type: 'image/png',
      accent_color: '#0f766e',
    });
    topicId = await aTopic('<img src=x>{team}', { description: '"><script>' });
    const page = await (await running.visit((await receivedWith()).path)).text();
    expect(page).toContain('Acme &#60;b&#62;&#38;');
    expect(page).toContain(`src="data:image/png;base64,${logo}"`);
    expect(page).toContain('--accent:#0f766e');
    expect(page).not.toMatch(/<img src=x|<script/);
    await running.program.request('/preference-page', {
      method: 'PATCH',
      body: '{"name":null,"logo":null,"accent_color":null}',
    });
    const after = (await (await running.program.request('/preference-page')).json()) as { is_team_name: boolean };
    expect(after.is_team_name).toBe(true);
    const refused = await running.program.request('/preference-page', {
      method: 'PATCH',
      body: '{"accent_color":"red"}',
    });
    expect(refused.status).toBe(422);
  });
});

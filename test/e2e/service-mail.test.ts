import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Browser, BrowserRequest } from '../support/clients/browser.js';
import { linkTo } from '../support/clients/mailbox.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { addMember, firstTeam, TestUser } from '../support/builders/users.js';

const subject = 'Set a new password';

interface Item {
  readonly id: string;
  readonly subject: string;
  readonly last_event?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

let program: TestProgram;
let teamId: string;
let owner: TestUser;
let viewer: TestUser;
/** In the link that sets a new password for the owner. */
let token: string;
let email: Item;
/** Id of the message in the inbox of the sandbox. */
let messageId: string;
let heard = '';

/** A first start with nothing configured: the sandbox delivers, and notices leave from an address of its domain. */
beforeAll(async () => {
  program = await startProgram();
  teamId = await firstTeam(program);
  owner = await addMember(program, teamId, 'owner');
  viewer = await addMember(program, teamId, 'viewer');
  const live = await viewer.browser.request('/live', { headers: { 'x-team': teamId } });
  expect(live.status).toBe(200);
  void listen(live);
  // What happened before that is not told.
  await until(() => heard.includes('event: ready'));

  const body = { email: owner.email, redirectTo: '/app/reset-password' };
  await new Browser(program.url).json('/auth/request-password-reset', { body });
  token = (await linkTo(program, owner.email, /^Set a new password$/)).pathname.split('/').at(-1) ?? '';
  expect(token.length).toBeGreaterThan(20);
  email = await until(async () => {
    const { data } = JSON.parse((await read(viewer.browser, '/emails')).text) as { data: Item[] };
    return data.find((one) => one.subject === subject && one.last_event === 'delivered');
  });
  messageId = await until(async () => {
    const [, id] = /\/sandbox\/inbox\/([0-9a-f-]{36})/.exec(await (await fetch(inboxUrl())).text()) ?? [];
    return id;
  });
});

afterAll(() => program.stop());

const inboxUrl = (): string => program.postrider.inboxUrl ?? '';

async function listen({ body }: Response): Promise<void> {
  try {
    for await (const piece of body ?? []) heard += Buffer.from(piece).toString();
  } catch {
    // The program has stopped.
  }
}

async function read(browser: Browser, path: string, init: BrowserRequest = {}): Promise<Answer> {
  const response = await browser.request(path, { ...init, headers: { 'x-team': teamId } });
  return { status: response.status, text: await response.text() };
}

const urlIn = ({ text }: Answer): string => (JSON.parse(text) as { url: string }).url;

it('no member of the team finds the link of a reset in the mail that the service sent through the team', async () => {
  for (const { browser } of [viewer, owner]) {
    const shown = await read(browser, `/emails/${email.id}`);
    expect(JSON.parse(shown.text)).toMatchObject({ subject, to: [owner.email], html: null, text: null });
    const preview = await read(browser, `/emails/${email.id}/preview`);
    const answers = [shown, preview, await read(browser, urlIn(preview))];
    for (const part of ['', '/events', '/attachments', '/trace']) {
      answers.push(await read(browser, `/emails${part === '' ? '' : `/${email.id}`}${part}`));
    }
    answers.push(await read(browser, '/emails/receiving'), await read(browser, '/sandbox/messages?limit=100'));
    for (const { status, text } of answers) {
      expect({ status, hasToken: text.includes(token) }).toEqual({ status: 200, hasToken: false });
    }
    expect(answers.at(-1)?.text).not.toContain(subject);
    expect(await read(browser, `/emails/${email.id}/raw`)).toMatchObject({ status: 404 });
    expect(await read(browser, `/sandbox/messages/${messageId}`)).toMatchObject({ status: 404 });
  }
  await until(() => heard.includes(email.id) && heard.includes('delivered'));
  expect(heard).not.toContain(token);
});

it('a viewer shares nothing, and what the owner shares has no link of a reset', async () => {
  const path = `/emails/${email.id}/share`;
  expect(await read(viewer.browser, path, { method: 'POST' })).toMatchObject({ status: 403 });
  const page = await read(viewer.browser, urlIn(await read(owner.browser, path, { method: 'POST' })));
  expect(page.status).toBe(200);
  expect(page.text).toContain(subject);
  expect(page.text).not.toContain(token);
});

it('the inbox page opens for the operator alone, who finds the link there', async () => {
  for (const path of ['/sandbox', `/sandbox/inbox/${messageId}`, `/sandbox/inbox/${messageId}/raw`]) {
    expect(await read(viewer.browser, path)).toMatchObject({ status: 401 });
  }
  const page = await fetch(inboxUrl().replace('/sandbox?', `/sandbox/inbox/${messageId}?`));
  expect(await page.text()).toContain(token);
});

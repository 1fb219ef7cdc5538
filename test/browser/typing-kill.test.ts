import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { documentOf, paragraphOf } from '../support/builders/editor-documents.js';
import { addMember, firstTeam, testPassword } from '../support/builders/users.js';
import { noChromium, signIn, startChromium, visit } from '../support/clients/chromium.js';
import { DocumentEditor } from '../support/clients/document-editor.js';
import { startProgram, testApiKey, testEnvironment } from '../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../support/programs/server-program.js';
import { freePort } from '../support/runner/free-port.js';
import { rounds } from '../support/runner/rounds.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';
import { KillablePostgres } from '../support/servers/killable-postgres.js';

type Killed = 'server' | 'postgres';

/** What a crash may cost. */
const maxLostMs = 2_000;

describeUnless(noChromium)('what is being typed', () => {
  let postgres: KillablePostgres;
  let dataDir: string;
  let port: number;
  let program: ServerProgram;
  let browser: Browser;
  let context: BrowserContext;
  let id: string;

  const run = (): Promise<ServerProgram> =>
    runServerProgram({
      ...testEnvironment({ url: postgres.url, drop: async () => undefined }, dataDir),
      HTTP_PORT: String(port),
    });

  const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Record<string, unknown>;
  };
  /** The words of the document, once the service answers. */
  const stored = async (): Promise<string> => {
    const { content } = await until(
      () => ask(`/editor/content?resource_type=template&resource_id=${id}`).catch(() => undefined),
      60_000,
    );
    return [...JSON.stringify(content).matchAll(/"text":"([^"]*)"/g)].map(([, words]) => words).join('');
  };

  const openDocument = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`/app/templates/${id}`);
    await new DocumentEditor(page).writable();
    return page;
  };

  const atEnd = async (page: Page): Promise<void> => {
    await new DocumentEditor(page).canvas.getByText('Words:').click();
    await page.keyboard.press('Control+End');
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'postrider-typing-'));
    [postgres, port, browser] = await Promise.all([KillablePostgres.start(), freePort(), startChromium()]);
    const first = await startProgram({}, undefined, { url: postgres.url, drop: async () => undefined });
    const owner = await addMember(first, await firstTeam(first), 'owner');
    await first.stop();
    program = await run();
    const visitor = await visit(browser, program.url, {}, [/./]);
    ({ context } = visitor);
    await signIn(visitor.page, owner.email, testPassword);
  }, 120_000);

  beforeEach(async () => {
    ({ id } = (await ask('/templates', { name: 'Letter', html: '<p></p>' })) as { id: string });
    await ask('/editor/content', {
      resource_type: 'template',
      resource_id: id,
      content: documentOf(paragraphOf('Words: ')),
    });
  });

  afterAll(async () => {
    await browser.close();
    await program.stop();
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('stands there once if it was stored and the answer was lost, however often it is tried again', async () => {
    const page = await openDocument();
    const seen: string[] = [];
    await page.route(/[/]editor[/]content/, async (route) => {
      const { length } = seen;
      seen.push(route.request().method());
      if (length === 0) await route.fetch();
      // Each time the tab thinks that it is connected again, so that it does not wait.
      if (length > 5) return route.continue();
      await route.abort();
      await page.evaluate(`setTimeout(() => window.dispatchEvent(new Event('online')), 50)`);
    });
    await atEnd(page);
    for (let no = 0; no < 7; no++) {
      await page.keyboard.type(`${no} `);
      const known = seen.length;
      await until(async () => seen.length > known || (await page.getByText('Draft saved').isVisible()));
    }
    await until(async () => seen.includes('GET') && (await stored()).includes('6'));
    expect((await stored()).trim()).toBe('Words: 0 1 2 3 4 5 6');
    await page.close();
  }, 60_000);

  it('survives the server and PostgreSQL as a whole, and the tab but for two seconds', async () => {
    const typed: { readonly word: string; readonly at: number }[] = [];
    /** What was typed until then. */
    const wordsUntil = (moment = Infinity): string =>
      `Words: ${typed
        .filter(({ at }) => at <= moment)
        .map(({ word }) => word)
        .join('')}`;
    const type = async (page: Page, work: () => Promise<void>): Promise<void> => {
      let isDone = false;
      const done = work().finally(() => (isDone = true));
      while (!isDone) {
        const word = `${typed.length} `;
        await page.keyboard.type(word);
        typed.push({ word, at: Date.now() });
        await delay(40);
      }
      await done;
    };
    const page = await openDocument();
    await atEnd(page);
    await type(page, async () => {
      for (const kill of rounds<readonly Killed[]>(['server', 'postgres'], ['server', 'postgres', 'server'])) {
        await delay(1_500 + Math.random() * 2_000);
        if (kill === 'server') {
          await program.kill();
          await delay(Math.random() * 1_000);
          program = await run();
        } else {
          await postgres.kill();
          await delay(Math.random() * 1_000);
          await postgres.restart();
        }
      }
      await delay(1_000);
    });
    await until(async () => (await stored()).trim() === wordsUntil().trim(), 60_000).catch(async () =>
      expect((await stored()).trim()).toBe(wordsUntil().trim()),
    );

    // The tab and the server at the same moment: what the browser has kept is not looked at yet.
    const crash = async (): Promise<number> => {
      const moment = Date.now();
      await Promise.all([program.kill(), page.goto('chrome://crash').catch(() => undefined)]);
      return moment;
    };
    const first = typed.length;
    const saves = new Map<Request, { readonly sentAt: number; answeredAt?: number }>();
    page.on('request', (request) => {
      if (/[/]editor[/]content/.test(request.url())) saves.set(request, { sentAt: Date.now() });
    });
    page.on('response', (response) => {
      const save = saves.get(response.request());
      if (save !== undefined) save.answeredAt = Date.now();
    });
    await type(page, () => delay(3_000 + Math.random() * 2_000));
    const killedAt = await crash();
    // A busy machine holds up the keys and the answers; what is promised is on top of that.
    const slowestMs = Math.max(
      ...typed.slice(first + 1).map(({ at }, index) => at - (typed[first + index]?.at ?? at)),
      ...[...saves.values()].map(({ sentAt, answeredAt = killedAt }) => answeredAt - sentAt),
    );
    program = await run();
    const left = (await stored()).trim();
    expect(wordsUntil().startsWith(left)).toBe(true);
    expect(left.length).toBeGreaterThanOrEqual(wordsUntil(killedAt - maxLostMs - slowestMs).trim().length);

    // Another tab of the same browser goes on with what the first had.
    const next = await openDocument();
    await until(async () => (await stored()).length >= left.length);
    await atEnd(next);
    const before = (await stored()).trim();
    await next.keyboard.type('END');
    await until(async () => (await stored()).includes('END'));
    const whole = (await stored()).replace('END', '').trim();
    expect(whole.startsWith(before)).toBe(true);
    expect(wordsUntil().startsWith(whole)).toBe(true);
  }, 240_000);
});

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { Block, EditorWorld, textBlock } from '../support/builders/editor-world.js';
import { noChromium } from '../support/clients/chromium.js';
import { DocumentEditor } from '../support/clients/document-editor.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';
import { stretched } from '../support/runner/stretched.js';

const paragraph = (...content: readonly Block[]): Block => ({ type: 'doc', content: [{ type: 'paragraph', content }] });
const variable: Block = { type: 'variable', attrs: { name: 'contact.first_name', fallback: 'harbour' } };

describeUnless(noChromium)('what a person does in the editor before an answer or a frame has come', () => {
  let rig: EditorWorld;
  let page: Page;
  let editor: DocumentEditor;

  beforeAll(async () => {
    rig = await EditorWorld.start();
    ({ page, editor } = rig);
  });

  afterEach(() => page.unrouteAll({ behavior: 'wait' }));

  afterAll(() => rig.close());

  const words = async (): Promise<string> => JSON.stringify(await rig.stored());

  /** Requests that `isHeld` names wait until they are let go. */
  const hold = async (isHeld: (request: Request) => boolean): Promise<() => void> => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/./, async (route) => {
      if (isHeld(route.request())) await released;
      await route.continue();
    });
    return release;
  };
  const isArrival = (request: Request): boolean => request.url().endsWith('/editor/connections');
  const isSave = (request: Request): boolean =>
    request.method() === 'POST' && request.url().endsWith('/editor/content');

  it('a click into the canvas counts although the answer that makes it writable comes later', async () => {
    await rig.open('Early', paragraph(textBlock('Words: ')));
    const release = await hold(isArrival);
    await page.reload();
    await editor.canvas.getByText('Words:').click();
    release();
    await editor.writable();
    await page.keyboard.press('End');
    await page.keyboard.type('kept');
    await until(async () => (await words()).includes('Words: kept'));
  });

  it('the blocks can be put in once the answer is there', async () => {
    await rig.open('Tiles', paragraph(textBlock('Words')));
    const release = await hold(isArrival);
    await page.reload();
    const tile = editor.panel.getByRole('button', { name: 'Button', exact: true });
    await tile.waitFor();
    await delay(1_000);
    release();
    await editor.writable();
    await until(() => tile.isEnabled(), 5_000);
  });

  it('asks again soon when nobody answered that it may write', async () => {
    await rig.open('Again', paragraph(textBlock('Words')));
    let failed = 0;
    await page.route(/[/]editor[/]connections$/, async (route) => {
      if (route.request().method() !== 'POST' || failed === 2) return route.continue();
      failed++;
      await route.abort();
    });
    await page.reload();
    await editor.canvas.waitFor();
    const shownAt = Date.now();
    await editor.writable();
    // The next call that comes anyway is ten seconds later.
    expect(Date.now() - shownAt).toBeLessThan(stretched(8_000));
    expect(failed).toBe(2);
  });

  it.each([
    ['/t', 'a', 'table'],
    ['{{fi', 'x', 'fix'],
  ])('Enter right behind a letter takes what fits all letters, and leaves none: %s%s', async (typed, last, taken) => {
    await rig.open(`Quick ${last}`);
    await editor.canvas.focus();
    await page.keyboard.type(typed);
    await page.getByRole('option', { selected: true }).waitFor();
    // In one task, so that nothing is drawn in between.
    await page.evaluate(`(async () => {
      document.execCommand('insertText', false, ${JSON.stringify(last)});
      await Promise.resolve();
      const enter = { key: 'Enter', code: 'Enter', keyCode: 13, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', enter));
    })()`);
    await until(async () => (await words()).includes(taken)).catch(async () => expect(await words()).toContain(taken));
    expect(await editor.canvas.innerText()).not.toMatch(/[/{]/);
    expect(await words()).not.toContain(`"text":"${last}"`);
  });

  it('a click on a variable that has just come back shows its settings', async () => {
    await rig.open('Back', paragraph(textBlock('Dear '), variable));
    await editor.show('Preview');
    await page.frameLocator('iframe').getByText('Dear').waitFor();
    await page.evaluate(`new MutationObserver((_, watch) => {
      const found = document.querySelector('.ed-variable');
      if (found === null) return;
      watch.disconnect();
      const { left, top, width, height } = found.getBoundingClientRect();
      const at = { bubbles: true, cancelable: true, detail: 1, clientX: left + width / 2, clientY: top + height / 2 };
      for (const type of ['mousedown', 'mouseup', 'click']) found.dispatchEvent(new MouseEvent(type, at));
    }).observe(document.body, { childList: true, subtree: true })`);
    await editor.show('Write');
    await editor.panel.getByLabel('Shown if there is no value').waitFor({ timeout: 10_000 });
  });

  it('no letter is lost in a setting, and the caret stays where one types', async () => {
    await rig.open('Setting', paragraph(textBlock('Dear '), variable));
    await editor.canvas.locator('.ed-variable').click();
    const field = editor.panel.getByLabel('Shown if there is no value');
    await field.click();
    await page.keyboard.press('Home');
    await page.keyboard.type('friends of the old ');
    expect(await field.inputValue()).toBe('friends of the old harbour');
    await until(async () => (await words()).includes('friends of the old harbour'));
  });

  it('who goes back to the document while the preview waits for the save stays there', async () => {
    await rig.open('Undecided', paragraph(textBlock('Words')));
    const release = await hold(isSave);
    await editor.canvas.getByText('Words').click();
    await page.keyboard.type('more');
    await editor.show('Preview');
    await editor.show('Write');
    const reread = page.waitForResponse((response) => response.url().endsWith(`/broadcasts/${rig.id}`));
    release();
    await editor.saved();
    await (await reread).finished();
    await delay(500);
    expect(await editor.canvas.isVisible()).toBe(true);
    await editor.show('Preview');
    await page.frameLocator('iframe').getByText('more').waitFor();
  });

  it.each(['broadcasts', 'templates'])('what is being written stays when reading it again fails: %s', async (kind) => {
    await rig.open('Kept', paragraph(textBlock('Words')));
    let path = `/broadcasts/${rig.id}`;
    if (kind === 'templates') {
      const { id } = await rig.ask('/templates', { name: 'Kept', html: '<p></p>' });
      const content = paragraph(textBlock('Words'));
      await rig.ask('/editor/content', { resource_type: 'template', resource_id: id, content });
      path = `/templates/${id}`;
      await page.goto(`/app${path}`);
      await editor.writable();
    }
    let failed = 0;
    const isRead = (url: URL): boolean => url.pathname === path;
    await page.route(isRead, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      failed++;
      await route.fulfill({
        status: 503,
        json: { name: 'internal_server_error', message: 'Not now', statusCode: 503 },
      });
    });
    await editor.canvas.getByText('Words').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' first');
    // It is tried three times before it counts as failed.
    await until(async () => failed >= 3, 20_000);
    await delay(500);
    await page.keyboard.type(' and second');
    expect(await editor.canvas.innerText()).toContain('Words first and second');
  });
});

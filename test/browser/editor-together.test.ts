import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { EditorWorld, textBlock } from '../support/builders/editor-world.js';
import { noChromium } from '../support/clients/chromium.js';
import { DocumentEditor } from '../support/clients/document-editor.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

/** `EDITOR_TOGETHER_MS=60000` writes for a minute. */
const togetherMs = Number(process.env.EDITOR_TOGETHER_MS ?? 12_000);

describeUnless(noChromium)('a document with several authors', () => {
  let rig: EditorWorld;
  let page: Page;
  let editor: DocumentEditor;

  beforeAll(async () => {
    rig = await EditorWorld.start();
    ({ page, editor } = rig);
  });

  afterAll(() => rig.close());

  it('two people write at once: each sees where the other one is, and every character of both stays', async () => {
    await rig.open('Together', {
      type: 'doc',
      content: [
        { type: 'paragraph', content: [textBlock('First: ')] },
        { type: 'paragraph', content: [textBlock('Both: |')] },
        { type: 'paragraph', content: [textBlock('Second: ')] },
      ],
    });
    const second = await rig.visit();
    await rig.show(second.page);
    const there = new DocumentEditor(second.page);
    await page.getByRole('group', { name: 'People who have this open' }).waitFor();

    const typed = { one: '', other: '' };
    const letters = { one: 'abcdefghijklm', other: 'nopqrstuvwxyz' };
    const write = async (who: 'one' | 'other', on: Page, canvas: Locator, own: number): Promise<void> => {
      const before = Date.now();
      for (let no = 0; Date.now() - before < togetherMs; no++) {
        // Each in a paragraph of their own, and both in the one between.
        const place = no % 2 === 0 ? own : 1;
        await canvas
          .locator('> *')
          .nth(place)
          .click({ position: { x: 10, y: 8 } });
        // The end of a line, which may be in the middle of `Both:` once there are two lines.
        await on.keyboard.press(who === 'one' && place === 1 ? 'Home' : 'End');
        const words = Array.from({ length: 12 }, (_, at) => letters[who][(no * 12 + at) % 13]).join('');
        await on.keyboard.type(words, { delay: 30 });
        typed[who] += words;
      }
    };
    await Promise.all([write('one', page, editor.canvas, 0), write('other', second.page, there.canvas, 2)]);
    await page.locator('.ed-caret').waitFor({ state: 'attached' });
    const words = async (): Promise<string> =>
      ((await rig.stored()).content ?? [])
        .map(({ content = [] }) => content.map((node) => node.text).join(''))
        .join('\n');
    const shown = (canvas: Locator): Promise<string> =>
      canvas
        .locator('> *')
        .evaluateAll((blocks) => blocks.map((block) => (block as { textContent: string }).textContent).join('\n'));
    await until(async () => {
      const now = await words();
      return now === (await shown(editor.canvas)) && now === (await shown(there.canvas));
    }, 20_000).catch(async () =>
      expect([await shown(editor.canvas), await shown(there.canvas)]).toEqual([await words(), await words()]),
    );
    const now = await words();
    const sorted = (signs: string): string => [...signs].sort().join('');
    const ofBoth = now.replaceAll(/First:|Second:|[ |:\n]/g, '');
    expect(sorted(ofBoth)).toBe(sorted(`${typed.one}${typed.other}Both`));
    const [own = '', , others = ''] = now.split('\n');
    expect(own).toMatch(/^First: [a-m]+$/);
    expect(others).toMatch(/^Second: [n-z]+$/);
    expect(second.watch.troubles).toEqual([]);
    await second.context.close();
  });

  it('a tab that was offline goes on with what it had, and takes what others wrote', async () => {
    await editor.canvas.getByText('First:').click();
    await page.keyboard.press('End');
    await rig.owner.context.setOffline(true);
    await page.keyboard.type(' written offline');
    await page.getByText('The server cannot be reached.').waitFor();
    const theirs = await rig.stored();
    const [head, ...rest] = theirs.content ?? [];
    if (head === undefined) throw new Error('There is no document');
    const content = {
      ...theirs,
      content: [head, { type: 'heading', attrs: { level: 1 }, content: [textBlock('New')] }, ...rest],
    };
    await rig.write(content);
    await rig.owner.context.setOffline(false);
    await until(async () => JSON.stringify(await rig.stored()).includes('written offline'));
    expect((await rig.stored()).content?.slice(0, 2).map(({ type }) => type)).toEqual(['paragraph', 'heading']);
    await editor.canvas.getByText('New').waitFor();
  });

  it('what cannot be merged is refused as a conflict, not as an error of the service', async () => {
    const { id } = await rig.ask('/templates', { name: 'Letter', html: '<p></p>' });
    const content = { type: 'doc', content: [{ type: 'paragraph', content: [textBlock('Dear reader')] }] };
    await rig.ask('/editor/content', { resource_type: 'template', resource_id: id, content });
    await page.goto(`/app/templates/${id}`);
    await editor.writable();
    await editor.canvas.getByText('Dear reader').click();
    await rig.owner.context.setOffline(true);
    await page.keyboard.type(' written offline');
    await page.getByText('The server cannot be reached.').waitFor();
    await rig.world.program.request(`/templates/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ html: '<p>By hand</p>' }),
    });
    await rig.owner.context.setOffline(false);
    await page.getByRole('status').getByText('Changed elsewhere').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    const notice = page.locator('.mantine-Notification-root');
    await notice.waitFor();
    expect(await notice.innerText()).toContain('changed elsewhere in a way that cannot be merged');
  });
});

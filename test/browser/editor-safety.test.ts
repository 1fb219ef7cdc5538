import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { EditorWorld, harbourLetter } from '../support/builders/editor-world.js';
import { noChromium } from '../support/clients/chromium.js';
import { DocumentEditor } from '../support/clients/document-editor.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

describeUnless(noChromium)('what is in a document', () => {
  let rig: EditorWorld;
  let page: Page;
  let editor: DocumentEditor;
  const block = (words: string): Locator => editor.canvas.locator('> *').filter({ hasText: words });

  beforeAll(async () => {
    rig = await EditorWorld.start();
    ({ page, editor } = rig);
  });

  afterAll(() => rig.close());

  it('removes nothing that nobody asked to remove: a block dragged in, a menu that is closed, undo', async () => {
    const words = (): Promise<string[]> => editor.canvas.locator('> p, > h1').allInnerTexts();
    await rig.open('Kept', harbourLetter);
    await editor.canvas.getByText('The boats').click();
    // Chosen as a block, as the logo of a new document is.
    await page.keyboard.press('Escape');
    await editor.panel.getByRole('tab', { name: 'Add' }).click();
    await editor.panel
      .getByRole('button', { name: 'Divider', exact: true })
      .dragTo(block('Spring at the harbour'), { targetPosition: { x: 20, y: 2 } });
    await editor.canvas.locator('hr').waitFor();
    expect(await words()).toEqual(['Spring at the harbour', 'The boats are back.']);

    await editor.canvas.getByText('The boats').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' /');
    await editor.menu.waitFor();
    await page.keyboard.press('Escape');
    await editor.menu.waitFor({ state: 'detached' });
    await page.keyboard.press('Backspace');
    await until(async () => (await words())[1]?.trim() === 'The boats are back.');

    const undo = editor.panel.getByRole('button', { name: 'Undo' });
    for (let no = 0; no < 20 && (await undo.isEnabled()); no++) await undo.click();
    await editor.canvas.locator('hr').waitFor({ state: 'detached' });
    await editor.panel.getByRole('button', { name: 'Redo' }).click();
    await editor.canvas.locator('hr').waitFor();
    expect(await words()).toEqual(['Spring at the harbour', 'The boats are back.']);
  });

  it('shows a preview as wide as a phone', async () => {
    await rig.open('Narrow', harbourLetter);
    await editor.show('Preview');
    await page.locator('label').filter({ hasText: 'Phone' }).click();
    const frame = page.locator('iframe[data-phone]');
    await until(async () => (await frame.boundingBox())?.width === 375);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Locator, Page } from 'playwright-core';
import { Block, EditorWorld, harbourLetter, textBlock } from '../support/builders/editor-world.js';
import { noChromium } from '../support/clients/chromium.js';
import { DocumentEditor } from '../support/clients/document-editor.js';
import { rounds } from '../support/runner/rounds.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

/** In the page: what a browser does for Ctrl V. */
const pasting = `{
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/html', '<h2>Pasted</h2><p>Twice</p>');
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}`;

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

  it('keeps every block through any sequence of dragging in, typing, pasting, choosing, undo and redo', async () => {
    const kept = ['Stays one', 'Stays two', 'Stays three'];
    const paragraphs = kept.map((words): Block => ({ type: 'paragraph', content: [textBlock(words)] }));
    const at = fc.constantFrom(...kept);
    const step = fc.oneof(
      fc.record({
        does: fc.constant('drag'),
        at,
        what: fc.constantFrom('Divider', 'Button', 'Heading', 'Two columns'),
      }),
      fc.record({ does: fc.constantFrom('choose', 'paste', 'insert', 'undo', 'redo'), at, what: fc.constant('') }),
    );
    const press = async (name: 'Undo' | 'Redo'): Promise<void> => {
      const button = editor.panel.getByRole('button', { name });
      for (let no = 0; no < 3 && (await button.isEnabled()); no++) await button.click();
    };
    const run = async ({ does, at: words, what }: { does: string; at: string; what: string }): Promise<void> => {
      if (does === 'undo') return press('Undo');
      if (does === 'redo') return press('Redo');
      if (does === 'drag') {
        await editor.panel.getByRole('tab', { name: 'Add' }).click();
        return editor.panel.getByRole('button', { name: what, exact: true }).dragTo(editor.canvas.getByText(words));
      }
      await editor.canvas.getByText(words).click();
      // The block as a whole: where a logo is chosen on opening, it is the same.
      if (does === 'choose') return page.keyboard.press('Escape');
      await page.keyboard.press('End');
      if (does === 'insert') {
        await page.keyboard.type(' ');
        return editor.typeBlock('divid', 'Divider');
      }
      return page.evaluate(pasting);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
        await rig.open('Any', { type: 'doc', content: [...paragraphs, { type: 'footer' }] });
        for (const each of steps) {
          await run(each);
          const text = await editor.canvas.innerText();
          for (const words of kept) expect(text.split(words)).toHaveLength(2);
        }
      }),
      // A failure is shown as it was found: a browser takes too long to look for a shorter one.
      { numRuns: rounds(3, 20), endOnFailure: true, verbose: 1 },
    );
  });

  it('shows a preview of a broadcast and of a template as wide as a phone', async () => {
    const isNarrow = async (): Promise<void> => {
      await editor.show('Preview');
      await page.locator('label').filter({ hasText: 'Phone' }).click();
      await until(async () => (await page.locator('iframe[data-phone]').boundingBox())?.width === 375);
    };
    await rig.open('Narrow', harbourLetter);
    await isNarrow();
    const { id } = await rig.ask('/templates', { name: 'Narrow', html: '<p>The boats are back.</p>' });
    await page.goto(`/app/templates/${id}`);
    await isNarrow();
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { violationsOf } from '../support/clients/axe.js';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { DocumentEditor } from '../support/clients/document-editor.js';
import { testSender } from '../support/programs/program.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

interface Block {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly content?: readonly Block[];
  readonly text?: string;
}

const text = (words: string): Block => ({ type: 'text', text: words });
const first: Block = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 1 }, content: [text('Spring at the harbour')] },
    { type: 'paragraph', content: [text('The boats are back.')] },
    { type: 'footer' },
  ],
};

describeUnless(noChromium)('the document editor', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let owner: Visit;
  let page: Page;
  let editor: DocumentEditor;
  let segment: string;
  /** Of the broadcast that is written at the moment. */
  let id: string;

  const ask = async <Body = { readonly id: string }>(path: string, body?: object): Promise<Body> => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { 'content-type': 'application/json' };
    const response = await world.program.request(path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const stored = async (): Promise<Block> =>
    (await ask<{ content: Block }>(`/editor/content?resource_type=broadcast&resource_id=${id}`)).content;
  const types = ({ content = [] }: Block): readonly string[] => content.map(({ type }) => type);
  const block = (words: string): Locator => editor.canvas.locator('> *').filter({ hasText: words });

  const open = async (name: string, content?: Block): Promise<void> => {
    ({ id } = await ask('/broadcasts', { name, subject: name, from: testSender, segment_id: segment }));
    if (content !== undefined) await ask('/editor/content', { resource_type: 'broadcast', resource_id: id, content });
    await page.goto(`/app/broadcasts/${id}`);
    await page.locator('[role="textbox"][aria-label="Document"][contenteditable="true"]').waitFor();
  };

  /** The document once it is saved with these blocks: the same after a reload, and what the API renders. */
  const settled = async (blocks: readonly string[]): Promise<Block> => {
    await until(async () => String(types(await stored())) === String(blocks)).catch(async () =>
      expect(types(await stored())).toEqual(blocks),
    );
    await editor.saved();
    const before = await stored();
    const seen = await editor.canvas.innerText();
    await page.reload();
    await editor.canvas.waitFor();
    await until(async () => (await editor.canvas.innerText()) === seen);
    expect(await stored()).toEqual(before);
    const { html, text: plain } = await ask<{ html: string; text: string }>(`/broadcasts/${id}`);
    const rendered = await ask<{ html: string; text: string }>('/editor/render', {
      content: before,
      resource_type: 'broadcast',
    });
    expect({ html, plain }).toEqual({ html: rendered.html, plain: rendered.text });
    return before;
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startDashboardWorld(), startChromium()]);
    ({ id: segment } = await ask('/segments', { name: 'Readers' }));
    owner = await visit(browser, world.program.url);
    page = owner.page;
    editor = new DocumentEditor(page);
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('writes a broadcast by mouse: blocks from the menus, a setting, a drag, undo and redo', async () => {
    await open('By mouse', first);
    await block('The boats').hover();
    await page.getByRole('button', { name: 'Insert below' }).click();
    await editor.choose('List');
    await page.keyboard.type('Mussels');
    await page.getByRole('button', { name: 'Add a block' }).click();
    await editor.choose('Quote');
    await page.keyboard.type('I forgot my umbrella.');
    await editor.panel.getByRole('tab', { name: 'Add' }).click();
    await editor.panel.getByRole('button', { name: 'Button', exact: true }).click();
    await editor.canvas.getByText('Read more').click();
    await editor.panel.getByLabel('Link', { exact: true }).fill('https://acme.test/spring');
    await editor.panel.getByRole('combobox', { name: 'Size' }).click();
    await page.getByRole('option', { name: 'Large' }).click();

    await block('The boats').hover();
    const grip = page.getByRole('button', { name: 'Drag to move, click for actions' });
    await grip.dragTo(block('Spring at the harbour'), { targetPosition: { x: 20, y: 2 } });
    const order = () => editor.canvas.locator('> *').allInnerTexts();
    await until(async () => (await order())[0]?.includes('The boats') === true);
    await editor.canvas.press('Control+z');
    await until(async () => (await order())[0]?.includes('Spring') === true);
    await editor.canvas.press('Control+Shift+z');
    await until(async () => (await order())[0]?.includes('The boats') === true);

    const written = await settled(['paragraph', 'heading', 'bulletList', 'blockquote', 'button', 'footer']);
    expect(written.content?.[4]?.attrs).toMatchObject({ href: 'https://acme.test/spring', size: 'large' });
  });

  it('writes one by keyboard alone: from an empty document to one with blocks that were moved', async () => {
    await open('By keyboard');
    const isThere = () => page.evaluate<boolean>("document.activeElement?.getAttribute('aria-label') === 'Document'");
    for (let tabs = 0; tabs < 60 && !(await isThere()); tabs++) await page.keyboard.press('Tab');
    expect(await isThere()).toBe(true);
    await editor.typeBlock('heading', 'Heading');
    await page.keyboard.type('Winter at the harbour');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Dear ');
    await editor.typeVariable('first', 'First name');
    await page.keyboard.press('Enter');
    await editor.typeBlock('list', 'List');
    await page.keyboard.type('Boots');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Jackets');
    await page.keyboard.press('Control+/');
    await editor.menu.getByLabel('Search').waitFor();
    await page.keyboard.type('button');
    await page.keyboard.press('Enter');
    await editor.menu.waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+ArrowUp');
    const buttons = async (count: number) =>
      until(async () => (await editor.canvas.getByText('Read more').count()) === count);
    await page.keyboard.press('Control+d');
    await buttons(2);
    await page.keyboard.press('Control+Shift+Backspace');
    await buttons(1);
    await page.keyboard.press('Control+z');
    await buttons(2);
    await page.keyboard.press('Control+z');
    await buttons(1);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+z');

    const written = await settled(['heading', 'paragraph', 'button', 'bulletList']);
    expect(written.content?.[1]?.content?.[1]).toMatchObject({
      type: 'variable',
      attrs: { name: 'contact.first_name' },
    });
    expect(written.content?.[3]?.content).toHaveLength(2);
  });

  it('keeps what was written when another part of the page is looked at', async () => {
    await page.locator('[role="textbox"][aria-label="Document"][contenteditable="true"]').waitFor();
    await editor.canvas.getByText('Winter at the harbour').click();
    await page.keyboard.press('End');
    await page.keyboard.type(', again');
    await editor.show('Preview');
    await page.frameLocator('iframe').getByText('Winter at the harbour, again').waitFor();
    await editor.show('Write');
    await editor.canvas.getByText('Winter at the harbour, again').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and again');
    await until(async () => JSON.stringify(await stored()).includes('harbour, again and again'));
  });

  it('begins with a document of the gallery, saves a section of it, and updates another draft with it', async () => {
    const { id: other } = await ask('/templates', { name: 'Other', html: '<p></p>' });
    await page.goto('/app/templates');
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('radio', { name: /^Welcome/ }).click();
    await page.frameLocator('iframe[title="Welcome"]').getByText('Come on in').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Create template' }).click();
    await editor.canvas.getByText('Stuck? Ask Noor.').click();
    await editor.panel.getByRole('button', { name: 'Section', exact: true }).click();
    await editor.panel.getByRole('button', { name: 'Save as section' }).click();
    await page.getByLabel('Name of the section').fill('Ask Noor');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await editor.panel.getByText('A copy of the saved section Ask Noor.').waitFor();
    await editor.saved();

    const { data } = await ask<{ data: readonly { id: string }[] }>('/editor/sections');
    const saved = await ask<{ content: Block }>(`/editor/sections/${data[0]?.id ?? ''}`);
    const section = saved.content.content?.[0] as Block;
    const copy = { ...section, attrs: { ...section.attrs, savedId: data[0]?.id } };
    const content = { type: 'doc', content: [copy] };
    await ask('/editor/content', { resource_type: 'template', resource_id: other, content });
    await editor.writeOver('Stuck? Ask Noor.', 'Questions? Ask Noor.');
    await editor.panel.getByRole('button', { name: 'Update saved section' }).click();
    await page.getByRole('dialog').getByText('Other').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Update everywhere' }).click();
    await page.getByText('1 draft updated').waitFor();
    const { html } = await ask<{ html: string }>(`/templates/${other}`);
    expect(html).toContain('Questions? Ask Noor.');
  });

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('breaks no rule of accessibility, and has no errors: %s, %d wide', async (scheme, width) => {
    // One tab at a time writes.
    await page.goto('/app/broadcasts');
    const own = await visit(browser, world.program.url, { scheme, width });
    await signIn(own.page, world.owner.email, world.password);
    const there = new DocumentEditor(own.page);
    const broken: string[] = [];
    const look = async (at: string): Promise<void> => {
      for (const violation of await violationsOf(own.page)) broken.push(`${at}: ${violation}`);
    };
    await own.page.goto(`/app/broadcasts/${id}`);
    await there.canvas.getByText('Winter at the harbour').click();
    for (const tab of ['Block', 'Add', 'Email', 'Checks', 'Versions']) {
      await there.panel.getByRole('tab', { name: tab, exact: true }).click();
      await own.page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
      await look(tab);
    }
    await own.page.getByRole('button', { name: 'Add a block' }).click();
    await there.menu.waitFor();
    await look('menu');
    for (const part of ['Settings', 'HTML'] as const) {
      await there.show(part);
      await look(part);
    }
    for (const path of ['/app/styles', '/app/sections']) {
      await own.page.goto(path);
      await own.page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
      await look(path);
    }
    await own.page.goto('/app/templates');
    await own.page.getByRole('button', { name: 'Create template' }).click();
    await own.page.getByRole('radio', { name: /^Blank/ }).waitFor();
    await look('gallery');
    broken.push(...own.watch.troubles, ...owner.watch.troubles);
    await own.context.close();
    expect([...new Set(broken)]).toEqual([]);
  });
});

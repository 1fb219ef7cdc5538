import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Locator, Page } from 'playwright-core';
import { Block, EditorWorld, harbourLetter, textBlock } from '../support/builders/editor-world.js';
import { acceptFindings } from '../support/clients/accept-findings.js';
import { violationsOf } from '../support/clients/axe.js';
import { noChromium, signIn, visit } from '../support/clients/chromium.js';
import { DocumentEditor } from '../support/clients/document-editor.js';
import { rounds } from '../support/runner/rounds.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

describeUnless(noChromium)('the document editor', () => {
  let rig: EditorWorld;
  let page: Page;
  let editor: DocumentEditor;
  const ask = <Body = { readonly id: string }>(path: string, body?: object): Promise<Body> => rig.ask<Body>(path, body);
  const stored = (): Promise<Block> => rig.stored();
  const types = ({ content = [] }: Block): readonly string[] => content.map(({ type }) => type);
  const block = (words: string): Locator => editor.canvas.locator('> *').filter({ hasText: words });

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
    const { html, text: plain } = await ask<{ html: string; text: string }>(`/broadcasts/${rig.id}`);
    const rendered = await ask<{ html: string; text: string }>('/editor/render', {
      content: before,
      resource_type: 'broadcast',
    });
    expect({ html, plain }).toEqual({ html: rendered.html, plain: rendered.text });
    return before;
  };

  beforeAll(async () => {
    rig = await EditorWorld.start();
    ({ page, editor } = rig);
  });

  afterAll(() => rig.close());

  it('writes a broadcast by mouse: blocks from the menus, a setting, a drag, undo and redo', async () => {
    await rig.open('By mouse', harbourLetter);
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

  it('puts in every block by mouse and an image of one’s own, tests, schedules, and sends exactly what was rendered', async () => {
    await ask('/contacts', { email: 'ada@harbour.test', first_name: 'Ada', segments: [{ id: rig.segment }] });
    await rig.open('Every block', {
      type: 'doc',
      content: [{ type: 'paragraph', content: [textBlock('Everything')] }],
    });
    const add = async (choose: (options: Locator) => Promise<unknown>): Promise<void> => {
      await page.getByRole('button', { name: 'Add a block' }).click();
      await choose(editor.menu.getByRole('option'));
      await editor.menu.waitFor({ state: 'detached' });
    };
    let labels: readonly string[] = [];
    await add(async (options) => {
      labels = (await options.allInnerTexts()).filter((label) => label !== 'Variable');
      await options.filter({ hasText: /^Text$/ }).click();
    });
    for (const label of labels.slice(1)) {
      await add((options) => options.filter({ hasText: new RegExp(`^${label}$`) }).click());
    }
    const all = [
      ...[
        'paragraph',
        'paragraph',
        'heading',
        'heading',
        'heading',
        'bulletList',
        'orderedList',
        'blockquote',
        'codeBlock',
      ],
      ...['button', 'image', 'video', 'logo', 'social', 'menu', 'product', 'countdown'],
      ...['section', 'twoColumns', 'threeColumns', 'fourColumns', 'table', 'horizontalRule', 'spacer', 'html'],
      ...['conditional', 'footer'],
    ];
    await until(async () => types(await stored()).length === all.length).catch(() => undefined);
    expect([...types(await stored())].sort()).toEqual([...all].sort());

    await editor.canvas.locator('[data-block="image"]').click();
    await editor.panel.getByRole('tab', { name: 'Block', exact: true }).click();
    await editor.panel.getByRole('button', { name: 'Choose an image' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
    const buffer = await sharp({ create: { width: 640, height: 320, channels: 3, background: '#0b6b4f' } })
      .png()
      .toBuffer();
    await (await chooser).setFiles({ name: 'quay.png', mimeType: 'image/png', buffer });
    await page.getByRole('dialog').getByLabel('Alternative text').fill('The quay');
    await page.getByRole('dialog').getByRole('button', { name: 'Use this image' }).click();
    await until(async () => JSON.stringify(await stored()).includes('/i/'));
    expect(JSON.stringify(await stored())).toContain('"alt":"The quay"');
    await editor.saved();

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('dialog').getByLabel('To').fill('ada@harbour.test');
    await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click();
    await page.getByText('1 test sent').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('label').filter({ hasText: 'Describe a time' }).click();
    await page.getByRole('dialog').getByLabel('Description of the time').fill('in 2 seconds');
    await acceptFindings(page.getByRole('dialog'));
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
    await until(async () => (await ask<{ status: string }>(`/broadcasts/${rig.id}`)).status === 'sent', 30_000);
    const { data } = await ask<{ data: readonly { id: string; subject: string }[] }>('/emails?limit=5');
    const mail = data.find(({ subject }) => subject === 'Every block');
    const sent = await ask<{ html: string; text: string }>(`/emails/${mail?.id ?? ''}`);
    const shown = await ask<{ html: string; text: string }>(`/broadcasts/${rig.id}/preview`, {
      email: 'ada@harbour.test',
    });
    const plain = (mime: string): string => mime.replaceAll(/https?:[^"\s)]*unsubscribe[^"\s)]*/g, 'link');
    expect(plain(sent.html)).toBe(plain(shown.html));
    expect(plain(sent.text)).toBe(plain(shown.text));
  });

  it('puts in blocks of every kind by keyboard alone', async () => {
    await rig.open('Keys');
    await editor.canvas.focus();
    for (const name of [
      'Title',
      'Quote',
      'Button',
      'Image',
      'Two columns',
      'Table',
      'Divider',
      'Section',
      'Condition',
      'Footer',
    ]) {
      await page.keyboard.press('Control+/');
      await editor.menu.getByLabel('Search').waitFor();
      await page.keyboard.type(name);
      await editor.menu.getByRole('option', { name, exact: true, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await editor.menu.waitFor({ state: 'detached' });
    }
    const names = async (): Promise<string> => JSON.stringify(await stored());
    for (const type of [
      'heading',
      'blockquote',
      'button',
      'image',
      'twoColumns',
      'table',
      'horizontalRule',
      'section',
      'conditional',
      'footer',
    ]) {
      await until(async () => (await names()).includes(`"type":"${type}"`));
    }
  });

  it('shows the rule of the block that is chosen, and the one that an undo brings back', async () => {
    const rule = (field: string, value: string): object => ({ type: 'rule', field, operator: 'eq', value });
    const block = (field: string, value: string, ...content: readonly Block[]): Block => ({
      type: 'conditional',
      attrs: { rule: rule(field, value) },
      content,
    });
    const words = { type: 'paragraph', content: [textBlock('For a few')] };
    const inner = block('contact.last_name', 'Hopper', words);
    await rig.open('Rules', { type: 'doc', content: [block('contact.first_name', 'Ada', inner)] });
    await editor.canvas.getByText('For a few').click();
    const level = (no: number): Locator => editor.panel.getByRole('navigation').getByRole('button').nth(no);
    const value = editor.panel.getByLabel('Value');
    const shows = (wanted: string): Promise<unknown> => until(async () => (await value.inputValue()) === wanted);
    await level(1).click();
    await shows('Hopper');
    await level(0).click();
    await shows('Ada');
    await value.fill('Grace');
    await until(async () => JSON.stringify(await stored()).includes('Grace'));
    await editor.canvas.focus();
    await page.keyboard.press('Control+z');
    await shows('Ada');
    await page.keyboard.press('Control+Shift+z');
    await shows('Grace');
  });

  it('puts the caret behind the first letter of a new paragraph, however soon it is typed', async () => {
    await rig.open('Fast');
    await editor.canvas.focus();
    await page.keyboard.type('Boots\n'.repeat(24));
    const written = Array.from({ length: 24 }, () => ({ type: 'paragraph', content: [textBlock('Boots')] }));
    await until(async () => ((await stored()).content ?? []).length === 25);
    expect(await stored()).toEqual({ type: 'doc', content: [...written, { type: 'paragraph' }] });
  });

  it('writes one by keyboard alone: from an empty document to one with blocks that were moved', async () => {
    await rig.open('By keyboard');
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
    await editor.writable();
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

  it('says that a file is too large to be imported', async () => {
    await editor.panel.getByRole('tab', { name: 'Email', exact: true }).click();
    await editor.panel.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import' });
    const choose = async (name: string, bytes: number): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await dialog.getByRole('button', { name: 'Choose a file' }).click();
      await (await chooser).setFiles({ name, mimeType: 'text/html', buffer: Buffer.alloc(bytes, 'a') });
    };
    await choose('large.html', 8 * 1024 * 1024 + 1);
    await dialog.getByText('This file is larger than 8 MB.').waitFor();
    await choose('small.html', 3);
    await dialog.getByText('This file is larger than 8 MB.').waitFor({ state: 'detached' });
    expect(await dialog.getByRole('textbox').inputValue()).toBe('aaa');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('begins with a document of the gallery, saves a section of it, and updates another draft with it', async () => {
    const { id: other } = await ask('/templates', { name: 'Other', html: '<p></p>' });
    await page.goto('/app/templates');
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('radio', { name: /^Welcome/ }).click();
    await page.frameLocator('iframe[title="Welcome"]').getByText('Come on in').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Create template' }).click();
    await editor.writable();
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

  const darkLook = ['dark', 390] as const;

  it.each(rounds<readonly (readonly ['light' | 'dark', number])[]>([darkLook], [['light', 1440], darkLook]))(
    'breaks no rule of accessibility, and has no errors: %s, %d wide',
    async (scheme, width) => {
      await page.goto('/app/broadcasts');
      const own = await visit(rig.browser, rig.world.program.url, { scheme, width });
      await signIn(own.page, rig.world.owner.email, rig.world.password);
      const there = new DocumentEditor(own.page);
      const broken: string[] = [];
      const look = async (at: string): Promise<void> => {
        for (const violation of await violationsOf(own.page)) broken.push(`${at}: ${violation}`);
      };
      await own.page.goto(`/app/broadcasts/${rig.id}`);
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
      broken.push(...own.watch.troubles, ...rig.owner.watch.troubles);
      await own.context.close();
      expect([...new Set(broken)]).toEqual([]);
      // Ten pages, on a machine where other browsers run.
    },
    300_000,
  );
});

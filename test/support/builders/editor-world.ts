import type { Browser, Page } from 'playwright-core';
import { signIn, startChromium, visit, Visit } from '../clients/chromium.js';
import { DocumentEditor } from '../clients/document-editor.js';
import { testSender } from '../programs/program.js';
import { DashboardWorld, startDashboardWorld } from './dashboard-world.js';

export interface Block {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly content?: readonly Block[];
  readonly text?: string;
}

export const textBlock = (words: string): Block => ({ type: 'text', text: words });

/** A title, a sentence and a footer. */
export const harbourLetter: Block = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 1 }, content: [textBlock('Spring at the harbour')] },
    { type: 'paragraph', content: [textBlock('The boats are back.')] },
    { type: 'footer' },
  ],
};

/** Somebody who writes broadcasts in a browser. */
export class EditorWorld {
  /** The broadcast that is written at the moment. */
  id = '';

  private constructor(
    readonly world: DashboardWorld,
    readonly browser: Browser,
    readonly owner: Visit,
    readonly editor: DocumentEditor,
    readonly segment: string,
  ) {}

  static async start(): Promise<EditorWorld> {
    const [world, browser] = await Promise.all([startDashboardWorld(), startChromium()]);
    const { id: segment } = await ask<{ id: string }>(world, '/segments', { name: 'Readers' });
    const owner = await signedIn(world, browser);
    return new EditorWorld(world, browser, owner, new DocumentEditor(owner.page), segment);
  }

  get page(): Page {
    return this.owner.page;
  }

  /** Another window of the same person. */
  visit(): Promise<Visit> {
    return signedIn(this.world, this.browser);
  }

  ask<Body = { readonly id: string }>(path: string, body?: object): Promise<Body> {
    return ask(this.world, path, body);
  }

  async stored(): Promise<Block> {
    const path = `/editor/content?resource_type=broadcast&resource_id=${this.id}`;
    return (await this.ask<{ content: Block }>(path)).content;
  }

  /** Writes as a program does. */
  async write(content: Block): Promise<void> {
    await this.ask('/editor/content', { resource_type: 'broadcast', resource_id: this.id, content });
  }

  /** A new broadcast, shown in the editor. */
  async open(name: string, content?: Block): Promise<void> {
    const fields = { name, subject: name, from: testSender, segment_id: this.segment };
    ({ id: this.id } = await this.ask('/broadcasts', fields));
    if (content !== undefined) await this.write(content);
    await this.show(this.page);
  }

  async show(page: Page): Promise<void> {
    await page.goto(`/app/broadcasts/${this.id}`);
    await new DocumentEditor(page).writable();
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.world.stop();
  }
}

async function signedIn({ program, owner, password }: DashboardWorld, browser: Browser): Promise<Visit> {
  const visitor = await visit(browser, program.url);
  await signIn(visitor.page, owner.email, password);
  return visitor;
}

async function ask<Body>({ program }: DashboardWorld, path: string, body?: object): Promise<Body> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'content-type': 'application/json' };
  const response = await program.request(path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as Body;
}

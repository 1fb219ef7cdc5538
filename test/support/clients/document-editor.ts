import type { Locator, Page } from 'playwright-core';

/** The document editor of a broadcast or a template, as a person uses it. */
export class DocumentEditor {
  constructor(private readonly page: Page) {}

  get canvas(): Locator {
    return this.page.getByRole('textbox', { name: 'Document' });
  }

  /** The settings beside the canvas. */
  get panel(): Locator {
    return this.page.getByRole('complementary', { name: 'Settings' });
  }

  get menu(): Locator {
    return this.page.getByRole('dialog', { name: 'Insert a block' });
  }

  /** Opens the document, what a contact gets, the settings, or the source. */
  async show(part: 'Write' | 'Preview' | 'Settings' | 'HTML'): Promise<void> {
    await this.page.getByRole('radiogroup', { name: 'Parts of the email' }).getByText(part, { exact: true }).click();
  }

  /** Once it can be written in: before the service has answered, the canvas is shown but takes no key. */
  async writable(): Promise<void> {
    await this.page.locator('[role="textbox"][aria-label="Document"][contenteditable="true"]').waitFor();
  }

  async saved(): Promise<void> {
    await this.page.getByText('Draft saved').waitFor();
  }

  /** Writes over the words of the block that contains them. */
  async writeOver(words: string, text: string): Promise<void> {
    await this.writable();
    await this.canvas.getByText(words).click({ clickCount: 3 });
    await this.page.keyboard.type(text);
  }

  /** Types the beginning of a name behind braces, and takes the first that is offered. */
  async typeVariable(typed: string, offered: string): Promise<void> {
    await this.page.keyboard.type(`{{${typed}`);
    await this.page.getByRole('option', { name: offered, selected: true }).waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('dialog', { name: 'Insert a variable' }).waitFor({ state: 'detached' });
  }

  /** Types the beginning of a name behind a slash, and takes the first that is offered. */
  async typeBlock(typed: string, offered: string): Promise<void> {
    await this.page.keyboard.type(`/${typed}`);
    await this.menu.getByRole('option', { name: offered, exact: true, selected: true }).waitFor();
    await this.page.keyboard.press('Enter');
    await this.menu.waitFor({ state: 'detached' });
  }

  /** Takes a block from the menu that is open. */
  async choose(block: string): Promise<void> {
    await this.menu.getByLabel('Search').fill(block);
    await this.menu.getByRole('option', { name: block, exact: true }).click();
    await this.menu.waitFor({ state: 'detached' });
  }

  async setFallback(variable: string, fallback: string): Promise<void> {
    await this.writable();
    await this.canvas.locator('.ed-variable').filter({ hasText: variable }).click();
    await this.panel.getByLabel('Shown if there is no value').fill(fallback);
  }
}

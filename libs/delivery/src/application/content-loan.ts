import { MessageContent } from '../domain/outbound-message.js';
import { ContentWish } from './late-content.js';

/** What one delivery has of contents: at its end all of it is released, and what still waits for memory waits no more. */
export class ContentLoan {
  private readonly taken: MessageContent[] = [];
  private readonly over = new AbortController();

  constructor(private readonly read: (wish: ContentWish) => Promise<MessageContent>) {}

  async take(onGranted?: () => void): Promise<MessageContent> {
    const content = await this.read({ onGranted, signal: this.over.signal });
    this.taken.push(content);
    if (this.over.signal.aborted) this.end();
    return content;
  }

  end(): void {
    this.over.abort(new Error('the delivery has ended'));
    for (const content of this.taken.splice(0)) content.release();
  }
}

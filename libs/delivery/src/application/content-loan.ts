import { MessageContent } from '../domain/outbound-message.js';
import { ContentRequest } from './late-content.js';

/** The contents that one delivery holds. `end` releases all of them and cancels requests that still wait for memory. */
export class ContentLoan {
  private readonly taken: MessageContent[] = [];
  private readonly over = new AbortController();

  constructor(private readonly read: (request: ContentRequest) => Promise<MessageContent>) {}

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

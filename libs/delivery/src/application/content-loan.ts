import { MessageContent } from '../domain/outbound-message.js';

/** What one delivery has of contents: at its end all of it is released, also what is still being read then. */
export class ContentLoan {
  private readonly taken: MessageContent[] = [];
  private isOver = false;

  constructor(private readonly read: (onGranted?: () => void) => Promise<MessageContent>) {}

  async take(onGranted?: () => void): Promise<MessageContent> {
    const content = await this.read(onGranted);
    this.taken.push(content);
    if (this.isOver) this.end();
    return content;
  }

  end(): void {
    this.isOver = true;
    for (const content of this.taken.splice(0)) content.release();
  }
}

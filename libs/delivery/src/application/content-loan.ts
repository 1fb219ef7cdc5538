import { MessageContent } from '../domain/outbound-message.js';
import { ContentUse, deliveryEnded } from './late-content.js';

/** The contents that one delivery holds. `end` releases all of them and cancels requests that still wait for memory. */
export class ContentLoan {
  private readonly uses: ContentUse[] = [];
  private isOver = false;

  constructor(private readonly use: (onGranted?: () => void) => ContentUse) {}

  async take(onGranted?: () => void): Promise<MessageContent> {
    if (this.isOver) throw deliveryEnded;
    const use = this.use(onGranted);
    this.uses.push(use);
    return use.content;
  }

  end(): void {
    this.isOver = true;
    for (const use of this.uses.splice(0)) use.end();
  }
}

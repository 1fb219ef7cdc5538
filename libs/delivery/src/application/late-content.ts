import { BudgetShare, FairBudget } from '#kernel';
import { MessageContent } from '../domain/outbound-message.js';
import { RenderedContent } from './ports/message-renderer.port.js';

interface Held {
  readonly share: BudgetShare;
  readonly rendered: RenderedContent;
}

/**
 * The content of one email, in memory only while somebody sends it: the first who asks reads it, those who ask meanwhile
 * share it, and when all have released it, it is forgotten. Who asks later has it read again.
 */
export class LateContent {
  private held: Promise<Held> | undefined;
  private users = 0;

  constructor(
    private readonly budget: FairBudget,
    private readonly owners: readonly string[],
    private readonly size: number,
    private readonly render: () => Promise<RenderedContent>,
  ) {}

  /** Waits until there is memory for it. */
  async of(recipientNo: number): Promise<MessageContent> {
    const held = (this.held ??= this.read());
    this.users++;
    let isUsed = true;
    const release = (): void => {
      if (isUsed) this.leave(held);
      isUsed = false;
    };
    try {
      const { share, rendered } = await held;
      const bytes = typeof rendered === 'function' ? await rendered(recipientNo) : rendered;
      return {
        bytes,
        get isInDemand() {
          return share.isInDemand;
        },
        release,
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  private async read(): Promise<Held> {
    const share = await this.budget.take(this.owners, this.size);
    try {
      return { share, rendered: await this.render() };
    } catch (error) {
      share.release();
      throw error;
    }
  }

  private leave(held: Promise<Held>): void {
    if (--this.users > 0) return;
    this.held = undefined;
    held.then(
      ({ share }) => share.release(),
      () => undefined,
    );
  }
}

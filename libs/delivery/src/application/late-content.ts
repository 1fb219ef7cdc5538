import { BudgetShare, FairBudget } from '#kernel';
import { MessageContent } from '../domain/outbound-message.js';
import { RenderedContent } from './ports/message-renderer.port.js';

interface Reading {
  readonly share: Promise<BudgetShare>;
  readonly rendered: Promise<RenderedContent>;
}

/**
 * The content of one email, in memory only while somebody sends it: the first who asks reads it, those who ask meanwhile
 * share it, and when all have released it, it is forgotten. Who asks later has it read again.
 */
export class LateContent {
  private reading: Reading | undefined;
  private users = 0;

  constructor(
    private readonly budget: FairBudget,
    private readonly owners: readonly string[],
    private readonly size: number,
    private readonly render: () => Promise<RenderedContent>,
  ) {}

  /** Waits until there is memory for it: then `onGranted` is called, and the content is read. */
  async of(recipientNo: number, onGranted?: () => void): Promise<MessageContent> {
    const { budget } = this;
    const reading = (this.reading ??= this.read());
    this.users++;
    let isUsed = true;
    const release = (): void => {
      if (isUsed) this.leave(reading);
      isUsed = false;
    };
    try {
      await reading.share;
      onGranted?.();
      const rendered = await reading.rendered;
      const bytes = typeof rendered === 'function' ? await rendered(recipientNo) : rendered;
      return {
        bytes,
        get isInDemand() {
          return budget.isContended;
        },
        release,
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  private read(): Reading {
    const share = this.budget.take(this.owners, this.size);
    const rendered = share.then(() => this.render());
    // Whoever asked waits for the memory first, and may have left by then.
    rendered.catch(() => undefined);
    return { share, rendered };
  }

  private leave({ share, rendered }: Reading): void {
    if (--this.users > 0) return;
    this.reading = undefined;
    const release = (): unknown => share.then(({ release: giveBack }) => giveBack());
    rendered.then(release, release).catch(() => undefined);
  }
}

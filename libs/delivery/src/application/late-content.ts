import { BudgetShare, FairBudget } from '#kernel';
import { MessageContent } from '../domain/outbound-message.js';
import { RenderedContent } from './ports/message-renderer.port.js';

/** How one delivery asks for content. */
export interface ContentRequest {
  /** Called when memory for the content is granted. */
  readonly onGranted?: () => void;
  /** Aborted when the delivery has ended: its content is released, or no longer waited for. */
  readonly signal?: AbortSignal;
}

/** Content that is being read or has been read, and the number of deliveries that use it now. */
interface Reading {
  users: number;
  readonly unwanted: AbortController;
  readonly share: Promise<BudgetShare>;
  readonly rendered: Promise<RenderedContent>;
}

/**
 * The content of one email, in memory only while a delivery uses it. The first delivery that asks reads it, and
 * deliveries that ask in the meantime share it. When all of them have released it, it is dropped; a later delivery
 * reads it again.
 */
export class LateContent {
  private reading: Reading | undefined;

  constructor(
    private readonly budget: FairBudget,
    private readonly owners: readonly string[],
    private readonly size: number,
    private readonly render: () => Promise<RenderedContent>,
  ) {}

  /** Waits until there is memory for the content. Rejects with the signal's reason if the signal is aborted before. */
  async of(recipientNo: number, { onGranted, signal }: ContentRequest = {}): Promise<MessageContent> {
    signal?.throwIfAborted();
    const reading = (this.reading ??= this.read());
    reading.users++;
    let isUsed = true;
    const release = (): void => {
      if (isUsed) this.leave(reading);
      isUsed = false;
    };
    const left = signal && ended(signal, release);
    try {
      const share = await (left === undefined ? reading.share : Promise.race([reading.share, left]));
      onGranted?.();
      const rendered = await reading.rendered;
      const bytes = typeof rendered === 'function' ? await rendered(recipientNo) : rendered;
      signal?.throwIfAborted();
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

  private read(): Reading {
    const unwanted = new AbortController();
    const share = this.budget.take(this.owners, this.size, unwanted.signal);
    const rendered = share.then(() => this.render());
    // The callers of `of` wait for the memory first, and may no longer be there when rendering fails.
    rendered.catch(() => undefined);
    return { users: 0, unwanted, share, rendered };
  }

  private leave(reading: Reading): void {
    if (--reading.users > 0) return;
    if (this.reading === reading) this.reading = undefined;
    reading.unwanted.abort(new Error('no delivery waits for the content'));
    // Content that is being rendered keeps its memory until the rendering has ended.
    const release = (): unknown => reading.share.then((share) => share.release());
    reading.rendered.then(release, release).catch(() => undefined);
  }
}

/** Rejects when the signal is aborted, after `onEnd`. */
function ended(signal: AbortSignal, onEnd: () => void): Promise<never> {
  const end = new Promise<never>((_, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        onEnd();
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
  end.catch(() => undefined);
  return end;
}

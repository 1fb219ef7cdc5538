import { BudgetShare, FairBudget } from '#kernel';
import { MessageContent } from '../domain/outbound-message.js';
import { RenderedContent } from './ports/message-renderer.port.js';

/** How one delivery uses content. */
export interface ContentUse {
  /** Waits until there is memory for the content. Rejects with `deliveryEnded` where the use ended before. */
  readonly content: Promise<MessageContent>;
  /** Releases the content, or no longer waits for it. A second call does nothing. */
  end(): void;
}

/** One for all deliveries: to make an error with its stack takes 15 µs, and nearly every delivery ends without a reader of it. */
export const deliveryEnded = new Error('the delivery has ended');

/** Content that is being read or has been read, and the number of deliveries that use it now. */
interface Reading {
  users: number;
  /** Undefined where the memory was granted immediately. */
  readonly unwanted: AbortController | undefined;
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

  /** `onGranted` is called when memory for the content is granted. */
  use(recipientNo: number, onGranted?: () => void): ContentUse {
    const reading = (this.reading ??= this.read());
    reading.users++;
    let isUsed = true;
    const release = (): void => {
      if (isUsed) this.leave(reading);
      isUsed = false;
    };
    let giveUp = (): void => undefined;
    const content = new Promise<MessageContent>((resolve, reject) => {
      giveUp = () => reject(deliveryEnded);
      reading.share
        .then((share) => {
          if (isUsed) onGranted?.();
          return contentOf(reading, recipientNo, share, release);
        })
        .then(resolve, (error: Error) => {
          release();
          reject(error);
        });
    });
    const end = (): void => {
      release();
      giveUp();
    };
    return { content, end };
  }

  private read(): Reading {
    const granted = this.budget.takeAtOnce(this.owners, this.size);
    const unwanted = granted === undefined ? new AbortController() : undefined;
    const share =
      granted === undefined ? this.budget.take(this.owners, this.size, unwanted?.signal) : Promise.resolve(granted);
    const rendered = share.then(() => this.render());
    // The deliveries wait for the memory first, and may no longer be there when rendering fails.
    rendered.catch(() => undefined);
    return { users: 0, unwanted, share, rendered };
  }

  private leave(reading: Reading): void {
    if (--reading.users > 0) return;
    if (this.reading === reading) this.reading = undefined;
    reading.unwanted?.abort(deliveryEnded);
    // Content that is being rendered keeps its memory until the rendering has ended.
    const release = (): unknown => reading.share.then((share) => share.release());
    reading.rendered.then(release, release).catch(() => undefined);
  }
}

async function contentOf(
  { rendered }: Reading,
  recipientNo: number,
  share: BudgetShare,
  release: () => void,
): Promise<MessageContent> {
  const found = await rendered;
  const bytes = typeof found === 'function' ? await found(recipientNo) : found;
  return {
    bytes,
    get isInDemand() {
      return share.isInDemand;
    },
    release,
  };
}

import { Injectable } from '@nestjs/common';
import { OutgoingEmail, OutgoingEmails, Tag } from '#emails';
import { BudgetShare, FairBudget, isDatabaseAway, isPromise, Slots, whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import { ClaimedRecipient, MessageContent } from '../domain/attempt.js';
import { MessageRenderer, RenderedContent } from './ports/message-renderer.port.js';

const megabyte = 1024 * 1024;
/** Emails up to this size have a memory budget of their own, so that they never wait behind larger ones. */
const maxSmallBytes = 128 * 1024;
/** Bytes of small emails that one process holds for delivery, in total and for one lane or one team. */
const smallContent = { total: 32 * megabyte, maxPerOwner: 8 * megabyte };
/** The same for larger emails. A single email of any size is let through. */
const largeContent = { total: 96 * megabyte, maxPerOwner: 40 * megabyte };
/**
 * Bytes of small emails rendered before their turn. A budget of its own, so that no delivery waits for memory that others
 * hold early.
 */
const earlyContent = { total: 16 * megabyte, maxPerOwner: 8 * megabyte };
/**
 * What was read longer ago is read, rendered and signed again, in ms. So a worker that is cut off from the database hands
 * nothing over any more long before another one takes its mail (`silentForMs` of the delivery worker), and no signature is
 * older.
 */
const maxEarlyMs = 5_000;
/** The tags of one email at most, about. */
const maxTagBytes = 32 * 1024;
/**
 * Bulk messages rendered and signed at the same time: half of the four threads that sign. So a transactional message
 * finds a thread at once, and two threads sign more than the main thread can send.
 */
const maxBulkSigned = 2;

/**
 * Holds the content of emails in memory while hosts receive it. The memory is charged to the lane and to the team, so
 * that one silent host or one customer cannot use up the memory of the others.
 */
@Injectable()
export class ContentsInDelivery {
  private readonly small = new FairBudget(smallContent);
  private readonly large = new FairBudget(largeContent);
  private readonly early = new FairBudget(earlyContent);
  private readonly loads: GatheredLoads<OutgoingEmail>;
  /**
   * Separate: transactional mail is usually still in memory, and would wait for the query of the bulk mail it was
   * gathered with.
   */
  private readonly bulkLoads: GatheredLoads<OutgoingEmail>;
  private readonly tags: GatheredLoads<readonly Tag[]>;
  private readonly bulkSigners = new Slots(maxBulkSigned);

  constructor(
    emails: OutgoingEmails,
    private readonly renderer: MessageRenderer,
  ) {
    this.loads = new GatheredLoads((ids) => emails.load(ids));
    this.bulkLoads = new GatheredLoads((ids) => emails.load(ids));
    this.tags = new GatheredLoads((ids) => emails.tagsOf(ids));
  }

  /** The email's tags, without its content. Emails that are asked about at the same time are looked up together. */
  async tagsOf(emailId: string): Promise<readonly Tag[]> {
    return (await this.tags.load(emailId, maxTagBytes)) ?? [];
  }

  /**
   * The email's content. Deliveries that share this object read the content once and use it together. `isAhead`: it is
   * read and rendered now if there is memory for it, together with the other emails of its claim. That costs less than
   * emails whose hosts ask for them one by one: one query reads them, and the threads that sign need not be woken for each.
   */
  of(lane: string, recipient: ClaimedRecipient, isAhead = false): LateContent {
    const { teamId, size } = recipient;
    const budget = size <= maxSmallBytes ? this.small : this.large;
    const owners = [`lane ${lane}`, `team ${teamId}`];
    const share = isAhead && size <= maxSmallBytes ? this.early.takeAtOnce(owners, size) : undefined;
    const early = share && new EarlyContent(this.render(recipient, true), share);
    return new LateContent(budget, owners, size, () => early?.take() ?? this.render(recipient), early);
  }

  /** `withOwn`: renders the recipient's own copy as well, if each has its own. */
  private async render(
    { emailId, size, isBulk, recipientNo }: ClaimedRecipient,
    withOwn = false,
  ): Promise<RenderedContent> {
    const email = await (isBulk === true ? this.bulkLoads : this.loads).load(emailId, size);
    if (email === undefined) throw new Error('the content of the email cannot be read');
    const rendered = await (isBulk === true ? this.renderInTurn(email) : this.renderer.render(email));
    if (typeof rendered !== 'function' || !withOwn) return rendered;
    const own = await rendered(recipientNo);
    return (no) => (no === recipientNo ? Promise.resolve(own) : rendered(no));
  }

  private async renderInTurn(email: OutgoingEmail): Promise<RenderedContent> {
    const rendered = await this.bulkSigners.use(async () => this.renderer.render(email));
    return typeof rendered === 'function'
      ? (recipientNo) => this.bulkSigners.use(() => rendered(recipientNo))
      : rendered;
  }
}

/** What was rendered before its turn. It is used once, or dropped. */
class EarlyContent {
  private readonly readAt = performance.now();
  private content: Promise<RenderedContent> | undefined;

  constructor(
    content: Promise<RenderedContent>,
    private readonly share: BudgetShare,
  ) {
    this.content = content;
    // The turn may never come.
    content.catch(() => undefined);
  }

  /** Undefined if it was taken or dropped, or is too old. */
  take(): Promise<RenderedContent> | undefined {
    const { content } = this;
    this.drop();
    return performance.now() - this.readAt < maxEarlyMs ? content : undefined;
  }

  drop(): void {
    if (this.content !== undefined) this.share.release();
    this.content = undefined;
  }
}

/** How one delivery uses content. */
interface ContentUse {
  /** Waits until there is memory for the content. Rejects with `deliveryEnded` if the use ended first. */
  readonly content: Promise<MessageContent>;
  /** Releases the content, or no longer waits for it. A second call does nothing. */
  end(): void;
}

/**
 * One for all deliveries: to make an error with its stack takes 15 µs, and nearly every delivery ends without a reader
 * of it.
 */
const deliveryEnded = new Error('the delivery has ended');

/** Content that is being read or has been read, and the number of deliveries that use it now. */
interface Reading {
  users: number;
  /** Undefined if the memory was granted immediately. */
  readonly unwanted: AbortController | undefined;
  readonly share: MaybePromise<BudgetShare>;
  readonly rendered: Promise<RenderedContent>;
  /** Rendering has ended, well or badly: the memory may be released at once. */
  isRendered: boolean;
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
    private readonly early?: { drop(): void },
  ) {}

  /** Drops what was rendered before its turn. */
  forget(): void {
    this.early?.drop();
  }

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
      const fail = (error: Error): void => {
        release();
        reject(error);
      };
      const failed = (error: Error): void => {
        reading.isRendered = true;
        fail(error);
      };
      const granted = (share: BudgetShare): void => {
        if (isUsed) onGranted?.();
        const give = (bytes: Uint8Array): void => resolve(new HeldContent(bytes, share, release));
        reading.rendered.then((found) => {
          reading.isRendered = true;
          if (typeof found === 'function') found(recipientNo).then(give, fail);
          else give(found);
        }, failed);
      };
      if (isPromise(reading.share)) reading.share.then(granted, fail);
      else granted(reading.share);
    });
    const end = (): void => {
      release();
      giveUp();
    };
    return { content, end };
  }

  private read(): Reading {
    const granted = this.budget.takeAtOnce(this.owners, this.size);
    if (granted !== undefined) {
      return { users: 0, unwanted: undefined, share: granted, rendered: this.render(), isRendered: false };
    }
    const unwanted = new AbortController();
    const share = this.budget.take(this.owners, this.size, unwanted.signal);
    const rendered = share.then(() => this.render());
    // The deliveries wait for the memory first, and may no longer be there when rendering fails.
    rendered.catch(() => undefined);
    return { users: 0, unwanted, share, rendered, isRendered: false };
  }

  private leave(reading: Reading): void {
    if (--reading.users > 0) return;
    if (this.reading === reading) this.reading = undefined;
    reading.unwanted?.abort(deliveryEnded);
    // Content that is being rendered keeps its memory until the rendering has ended.
    const release = (): unknown => whenKnown(reading.share, (share) => share.release());
    if (reading.isRendered) release();
    else reading.rendered.then(release, release).catch(() => undefined);
  }
}

/** A class, because an object with a getter is slow to make. */
class HeldContent implements MessageContent {
  constructor(
    readonly bytes: Uint8Array,
    private readonly share: BudgetShare,
    readonly release: () => void,
  ) {}

  get isInDemand(): boolean {
    return this.share.isInDemand;
  }
}

/** The contents that one delivery holds. `end` releases all of them and cancels requests that still wait for memory. */
export class ContentLoan {
  private readonly uses: ContentUse[] = [];
  private isOver = false;

  constructor(private readonly use: (onGranted?: () => void) => ContentUse) {}

  take(onGranted?: () => void): Promise<MessageContent> {
    if (this.isOver) return Promise.reject(deliveryEnded);
    const use = this.use(onGranted);
    this.uses.push(use);
    return use.content;
  }

  end(): void {
    this.isOver = true;
    for (const use of this.uses.splice(0)) use.end();
  }
}

/** Bytes of content read with one query. */
const maxBytesAtOnce = 4 * 1024 * 1024;
/** Items handed over in one turn of the event loop: what is done with them takes up to 0.2 ms each. */
const maxItemsAtOnce = 16;

interface Wanted<Item> {
  readonly id: string;
  readonly size: number;
  readonly resolve: (item: Item | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers the loads of one turn of the event loop into one query, up to 4 MB at a time. */
export class GatheredLoads<Item> {
  private wanted: Wanted<Item>[] = [];

  constructor(private readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>) {}

  /**
   * Undefined if there is no such item. An item that cannot be read rejects alone; without a database all reject.
   */
  load(id: string, size: number): Promise<Item | undefined> {
    return new Promise((resolve, reject) => {
      if (this.wanted.length === 0) setImmediate(() => this.readWanted());
      this.wanted.push({ id, size, resolve, reject });
    });
  }

  private readWanted(): void {
    const wanted = this.wanted;
    this.wanted = [];
    for (const batch of batchesOf(wanted)) void this.readBatch(batch);
  }

  private async readBatch(batch: readonly Wanted<Item>[]): Promise<void> {
    try {
      const items = await this.read([...new Set(batch.map(({ id }) => id))]);
      for (const [no, { id, resolve }] of batch.entries()) {
        if (no > 0 && no % maxItemsAtOnce === 0) await nextTurn();
        resolve(items.get(id));
      }
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) return batch.forEach(({ reject }) => reject(error));
      for (const one of batch) await this.readBatch([one]);
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function batchesOf<Item>(wanted: readonly Wanted<Item>[]): Wanted<Item>[][] {
  const batches: Wanted<Item>[][] = [];
  let bytes = Infinity;
  for (const one of wanted) {
    if (bytes + one.size > maxBytesAtOnce) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(one);
    bytes += one.size;
  }
  return batches;
}

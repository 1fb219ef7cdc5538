import { FairBudget, Slots } from '#kernel';
import { Injectable } from '@nestjs/common';
import { OutgoingEmail, OutgoingEmails } from '#emails';
import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { GatheredLoads } from './gathered-loads.js';
import { LateContent } from './late-content.js';
import { MessageRenderer, RenderedContent } from './ports/message-renderer.port.js';

const megabyte = 1024 * 1024;
/** Emails up to this size have a memory budget of their own, so that they never wait behind larger ones. */
export const maxSmallBytes = 128 * 1024;
/** Bytes of small emails that one process holds for delivery, in total and for one lane or one team. */
const smallContent = { totalBytes: 32 * megabyte, maxBytesPerOwner: 8 * megabyte };
/** The same for larger emails. A single email of any size is let through. */
const largeContent = { totalBytes: 96 * megabyte, maxBytesPerOwner: 40 * megabyte };
/**
 * Bulk messages rendered and signed at the same time: half of the four threads that sign. So a transactional message finds a thread
 * at once, and two threads sign more than the main thread can send.
 */
const maxBulkSigned = 2;

/**
 * Holds the content of emails in memory while hosts receive it. The memory is charged to the lane and to the team, so
 * that one silent host or one customer cannot use up the memory of the others.
 */
@Injectable()
export class EmailContents {
  private readonly small = new FairBudget(smallContent);
  private readonly large = new FairBudget(largeContent);
  private readonly loads: GatheredLoads<OutgoingEmail>;
  /** Separate: transactional mail is usually still in memory, and would wait for the query of the bulk mail it was gathered with. */
  private readonly bulkLoads: GatheredLoads<OutgoingEmail>;
  private readonly bulkSigners = new Slots(maxBulkSigned);

  constructor(
    emails: OutgoingEmails,
    private readonly renderer: MessageRenderer,
  ) {
    this.loads = new GatheredLoads((ids) => emails.load(ids));
    this.bulkLoads = new GatheredLoads((ids) => emails.load(ids));
  }

  /** The email's content. Deliveries that share this object read the content once and use it together. */
  of(lane: string, { emailId, teamId, size, isBulk }: ClaimedRecipient): LateContent {
    const budget = size <= maxSmallBytes ? this.small : this.large;
    const loads = isBulk === true ? this.bulkLoads : this.loads;
    return new LateContent(budget, [`lane ${lane}`, `team ${teamId}`], size, async () => {
      const email = await loads.load(emailId, size);
      if (email === undefined) throw new Error('the content of the email cannot be read');
      return isBulk === true ? this.renderInTurn(email) : this.renderer.render(email);
    });
  }

  private async renderInTurn(email: OutgoingEmail): Promise<RenderedContent> {
    const rendered = await this.inTurn(() => this.renderer.render(email));
    return typeof rendered === 'function' ? (recipientNo) => this.inTurn(() => rendered(recipientNo)) : rendered;
  }

  private async inTurn<Result>(render: () => Promise<Result>): Promise<Result> {
    await this.bulkSigners.take();
    try {
      return await render();
    } finally {
      this.bulkSigners.release();
    }
  }
}

import { FairBudget } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SendingBusyError } from '../domain/draft-errors.js';

const megabyte = 1024 * 1024;
/** Content is in memory as it is read, as it is put together, and as it is stored again. */
const copies = 3;
const memory = { total: 240 * megabyte, maxPerOwner: 120 * megabyte };
/** Smaller content needs no share. Most mail is a tenth of it. */
const maxFreeBytes = 256 * 1024;
const maxWaitMs = 10_000;

/** The memory for attachments of drafts and for forwarded mail while they are sent, shared among teams. */
@Injectable()
export class MailMemory {
  private readonly budget = new FairBudget(memory);

  /** Runs `work`, which may hold this many bytes of stored content. */
  during<Result>(teamId: string, bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (bytes <= maxFreeBytes) return work();
    const patience = { maxWaitMs, refusal: () => new SendingBusyError() };
    return this.budget.during([teamId], bytes * copies, work, patience);
  }
}

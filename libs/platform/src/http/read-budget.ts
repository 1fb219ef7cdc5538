import { BudgetShare, DomainError, FairBudget } from '#kernel';
import { Injectable } from '@nestjs/common';

const mebibyte = 1024 * 1024;
/** Bytes that answers may hold at once, until they have left: with all that belongs to it a mail of 39 MB counts 117. */
const totalBytes = 256 * mebibyte;
const maxBytesPerOwner = 128 * mebibyte;
/** What a large answer waits for its turn. */
const maxWaitMs = 20_000;

/**
 * What an answer of this size counts that is read piece by piece, however large it is. It holds some 4 MB; the rest keeps one
 * owner to eight at once, each of which asks the store for a piece after the other.
 */
export function streamedBytes(size: number): number {
  return Math.min(size, 16 * mebibyte);
}

class ReadsBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many large answers are being sent. Please try again later.');
  }
}

/** The memory that large answers share, fairly among the teams that read and the addresses that follow links. */
@Injectable()
export class ReadBudget {
  private readonly budget = new FairBudget({ totalBytes, maxBytesPerOwner });

  /** Somebody waits for a share. */
  get isContended(): boolean {
    return this.budget.isContended;
  }

  /** Waits for its turn, for 20 seconds at most, and then refuses. To be taken before anything large is read. */
  async take(owner: string, bytes: number, waitMs = maxWaitMs): Promise<BudgetShare> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new ReadsBusyError()), waitMs);
    try {
      return await this.budget.take([owner], bytes, patience.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

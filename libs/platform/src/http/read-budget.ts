import { BudgetShare, DomainError, FairBudget } from '#kernel';
import { Injectable } from '@nestjs/common';

const mebibyte = 1024 * 1024;
/** Bytes that answers may hold at once, until they have left: with all that belongs to it a mail of 39 MB counts 117. */
const totalBytes = 256 * mebibyte;
const maxBytesPerOwner = 128 * mebibyte;
/** One that follows links. Half of what the links of a team may hold: others follow them, too. */
const maxBytesPerAddress = 64 * mebibyte;
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

/** Somebody who follows a signed link. */
export interface LinkReader {
  /** As of `ownerOf`. */
  readonly address: string;
  /** All links of one team, apart from what the team itself reads. */
  readonly links: string;
}

/** Who is charged for what is read: a team, or both the one who follows a link and the team whose link it is. */
export type Reader = string | LinkReader;

/** The memory that large answers share, fairly among the teams that read, the addresses that follow links and their teams. */
@Injectable()
export class ReadBudget {
  private readonly budget = new FairBudget({ totalBytes, maxBytesPerOwner });
  /** What each of those holds who follow links. Their memory is that of `budget`. */
  private readonly addresses = new FairBudget({
    totalBytes: Number.MAX_SAFE_INTEGER,
    maxBytesPerOwner: maxBytesPerAddress,
  });

  /** Somebody waits for a share. */
  get isContended(): boolean {
    return this.budget.isContended;
  }

  /** Waits for its turn, for 20 seconds at most, and then refuses. To be taken before anything large is read. */
  async take(reader: Reader, bytes: number, waitMs = maxWaitMs): Promise<BudgetShare> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new ReadsBusyError()), waitMs);
    try {
      if (typeof reader === 'string') return await this.budget.take([reader], bytes, patience.signal);
      return await this.takeForLink(reader, bytes, patience.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private async takeForLink({ address, links }: LinkReader, bytes: number, signal: AbortSignal): Promise<BudgetShare> {
    const own = await this.addresses.take([address], bytes, signal);
    try {
      const shared = await this.budget.take([address, links], bytes, signal);
      return {
        bytes,
        get isInDemand() {
          return shared.isInDemand || own.isInDemand;
        },
        release: () => {
          shared.release();
          own.release();
        },
      };
    } catch (error) {
      own.release();
      throw error;
    }
  }
}

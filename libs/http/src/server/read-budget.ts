import { BudgetShare, DomainError, FairBudget, takeWithin } from '#kernel';
import { Injectable } from '@nestjs/common';

const mebibyte = 1024 * 1024;
/**
 * Bytes that responses may hold until they are sent. An email of 39 MB counts 117 MB with everything that belongs to
 * it.
 */
const total = 256 * mebibyte;
const maxPerOwner = 128 * mebibyte;
/**
 * Maximum of one address that follows links: half of the maximum of the links of a team, because others follow them
 * too.
 */
const maxBytesPerAddress = 64 * mebibyte;
/** How long a large response waits for its turn. */
const maxWaitMs = 20_000;

/**
 * The bytes that are charged for a streamed response of this size. It holds only about 4 MB, but charging 16 MB limits
 * one owner to eight concurrent streams, each of which reads piece after piece from the store.
 */
export function streamedBytes(size: number): number {
  return Math.min(size, 16 * mebibyte);
}

class ReadsBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many large answers are being sent. Please try again later.');
  }
}

/** A client that follows a signed link. */
export interface LinkReader {
  /** The result of `ownerOf`. */
  readonly address: string;
  /** Key for all links of one team. It is separate from the key for what the team itself reads. */
  readonly links: string;
}

/** The owner of a response: a team, or both the client that follows a link and the links of the team. */
export type Reader = string | LinkReader;

/** The memory for large responses, shared fairly among teams, addresses that follow links, and the links of each team. */
@Injectable()
export class ReadBudget {
  private readonly budget = new FairBudget({ total, maxPerOwner });
  /** Limits each address that follows links. The memory itself is charged to `budget`. */
  private readonly addresses = new FairBudget({
    total: Number.MAX_SAFE_INTEGER,
    maxPerOwner: maxBytesPerAddress,
  });

  /** Whether a request waits for a share. */
  get isContended(): boolean {
    return this.budget.isContended;
  }

  /** Waits for a share, at most `waitMs`, and then throws the refusal. To be taken before anything large is read. */
  async take(reader: Reader, bytes: number, waitMs = maxWaitMs): Promise<BudgetShare> {
    const patience = { maxWaitMs: waitMs, refusal: () => new ReadsBusyError() };
    if (typeof reader === 'string') return this.budget.hold([reader], bytes, patience);
    return takeWithin(patience, (signal) => this.takeForLink(reader, bytes, signal));
  }

  private async takeForLink({ address, links }: LinkReader, bytes: number, signal: AbortSignal): Promise<BudgetShare> {
    const own = await this.addresses.take([address], bytes, signal);
    try {
      const shared = await this.budget.take([address, links], bytes, signal);
      return {
        amount: bytes,
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

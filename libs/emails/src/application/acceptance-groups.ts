import { IdempotencyClaim } from '#idempotency';
import { GroupCommit, ItemResult } from '#kernel';
import { AcceptedEmail } from '../domain/accepted-email.js';

/** Emails that are all accepted or all refused. */
export interface AcceptanceRequest {
  readonly emails: readonly AcceptedEmail[];
  readonly claim: IdempotencyClaim | undefined;
  /**
   * True if the quota is used up as far as this process knows. The transaction will then refuse the request, unless it is a
   * repetition.
   */
  readonly isLikelyRefused: boolean;
}

/** `repeated`: a request with the same key and body was accepted before, with this response. */
export type Acceptance = { readonly kind: 'accepted' } | { readonly kind: 'repeated'; readonly response: unknown };

/** A larger request gets a separate transaction, so that small mail never waits for it. */
const maxSharedBytes = 1024 * 1024;
/** So does a request with more emails: a large batch fills a transaction by itself. */
const maxSharedEmails = 25;
/** How long a team is written separately after one of its emails made a shared transaction fail. */
const suspectForMs = 60_000;
const maxSuspects = 1_000;
/** Maximum wait. After it the client is asked to try again, because many clients give up after ten seconds. */
const maxWaitMs = 5_000;

type Write = (requests: readonly AcceptanceRequest[]) => Promise<readonly ItemResult<Acceptance>[]>;

/** Decides which requests share a transaction. */
export class AcceptanceGroups {
  private readonly small: GroupCommit<AcceptanceRequest, Acceptance>;
  private readonly large: GroupCommit<AcceptanceRequest, Acceptance>;
  /**
   * Writes one request at a time, of all suspected teams together, so that teams which make transactions fail wait only
   * for each other.
   */
  private readonly suspicious: GroupCommit<AcceptanceRequest, Acceptance>;
  private readonly suspects = new Map<string, number>();

  constructor(write: Write) {
    this.small = new GroupCommit(write, {
      maxBatch: 256,
      concurrency: 2,
      gatherMs: 2,
      patienceMs: maxWaitMs,
      ownerOf: teamOf,
      onCulprit: (request) => this.suspect(teamOf(request)),
    });
    this.large = new GroupCommit(write, { maxBatch: 1, concurrency: 4, gatherMs: 0, patienceMs: maxWaitMs });
    this.suspicious = new GroupCommit(write, { maxBatch: 1, concurrency: 1, gatherMs: 0, patienceMs: maxWaitMs });
  }

  submit(request: AcceptanceRequest): Promise<Acceptance> {
    // A request that will probably be refused makes its transaction fail, so it does not share one.
    if (request.isLikelyRefused || isLarge(request)) return this.large.submit(request);
    return (this.isSuspect(teamOf(request)) ? this.suspicious : this.small).submit(request);
  }

  async drain(): Promise<void> {
    await Promise.all([this.small.drain(), this.suspicious.drain(), this.large.drain()]);
  }

  private suspect(teamId: string): void {
    if (this.suspects.size >= maxSuspects) this.suspects.delete(this.suspects.keys().next().value as string);
    this.suspects.set(teamId, performance.now() + suspectForMs);
  }

  private isSuspect(teamId: string): boolean {
    const until = this.suspects.get(teamId);
    if (until === undefined) return false;
    if (until < performance.now()) this.suspects.delete(teamId);
    return until >= performance.now();
  }
}

function isLarge({ emails }: AcceptanceRequest): boolean {
  return emails.length > maxSharedEmails || emails.reduce((sum, { email }) => sum + email.size, 0) > maxSharedBytes;
}

function teamOf({ emails: [first] }: AcceptanceRequest): string {
  return first?.email.teamId ?? '';
}

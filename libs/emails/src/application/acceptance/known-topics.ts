import { RecipientConsents } from '#audience';
import { Clock, NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';

/** How long a topic that was found counts as known. Screening decides within the transaction, so that an old entry is harmless. */
const knownForMs = 60_000;
const maxKnown = 10_000;

/**
 * Step of acceptance: refuses a topic that the team does not have. Requests with the same topic share one read, and a topic
 * is read again after a minute.
 */
@Injectable()
export class KnownTopics {
  private readonly known = new Map<string, { readonly until: number; readonly exists: Promise<boolean> }>();

  constructor(
    private readonly consents: RecipientConsents,
    private readonly clock: Clock,
  ) {}

  async require(teamId: string, topicId: string, address: string): Promise<void> {
    const key = `${teamId} ${topicId}`;
    const now = this.clock.now().getTime();
    const entry = this.known.get(key);
    const exists =
      entry !== undefined && entry.until > now ? entry.exists : this.read(key, teamId, topicId, address, now);
    if (!(await exists)) throw new NotFoundError('Topic');
  }

  private read(key: string, teamId: string, topicId: string, address: string, now: number): Promise<boolean> {
    const exists = this.consents.of([{ teamId, topicId, address }]).then(([consent]) => consent?.subscription != null);
    if (this.known.size >= maxKnown) this.known.clear();
    this.known.set(key, { until: now + knownForMs, exists });
    // A topic that is created in a moment must be found at once.
    exists.then(
      (found) => found || this.known.delete(key),
      () => this.known.delete(key),
    );
    return exists;
  }
}

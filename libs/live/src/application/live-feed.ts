import { isDatabaseTrouble, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import {
  boundsOfSnapshot,
  isKnownAt,
  type LiveEvent,
  LivePosition,
  NoRoomForStreamsError,
  positionId,
  TooManyStreamsError,
} from '../domain/live-event.js';
import { LiveChange, LiveChanges, LiveReading, WatchedEmails } from './ports/live-changes.port.js';
import { told, tellable } from './tellable.js';

export const maxStreams = 1_000;
export const maxStreamsPerTeam = 100;
/** Older positions are not resumed from. Changes are kept longer, and so are watches after the last stream of a team. */
export const resumableMs = 20_000;
const watchForMs = 60_000;
const renewEveryMs = 10_000;
/** A transaction that runs for long must not keep a client waiting. What it commits is told later as `changed`. */
const maxWaitForReadyMs = 2_000;

/** A stream to one client. `send` must not throw. */
export interface LiveSubscriber {
  readonly teamId: string;
  send(event: LiveEvent, id: string): void;
  /** Ends the stream in favour of another team's. */
  end(): void;
}

interface Subscription {
  readonly subscriber: LiveSubscriber;
  readonly since: number;
  /** Everything before this position has been told. Undefined until the stream is ready. */
  known: LivePosition | undefined;
  /** Transactions below this one may have changed something before the team was watched. */
  unsafeBelow: bigint | undefined;
}

/**
 * The one source of live changes in a process: a reading every moment for all streams together, and one query for the
 * emails that changed. While no stream is open it does nothing.
 */
@Injectable()
export class LiveFeed {
  private readonly sourceId = newId();
  private readonly subscriptions = new Set<Subscription>();
  /** When each team that is watched was last needed. */
  private readonly neededAt = new Map<string, number>();
  private registered: ReadonlySet<string> = new Set();
  private renewedAt = -Infinity;
  private position: LivePosition | undefined;

  constructor(
    private readonly changes: LiveChanges,
    private readonly emails: WatchedEmails,
  ) {}

  get size(): number {
    return this.subscriptions.size;
  }

  /** Returns a function that ends the subscription. Throws if there are too many. */
  subscribe(subscriber: LiveSubscriber, from: LivePosition | undefined): () => void {
    const ofTeam = [...this.subscriptions].filter((other) => other.subscriber.teamId === subscriber.teamId).length;
    if (ofTeam >= maxStreamsPerTeam) throw new TooManyStreamsError(maxStreamsPerTeam);
    if (this.subscriptions.size >= maxStreams) this.makeRoom(ofTeam);
    const subscription = { subscriber, since: performance.now(), known: from, unsafeBelow: undefined };
    this.subscriptions.add(subscription);
    this.neededAt.set(subscriber.teamId, performance.now());
    return () => {
      this.subscriptions.delete(subscription);
      this.neededAt.set(subscriber.teamId, performance.now());
    };
  }

  /** Ends the oldest stream of the team with the most, if that has more than the team of the newcomer would have. */
  private makeRoom(ofTeam: number): void {
    const byTeam = new Map<string, Subscription[]>();
    for (const subscription of this.subscriptions) {
      const { teamId } = subscription.subscriber;
      byTeam.set(teamId, [...(byTeam.get(teamId) ?? []), subscription]);
    }
    const largest = [...byTeam.values()].reduce((a, b) => (b.length > a.length ? b : a));
    if (largest.length <= ofTeam + 1) throw new NoRoomForStreamsError();
    const [oldest] = largest as [Subscription];
    this.subscriptions.delete(oldest);
    oldest.subscriber.end();
  }

  /**
   * Reads what has changed and tells it. After a failure all streams are told to reload, because changes may be
   * missing.
   */
  async step(): Promise<void> {
    if (this.subscriptions.size === 0) this.position = undefined;
    if (this.subscriptions.size === 0 && this.registered.size === 0) return;
    try {
      await this.renew();
      if (this.subscriptions.size > 0) await this.readOn();
    } catch (error) {
      this.lose();
      if (!isDatabaseTrouble(error)) throw error;
    }
  }

  private async renew(): Promise<void> {
    const now = performance.now();
    for (const { subscriber } of this.subscriptions) this.neededAt.set(subscriber.teamId, now);
    for (const [teamId, at] of this.neededAt) if (now - at > watchForMs) this.neededAt.delete(teamId);
    const isNew = [...this.neededAt.keys()].some((teamId) => !this.registered.has(teamId));
    if (!isNew && now - this.renewedAt < renewEveryMs) return;
    const teams = [...this.neededAt.keys()];
    await this.changes.watch(this.sourceId, teams, watchForMs);
    await this.changes.prune();
    this.registered = new Set(teams);
    this.renewedAt = now;
  }

  private async readOn(): Promise<void> {
    const teams = [...this.registered];
    const present = [...this.subscriptions];
    const from = this.oldestToResume() ?? this.position;
    const reading = await this.changes.read(this.sourceId, teams, from);
    if (teams.some((teamId) => reading.watches.get(teamId)?.isOwn !== true)) return this.lose();
    const news = from === undefined ? [] : reading.changes;
    const emails = await this.load(news);
    // A stream that began meanwhile is told at the next reading.
    for (const subscription of present) {
      if (this.registered.has(subscription.subscriber.teamId)) this.tell(subscription, reading, news, emails);
    }
    this.position = reading.position;
  }

  /**
   * The oldest position from which a stream that has just begun resumes. One that is too old must not widen the reading
   * of all.
   */
  private oldestToResume(): LivePosition | undefined {
    const all = [...this.subscriptions].flatMap(({ known }) => (known === undefined ? [] : [known]));
    const newest = this.position?.at ?? Math.max(...all.map(({ at }) => at));
    const resumable = all.filter(({ at }) => newest - at <= resumableMs);
    const oldest = resumable.reduce<LivePosition | undefined>(
      (old, known) => (old && old.at <= known.at ? old : known),
      undefined,
    );
    return oldest === undefined || this.position === undefined || oldest.at < this.position.at ? oldest : undefined;
  }

  private async load(news: readonly LiveChange[]): Promise<ReadonlyMap<string, readonly object[]>> {
    const ids = tellable(news);
    const loaded = ids.length === 0 ? [] : await this.emails.load(ids);
    const byTeam = new Map<string, object[]>();
    for (const { teamId, shown } of loaded) byTeam.set(teamId, [...(byTeam.get(teamId) ?? []), shown]);
    return byTeam;
  }

  private tell(
    subscription: Subscription,
    reading: LiveReading,
    news: readonly LiveChange[],
    emails: ReadonlyMap<string, readonly object[]>,
  ): void {
    const { subscriber, known } = subscription;
    const send = (event: LiveEvent): void => subscriber.send(event, positionId(reading.position));
    if (known === undefined) return this.begin(subscription, reading, send);
    subscription.known = reading.position;
    if (!isResumable(known, reading, subscriber.teamId)) return send({ type: 'reload' });
    const own = news.filter(({ teamId, xid }) => teamId === subscriber.teamId && !isKnownAt(known.snapshot, xid));
    if (reading.isCut) send({ type: 'changed', topics: ['emails'] });
    else for (const event of told(own, emails.get(subscriber.teamId) ?? [])) send(event);
    this.catchUp(subscription, reading, send);
  }

  /** A stream is ready when all transactions have ended that may not have seen that the team is watched. */
  private begin(subscription: Subscription, reading: LiveReading, send: (event: LiveEvent) => void): void {
    const { xmin, xmax } = boundsOfSnapshot(reading.position.snapshot);
    subscription.unsafeBelow ??= xmax;
    const isSafe = xmin >= subscription.unsafeBelow;
    if (!isSafe && performance.now() - subscription.since < maxWaitForReadyMs) return;
    if (isSafe) subscription.unsafeBelow = undefined;
    subscription.known = reading.position;
    send({ type: 'ready' });
  }

  private catchUp(subscription: Subscription, reading: LiveReading, send: (event: LiveEvent) => void): void {
    if (subscription.unsafeBelow === undefined) return;
    if (boundsOfSnapshot(reading.position.snapshot).xmin < subscription.unsafeBelow) return;
    subscription.unsafeBelow = undefined;
    send({ type: 'changed', topics: ['emails'] });
  }

  /** The database was away or has lost the watches: streams begin anew. */
  private lose(): void {
    this.registered = new Set();
    this.renewedAt = -Infinity;
    this.position = undefined;
    for (const subscription of this.subscriptions) {
      subscription.known = undefined;
      subscription.unsafeBelow = undefined;
    }
  }
}

/** Whether everything since the position was noted down, and is still there. */
function isResumable(known: LivePosition, { position, watches }: LiveReading, teamId: string): boolean {
  const watch = watches.get(teamId);
  return watch !== undefined && watch.since <= known.at && position.at - known.at <= resumableMs;
}

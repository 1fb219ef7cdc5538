/**
 * How a broadcast is sent.
 *
 * `StartBroadcasts` runs in the process that answers the request: it checks the broadcast and makes it `queued`, or
 * `scheduled` for a time at which a worker makes it `queued`. Writing a queued broadcast wakes the workers.
 *
 * `FanOutBroadcasts` runs in every worker (`FanOutWorker`) and does one step at a time for the broadcast whose turn it
 * is. The rows say which step is next, so that any worker can go on where another has stopped:
 *
 * - `plan`: fix the audience. The members of the segment are written down in one statement, in waves:
 *   - an ordinary broadcast has one wave, which is sent at once,
 *   - one with a first share or a test of subjects has two: the share, and the rest, which waits for a decision,
 *   - one at the local time of its contacts has one wave for each moment at which that time comes somewhere.
 * - `slice`: send to the next contacts of a wave that is due, in one transaction. A throttle makes slices smaller and later. While a first
 *   share is sent, too many bounces or complaints pause the broadcast.
 * - `decide`: the first share is sent. Pause, wait, or release the rest, with the subject that has won.
 * - `finish`: no contact is left.
 * - `withdraw`: the API key that started it was deleted. Pause.
 *
 * A refusal pauses the broadcast, and it resumes at its time: a used-up quota when the next day or month begins, a
 * domain that is not verified after some minutes.
 */
import { ConsentingContact, ConsentingContacts, contactMergeValues } from '#audience';
import { MailingRecipient, MailingResult, SendMailing } from '#emails';
import type { Principal } from '#identity';
import { Clock, DomainError, failureKind, isDatabaseTrouble, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { RequestedBroadcast } from '../domain/broadcast-fields.js';
import { Broadcast } from '../domain/broadcast.js';
import { reasonOfRefusal, reasonToHold, retryAt } from '../domain/fan-out/reasons.js';
import { AudiencePlan, rankedPlan, subjectsOf } from '../domain/fan-out/waves.js';
import { zonesPlan } from '../domain/fan-out/zones.js';
import { requireStartable, started } from '../domain/transitions.js';
import { Broadcasts } from './broadcasts.use-case.js';
import { CheckBroadcast } from './check-broadcast.js';
import { OpenMailing, OpenMailings } from './open-mailings.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';
import { BroadcastRuns, BroadcastWork, Slice, SliceResult, Undecided, Winner } from './ports/broadcast-runs.port.js';

/** Due broadcasts that are started in one transaction. */
const startedAtOnce = 50;

/** Starts broadcasts, now or at a time. */
@Injectable()
export class StartBroadcasts {
  constructor(
    private readonly drafts: Broadcasts,
    private readonly check: CheckBroadcast,
    private readonly broadcasts: BroadcastRepository,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Creates a broadcast and starts it. One that may not start is not created either. Returns its id. */
  async create(principal: Principal, requested: RequestedBroadcast, at: Date | undefined): Promise<string> {
    const draft = await this.drafts.draft(principal, requested);
    const broadcast = await this.started(principal, draft, at);
    await this.drafts.insert(broadcast);
    return broadcast.id;
  }

  /** Starts a draft. A scheduled broadcast gets another time, or starts at once. */
  async start(principal: Principal, id: string, at: Date | undefined): Promise<void> {
    principal.require('broadcasts:send');
    await this.drafts.rewrite(principal.teamId, id, (broadcast) => this.started(principal, broadcast, at));
  }

  /**
   * Starts scheduled broadcasts that are due. Each is locked, so that one worker starts it. Returns how many there
   * were.
   */
  async startDue(): Promise<number> {
    for (let total = 0; ;) {
      const count = await this.startNextDue();
      total += count;
      if (count < startedAtOnce) return total;
    }
  }

  /** The state is checked first: a broadcast that was sent gets no other error. */
  private async started(principal: Principal, broadcast: Broadcast, at: Date | undefined): Promise<Broadcast> {
    const now = this.clock.now();
    requireStartable(broadcast, at, now);
    const { domainId } = await this.check.whole(principal, broadcast);
    return started(broadcast, at, { domainId, actor: principal.actor, now });
  }

  private startNextDue(): Promise<number> {
    return this.work.run(async (transaction) => {
      const now = this.clock.now();
      const due = await this.broadcasts.lockDue(now, startedAtOnce, transaction);
      for (const broadcast of due) {
        await this.broadcasts.update({ ...broadcast, status: 'queued', queuedAt: now, updatedAt: now }, transaction);
      }
      return due.length;
    });
  }
}

/**
 * Emails of one transaction: many enough to be efficient, few enough to finish in some tens of milliseconds, so that
 * neither single mail nor a pause waits long for them.
 */
export const sliceSize = 250;
/** The same while this process accepts other mail, which waits while this thread makes the emails of a slice. */
export const sliceSizeBesideOthers = 50;
/** Unexpected errors in a row after which a broadcast pauses. */
const maxTroubles = 10;
/** The same for an audience that takes too long to read: each try takes minutes of PostgreSQL. */
const maxSlowPlans = 3;
/** The longest rest between two steps. */
const maxRestMs = 200;
/** First shares that are looked at in one round while the rest waits. */
const watchedAtOnce = 100;

/** Sends the broadcasts of all teams, which take turns. */
@Injectable()
export class FanOutBroadcasts {
  /** Smaller slices of broadcasts that have come near to a quota, by broadcast. */
  private readonly limits = new Map<string, number>();
  private watchedLast: string | undefined;
  private isStopping = false;

  // oxlint-disable-next-line max-params -- One story: plans, slices and decisions of a broadcast.
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly runs: BroadcastRuns,
    private readonly mailings: OpenMailings,
    private readonly contacts: ConsentingContacts,
    private readonly sendMailing: SendMailing,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Does one step for the broadcast whose turn it is. Returns whether there was anything to do. */
  async step(): Promise<boolean> {
    if (this.isStopping) return false;
    for (const work of await this.runs.next(this.clock.now())) {
      if (await this.attempt(work)) return true;
    }
    return false;
  }

  /**
   * How long to rest after a step that took this long: as long again if this process accepts other mail at the same
   * time, which would otherwise wait for this thread and for PostgreSQL behind one slice after the other.
   */
  restMs(tookMs: number): number {
    return this.sendMailing.isOtherMailComing ? Math.min(tookMs, maxRestMs) : 0;
  }

  /** Pauses broadcasts whose first share bounces or annoys too much while the rest waits: the next ones in turn. */
  async watchShares(): Promise<void> {
    const waiting = await this.runs.waitingShares(this.clock.now(), this.watchedLast, watchedAtOnce);
    this.watchedLast = waiting.length < watchedAtOnce ? undefined : waiting.at(-1)?.broadcastId;
    for (const work of waiting) await this.decideRest(work);
  }

  /** Resumes broadcasts that paused until now. Returns how many. */
  resumeHeld(): Promise<number> {
    return this.runs.resumeHeld(this.clock.now());
  }

  /** Removes a batch of rows that only a running broadcast needs. Returns whether there may be more. */
  async tidy(): Promise<boolean> {
    return !this.isStopping && (await this.runs.tidy());
  }

  /** No step begins after the present one. */
  stop(): void {
    this.isStopping = true;
  }

  private async attempt(work: BroadcastWork): Promise<boolean> {
    const size = this.sizeFor(work);
    try {
      return await this.take(work, size);
    } catch (error) {
      if (error instanceof DomainError) return this.pauseRefused(work, size, error);
      const isSlowPlan = work.kind === 'plan' && failureKind(error) === 'blocked';
      if (isDatabaseTrouble(error) && !isSlowPlan) throw error;
      const now = this.clock.now();
      if ((await this.runs.trouble(work.broadcastId, now)) >= (isSlowPlan ? maxSlowPlans : maxTroubles)) {
        await this.runs.pause(work.broadcastId, 'unexpected_fault', null, now);
      }
      throw error;
    }
  }

  private async take(work: BroadcastWork, size: number): Promise<boolean> {
    switch (work.kind) {
      case 'plan':
        return this.fixAudience(work);
      case 'slice':
        return (await this.holdFirstShare(work)) || this.sendSlice(work, size);
      case 'decide':
        return this.decideRest(work);
      case 'finish':
        return this.finish(work);
      case 'withdraw':
        await this.runs.pause(work.broadcastId, 'api_key_deleted', null, this.clock.now());
        return true;
    }
  }

  /**
   * Writes down who gets the broadcast: the members of its segment at one moment. Returns false if another worker does
   * it.
   */
  async fixAudience(work: BroadcastWork): Promise<boolean> {
    const broadcast = await this.broadcasts.find(work.teamId, work.broadcastId);
    if (broadcast === undefined) return false;
    const now = this.clock.now();
    const plan = await this.planOf(broadcast, now);
    const fixed = await this.runs.fixAudience(work, broadcast.segmentId, plan, now);
    if (fixed === 'no segment') await this.runs.pause(work.broadcastId, 'segment_deleted', null, now);
    return fixed !== 'taken';
  }

  private async planOf(broadcast: Broadcast, now: Date): Promise<AudiencePlan> {
    const { localTime } = broadcast.options;
    if (localTime === undefined) return rankedPlan(broadcast);
    return zonesPlan(localTime, broadcast.scheduledAt ?? now, await this.runs.timeZones(), now);
  }

  /** Runs before each slice of a first share. Returns whether the broadcast has paused. */
  private async holdFirstShare({ broadcastId, firstShare }: BroadcastWork): Promise<boolean> {
    const state = firstShare && (await this.runs.undecided(broadcastId));
    const reason = state && reasonToHold(firstShare, state);
    if (reason === undefined || reason === null) return false;
    await this.runs.pause(broadcastId, reason, null, this.clock.now());
    return true;
  }

  private sizeFor({ broadcastId }: Pick<BroadcastWork, 'broadcastId'>): number {
    const usual = this.sendMailing.isOtherMailComing ? sliceSizeBesideOthers : sliceSize;
    return Math.min(this.limits.get(broadcastId) ?? sliceSize, usual);
  }

  /**
   * One transaction claims the next contacts, reads them as they are now, skips those that get nothing, accepts the
   * emails of the others and writes how far it came. Contacts that unsubscribed before the transaction began get
   * nothing, and after a crash at any point the slice is there as a whole or not at all.
   *
   * Returns false if there was nothing to claim. Throws what keeps the whole broadcast from being sent.
   */
  async sendSlice(work: BroadcastWork, limit: number): Promise<boolean> {
    const open = await this.mailings.of(work);
    if (open === undefined) return false;
    const { teamId } = work;
    const { topicId, properties } = open;
    const prepared = await this.sendMailing.prepare(open.mailing, open.compiled);
    const accepted = { ...work, domainId: prepared.sender.domainId, hasTest: open.mailing.subjects.length > 1 };
    const wake = await this.work.runPipelined(async (transaction) => {
      // Taken before the contacts are read: no email is dated after its recipient unsubscribed.
      const now = this.clock.now();
      const slice = await this.runs.claim(work, limit, now, transaction);
      if (slice === undefined) return { send: async () => undefined };
      const contacts = await this.contacts.read({ teamId, ids: slice.contactIds, topicId, properties }, transaction);
      const { skipped, candidates } = divided(slice, contacts, open);
      const recipients = candidates.map(({ recipient }) => recipient);
      const { results, last } = await this.sendMailing.accept(prepared, recipients, now, transaction);
      const decided = [...skipped, ...outcomes(candidates, results)];
      return {
        mayRefuse: last.mayRefuse,
        send: async () => {
          const [wake] = await Promise.all([last.send(), this.runs.record(accepted, slice, decided, now, transaction)]);
          return wake;
        },
      };
    });
    wake?.();
    return wake !== undefined;
  }

  /** Decides about the contacts that wait behind a first share or a test of subjects. Returns whether it decided. */
  async decideRest({ teamId, broadcastId }: BroadcastWork): Promise<boolean> {
    const [broadcast, state] = await Promise.all([
      this.broadcasts.find(teamId, broadcastId),
      this.runs.undecided(broadcastId),
    ]);
    if (broadcast === undefined || state === undefined) return false;
    const now = this.clock.now();
    const { firstShare } = broadcast.options;
    const reason = firstShare && reasonToHold(firstShare, state);
    if (reason !== undefined) {
      await this.runs.pause(broadcastId, reason, null, now);
      return true;
    }
    return state.isReady && this.proceed(broadcast, state, now);
  }

  private async proceed(broadcast: Broadcast, { decideAt }: Undecided, now: Date): Promise<boolean> {
    const { id, options } = broadcast;
    const waitMinutes = options.test?.waitMinutes ?? options.firstShare?.waitMinutes ?? null;
    if (decideAt === null && waitMinutes === null) {
      await this.runs.pause(id, 'first_share_sent', null, now);
      return true;
    }
    if (decideAt === null) {
      await this.runs.decideAt(id, new Date(now.getTime() + (waitMinutes ?? 0) * 60_000));
      return false;
    }
    if (decideAt > now) return false;
    await this.runs.release(id, await this.winnerOf(broadcast), now);
    return true;
  }

  private async winnerOf(broadcast: Broadcast): Promise<Winner | undefined> {
    const { test } = broadcast.options;
    if (test === undefined) return undefined;
    const kind = test.winner === 'clicks' ? 'clicked' : 'opened';
    const scores = await this.runs.scores(broadcast.id, kind, subjectsOf(broadcast).length);
    // In a draw the first one wins: the subject of the broadcast itself.
    return { variant: scores.indexOf(Math.max(...scores)), scores };
  }

  private finish({ broadcastId }: BroadcastWork): Promise<boolean> {
    this.limits.delete(broadcastId);
    return this.runs.finish(broadcastId, this.clock.now());
  }

  /**
   * Nothing of the slice was accepted. The broadcast uses up the rest of a quota, in ever smaller slices, before it
   * pauses: only the refusal of a single email says that nothing is left, because another slice of this process may use
   * up the quota meanwhile.
   */
  private async pauseRefused(
    { broadcastId }: BroadcastWork,
    size: number,
    { kind, code }: DomainError,
  ): Promise<boolean> {
    // There is no room for mail at the moment: the broadcast itself can be sent.
    if (kind === 'unavailable') return false;
    const reason = reasonOfRefusal(code);
    if (reason !== 'domain_not_verified' && size > 1) {
      this.limits.set(broadcastId, Math.min(this.sizeFor({ broadcastId }), size >> 1));
      return true;
    }
    this.limits.delete(broadcastId);
    const now = this.clock.now();
    await this.runs.pause(broadcastId, reason, retryAt(reason, now), now);
    return true;
  }
}

interface Candidate {
  readonly contact: ConsentingContact;
  readonly recipient: MailingRecipient;
}

/**
 * Divides a slice into contacts that are skipped, because they are deleted or unsubscribed, and the recipients of
 * emails.
 */
function divided(
  { contactIds, variants }: Slice,
  contacts: ReadonlyMap<string, ConsentingContact>,
  { topicId, names }: OpenMailing,
): { readonly skipped: readonly SliceResult[]; readonly candidates: readonly Candidate[] } {
  const skipped: SliceResult[] = [];
  const candidates: Candidate[] = [];
  contactIds.forEach((contactId, no) => {
    const contact = contacts.get(contactId);
    if (contact === undefined) return void skipped.push({ contactId, reason: 'deleted' });
    const { email, unsubscribed, subscription } = contact;
    if (unsubscribed) return void skipped.push({ contactId, email, reason: 'unsubscribed' });
    // Nobody is subscribed to a topic that was deleted.
    if (topicId !== null && subscription !== 'opt_in') {
      return void skipped.push({ contactId, email, reason: 'not_subscribed' });
    }
    const recipient = { to: email, values: contactMergeValues(contact, names), subject: variants[no] ?? 0 };
    candidates.push({ contact, recipient });
  });
  return { skipped, candidates };
}

function outcomes(candidates: readonly Candidate[], results: readonly MailingResult[]): SliceResult[] {
  return candidates.map(({ contact: { id: contactId, email } }, no): SliceResult => {
    const result = results[no] as MailingResult;
    if (!('emailId' in result)) return { contactId, email, reason: result.withheld };
    const { emailId, withheld } = result;
    return withheld === undefined ? { contactId, email, emailId } : { contactId, email, emailId, reason: withheld };
  });
}

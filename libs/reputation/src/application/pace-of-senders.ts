import { SenderPace } from '#delivery';
import type { ClaimedRecipient, PacedLane, PaceHold } from '#delivery';
import { Clock, domainOf } from '#kernel';
import { Injectable } from '@nestjs/common';
import { effectOf, reasonOf } from '../domain/guard-texts.js';
import { restrictionOf } from '../domain/guard-limits.js';
import { hourlyRule, PaceRule } from '../domain/pace-rule.js';
import { leftOf, nextAt } from '../domain/warm-up.js';
import { warmUpText } from '../domain/warm-up-texts.js';
import { AnnounceWarmUp } from './announce-warm-up.js';
import { SlowedSender, SlowedSenders } from './ports/reputation-guard.port.js';
import { Allowance, WarmUps } from './ports/warm-ups.port.js';
import { Receivers } from './receivers.js';

/** What slows mail of a domain. */
interface PacedDomain {
  /** Providers to which the guard slows its mail. */
  readonly slowed: Map<string, SlowedSender>;
  /** Providers for which its warm-up has ended; undefined if it does not warm up. */
  doneProviders?: ReadonlySet<string>;
}

/**
 * Slows the mail of senders as the guard and the warm-up of their domains say, and where both do, as the stricter one says. A worker keeps in
 * memory whose mail that is, and looks again when it is told, and every few seconds. How much went is a row, so that all workers together
 * keep to it, over restarts.
 */
@Injectable()
export class PaceOfSenders extends SenderPace {
  private domains: ReadonlyMap<string, PacedDomain> = new Map();
  /** Until when nothing more may go, by lane, in ms of the clock. */
  private readonly spent = new Map<string, number>();

  constructor(
    private readonly senders: SlowedSenders,
    private readonly warmUps: WarmUps,
    private readonly receivers: Receivers,
    private readonly announcements: AnnounceWarmUp,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Reads again whose mail is slowed. */
  async refresh(): Promise<void> {
    const [slowed, warming] = await Promise.all([this.senders.list(), this.warmUps.list()]);
    const domains = new Map<string, PacedDomain>();
    const domainWith = (domainId: string): PacedDomain => {
      const domain = domains.get(domainId) ?? { slowed: new Map<string, SlowedSender>() };
      domains.set(domainId, domain);
      return domain;
    };
    for (const sender of slowed) domainWith(sender.domainId).slowed.set(sender.provider, sender);
    for (const { domainId, doneProviders } of warming) domainWith(domainId).doneProviders = new Set(doneProviders);
    this.domains = domains;
    this.spent.clear();
  }

  pacedAmong(claimed: readonly ClaimedRecipient[]): Promise<ReadonlyMap<ClaimedRecipient, PacedLane>> | undefined {
    if (this.domains.size === 0 || !claimed.some(({ domainId }) => this.domains.has(domainId))) return undefined;
    return this.pacedLanes(claimed);
  }

  mayGo(lane: PacedLane): boolean {
    if (this.rulesOf(lane).some(({ cap }) => cap === 0)) return false;
    return this.clock.now().getTime() >= (this.spent.get(keyOf(lane)) ?? 0);
  }

  isShared(lane: PacedLane): boolean {
    return this.warmsUp(lane);
  }

  async take(lane: PacedLane, wanted: number): Promise<number> {
    const rules = this.rulesOf(lane);
    if (rules.some(({ cap }) => cap === 0)) return 0;
    const now = this.clock.now();
    const warmed = this.warmsUp(lane)
      ? await this.takeOfWarmUp(lane, wanted, now)
      : { taken: wanted, nextAt: undefined };
    if (warmed.nextAt !== undefined) this.wait(lane, warmed.nextAt.getTime());
    if (rules.length === 0 || warmed.taken === 0) return warmed.taken;
    const taken = await this.senders.take(lane, rules, warmed.taken);
    if (taken === warmed.taken) return taken;
    this.wait(lane, Math.max(...rules.map(({ nextAt: next }) => next?.getTime() ?? Infinity)));
    if (this.warmsUp(lane)) await this.warmUps.giveBack(lane, warmed.taken - taken, now);
    return taken;
  }

  async giveBack(lane: PacedLane, count: number): Promise<void> {
    const rules = this.rulesOf(lane);
    if (rules.length > 0) await this.senders.giveBack(lane, rules, count);
    if (this.warmsUp(lane)) await this.warmUps.giveBack(lane, count, this.clock.now());
    this.spent.delete(keyOf(lane));
  }

  async holdOf(lane: PacedLane): Promise<PaceHold | undefined> {
    const holds = await Promise.all([this.guardHold(lane), this.warmUpHold(lane)]);
    const [strictest] = holds.filter((hold) => hold !== undefined).sort((a, b) => endOf(b) - endOf(a));
    return strictest;
  }

  private takeOfWarmUp({ domainId, provider }: PacedLane, wanted: number, now: Date): Promise<Allowance> {
    return this.warmUps.take({ domainId, provider }, wanted, now, (slowed, transaction) =>
      this.announcements.slowedAgain(slowed, now, transaction),
    );
  }

  private async guardHold(lane: PacedLane): Promise<PaceHold | undefined> {
    const state = await this.senders.stateOf(lane);
    const perHour = state && restrictionOf(state.step, lane.kind, state.slowPace);
    if (state === undefined || perHour === undefined) return undefined;
    const { nextAt: until } = hourlyRule('', perHour, this.clock.now());
    const effect = effectOf(state.step, state.domain, state.provider, state.slowPace);
    return {
      kind: 'reputation_guard',
      until,
      reason: `The reputation guard: ${effect} ${reasonOf(state.evidence?.rates ?? [])}`.trim(),
    };
  }

  /** None while some may go: then the mail waits only for its turn. */
  private async warmUpHold({ domainId, provider }: PacedLane): Promise<PaceHold | undefined> {
    const warmUp = await this.warmUps.rampOf({ domainId, provider }, this.clock.now());
    if (warmUp?.ramp === undefined || warmUp.ramp.isDone) return undefined;
    const { ramp, schedule, domain } = warmUp;
    if (leftOf(ramp, schedule) > 0) return undefined;
    return { kind: 'warm_up', until: nextAt(ramp, schedule), reason: warmUpText(domain, provider, ramp, schedule) };
  }

  private async pacedLanes(claimed: readonly ClaimedRecipient[]): Promise<ReadonlyMap<ClaimedRecipient, PacedLane>> {
    const paced = new Map<ClaimedRecipient, PacedLane>();
    for (const recipient of claimed) {
      const { domainId } = recipient;
      if (!this.domains.has(domainId)) continue;
      const provider = await this.receivers.providerOf(domainOf(recipient.address));
      const lane: PacedLane = { domainId, provider, kind: recipient.isBulk === true ? 'bulk' : 'all' };
      if (this.warmsUp(lane) || this.restriction(lane) !== undefined) paced.set(recipient, lane);
    }
    return paced;
  }

  private warmsUp({ domainId, provider }: PacedLane): boolean {
    return this.domains.get(domainId)?.doneProviders?.has(provider) === false;
  }

  /** Messages an hour that the guard lets go; undefined if it does not slow the mail. */
  private restriction({ domainId, provider, kind }: PacedLane): number | undefined {
    const sender = this.domains.get(domainId)?.slowed.get(provider);
    return sender && restrictionOf(sender.step, kind, sender.slowPace);
  }

  private rulesOf(lane: PacedLane): readonly PaceRule[] {
    const perHour = this.restriction(lane);
    return perHour === undefined ? [] : [hourlyRule(`guard-${lane.kind}`, perHour, this.clock.now())];
  }

  private wait(lane: PacedLane, until: number): void {
    this.spent.set(keyOf(lane), Math.max(until, this.spent.get(keyOf(lane)) ?? 0));
  }
}

const keyOf = ({ domainId, provider, kind }: PacedLane): string => `${kind} ${domainId} ${provider}`;
const endOf = ({ until }: PaceHold): number => until?.getTime() ?? Infinity;

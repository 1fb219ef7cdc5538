import { SenderPace } from '#delivery';
import type { ClaimedRecipient, PacedLane, PaceHold } from '#delivery';
import { Clock, domainOf } from '#kernel';
import { Injectable } from '@nestjs/common';
import { effectOf, reasonOf } from '../domain/guard-texts.js';
import { restrictionOf } from '../domain/guard-steps.js';
import { hourlyRule, PaceRule } from '../domain/pace-rule.js';
import { SlowedSender, SlowedSenders } from './ports/slowed-senders.port.js';
import { Receivers } from './receivers.js';

/**
 * Slows the mail of senders as the guard says. A worker keeps in memory whose mail that is, and looks again when it is told, and every few
 * seconds. How much went is a row, so that all workers together keep to it, over restarts.
 */
@Injectable()
export class PaceOfSenders extends SenderPace {
  /** By domain, then by provider. */
  private slowed: ReadonlyMap<string, ReadonlyMap<string, SlowedSender>> = new Map();
  /** Until when nothing more may go, by lane, in ms of the clock. */
  private readonly spent = new Map<string, number>();

  constructor(
    private readonly senders: SlowedSenders,
    private readonly receivers: Receivers,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Reads again whose mail is slowed. */
  async refresh(): Promise<void> {
    const slowed = new Map<string, Map<string, SlowedSender>>();
    for (const sender of await this.senders.list()) {
      const providers = slowed.get(sender.domainId) ?? new Map<string, SlowedSender>();
      slowed.set(sender.domainId, providers.set(sender.provider, sender));
    }
    this.slowed = slowed;
    this.spent.clear();
  }

  pacedAmong(claimed: readonly ClaimedRecipient[]): Promise<ReadonlyMap<ClaimedRecipient, PacedLane>> | undefined {
    if (this.slowed.size === 0 || !claimed.some(({ domainId }) => this.slowed.has(domainId))) return undefined;
    return this.pacedLanes(claimed);
  }

  mayGo(lane: PacedLane): boolean {
    const rules = this.rulesOf(lane);
    if (rules.some(({ cap }) => cap === 0)) return false;
    return this.clock.now().getTime() >= (this.spent.get(keyOf(lane)) ?? 0);
  }

  async take(lane: PacedLane, wanted: number): Promise<number> {
    const rules = this.rulesOf(lane);
    if (rules.length === 0) return wanted;
    if (rules.some(({ cap }) => cap === 0)) return 0;
    const taken = await this.senders.take(lane, rules, wanted);
    if (taken < wanted) {
      const next = Math.max(...rules.map(({ nextAt }) => nextAt?.getTime() ?? Infinity));
      this.spent.set(keyOf(lane), next);
    }
    return taken;
  }

  async giveBack(lane: PacedLane, count: number): Promise<void> {
    const rules = this.rulesOf(lane);
    if (rules.length > 0) await this.senders.giveBack(lane, rules, count);
  }

  async holdOf(lane: PacedLane): Promise<PaceHold | undefined> {
    const state = await this.senders.stateOf(lane);
    const perHour = state && restrictionOf(state.step, lane.kind, state.slowPace);
    if (state === undefined || perHour === undefined) return undefined;
    const { nextAt } = hourlyRule('', perHour, this.clock.now());
    const effect = effectOf(state.step, state.domain, state.provider, state.slowPace);
    return {
      kind: 'reputation_guard',
      until: nextAt,
      reason: `The reputation guard: ${effect} ${reasonOf(state.evidence?.rates ?? [])}`.trim(),
    };
  }

  private async pacedLanes(claimed: readonly ClaimedRecipient[]): Promise<ReadonlyMap<ClaimedRecipient, PacedLane>> {
    const paced = new Map<ClaimedRecipient, PacedLane>();
    for (const recipient of claimed) {
      const providers = this.slowed.get(recipient.domainId);
      if (providers === undefined) continue;
      const provider = await this.receivers.providerOf(domainOf(recipient.address));
      const sender = providers.get(provider);
      const kind = sender && kindOf(sender, recipient.isBulk === true);
      if (kind !== undefined) paced.set(recipient, { domainId: recipient.domainId, provider, kind });
    }
    return paced;
  }

  private rulesOf({ domainId, provider, kind }: PacedLane): readonly PaceRule[] {
    const sender = this.slowed.get(domainId)?.get(provider);
    const perHour = sender && restrictionOf(sender.step, kind, sender.slowPace);
    return perHour === undefined ? [] : [hourlyRule(`guard-${kind}`, perHour, this.clock.now())];
  }
}

/** The kind of paced lane in which the mail has to wait; undefined if it may go. */
function kindOf({ step, slowPace }: SlowedSender, isBulk: boolean): PacedLane['kind'] | undefined {
  const kind = isBulk ? 'bulk' : 'all';
  return restrictionOf(step, kind, slowPace) === undefined ? undefined : kind;
}

const keyOf = ({ domainId, provider, kind }: PacedLane): string => `${kind} ${domainId} ${provider}`;

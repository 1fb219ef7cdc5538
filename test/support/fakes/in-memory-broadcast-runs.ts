import {
  BroadcastRuns,
  BroadcastWork,
  isSent,
  Slice,
  SliceResult,
  Undecided,
  Winner,
} from '../../../libs/broadcasts/src/application/ports/broadcast-runs.port.js';
import { BroadcastStatus, FirstShare } from '../../../libs/broadcasts/src/domain/broadcast.js';
import { PauseReason } from '../../../libs/broadcasts/src/domain/fan-out/reasons.js';
import { AudiencePlan, partsOfWave } from '../../../libs/broadcasts/src/domain/fan-out/waves.js';

interface Wave {
  readonly wave: number;
  readonly part: number;
  readonly contacts: { readonly id: string; readonly variant: number | null }[];
  releaseAt: Date | null;
  position: number;
  turnAt: number;
  isEnded: boolean;
}

export interface InMemoryRun {
  readonly id: string;
  readonly teamId: string;
  status: BroadcastStatus;
  because: PauseReason | null;
  isPlanned: boolean;
  waves: Wave[];
  decideAt: Date | null;
  winner: number | null;
  scores: readonly number[] | null;
  retryAt: Date | null;
  troubles: number;
  readonly results: SliceResult[];
  readonly engaged: { readonly contactId: string; readonly kind: 'opened' | 'clicked' }[];
  delivered: number;
  bounced: number;
  complained: number;
  readonly pausedFor: PauseReason[];
  /** The option of the broadcast. */
  firstShare?: FirstShare;
  /** The API key that started it was deleted. */
  isKeyGone?: boolean;
}

/** A member of a segment. */
export interface InMemoryMember {
  readonly id: string;
  readonly property: string | null;
}

/** The first share of an audience is its beginning here: no hash. */
export class InMemoryBroadcastRuns extends BroadcastRuns {
  /** The members of each segment. */
  readonly segments = new Map<string, readonly InMemoryMember[]>();
  readonly runs = new Map<string, InMemoryRun>();
  private turns = 0;

  add(id: string, teamId: string): InMemoryRun {
    const run: InMemoryRun = {
      id,
      teamId,
      status: 'queued',
      because: null,
      isPlanned: false,
      waves: [],
      decideAt: null,
      winner: null,
      scores: null,
      retryAt: null,
      troubles: 0,
      results: [],
      engaged: [],
      delivered: 0,
      bounced: 0,
      complained: 0,
      pausedFor: [],
    };
    this.runs.set(id, run);
    return run;
  }

  async next(now: Date): Promise<readonly BroadcastWork[]> {
    const turnOf = (teamId: string): number =>
      Math.max(-1, ...[...this.runs.values()].filter((run) => run.teamId === teamId).flatMap(turnsOf));
    return [...this.runs.values()]
      .filter(({ status, retryAt }) => status === 'queued' && (retryAt === null || retryAt <= now))
      .flatMap((run) => {
        const kind = kindOf(run, now);
        const isWaiting = run.waves.some(({ isEnded, releaseAt }) => !isEnded && releaseAt === null);
        const firstShare = isWaiting ? run.firstShare : undefined;
        return kind === undefined ? [] : [{ kind, broadcastId: run.id, teamId: run.teamId, firstShare }];
      })
      .sort((a, b) => turnOf(a.teamId) - turnOf(b.teamId));
  }

  async waitingShares(now: Date, after: string | undefined, limit: number): Promise<readonly BroadcastWork[]> {
    return [...this.runs.values()]
      .filter(({ id, status, firstShare, decideAt }) => {
        const isWaiting = status === 'queued' && firstShare !== undefined && decideAt !== null && decideAt > now;
        return isWaiting && (after === undefined || id > after);
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, teamId, firstShare }) => ({ kind: 'decide', broadcastId: id, teamId, firstShare }));
  }

  async fixAudience(
    work: BroadcastWork,
    segmentId: string,
    plan: AudiencePlan,
    now: Date,
  ): Promise<number | 'taken' | 'no segment'> {
    const run = this.run(work.broadcastId);
    if (run.isPlanned || run.status !== 'queued') return 'taken';
    const all = this.segments.get(segmentId);
    if (all === undefined) return 'no segment';
    const first = plan.kind === 'ranked' ? sizeOf(plan.share, all.length) : all.length;
    all.forEach(({ id, property }, rank) => {
      const no =
        plan.kind === 'zones'
          ? (plan.waveOf.get((property ?? '').trim().toLowerCase()) ?? plan.otherWave)
          : rank < first
            ? 0
            : 1;
      const releaseAt = plan.kind === 'zones' ? (plan.releases[no] as Date) : no === 0 ? now : null;
      const part = parseInt(id.slice(-2), 16) % partsOfWave;
      const variant = no > 0 && plan.kind === 'ranked' ? null : plan.kind === 'ranked' ? rank % plan.variants : 0;
      waveOf(run, no, part, releaseAt, this.turns).contacts.push({ id, variant });
    });
    for (const { contacts } of run.waves) contacts.sort((a, b) => (a.id < b.id ? -1 : 1));
    run.isPlanned = true;
    return all.length;
  }

  async timeZones(): Promise<readonly string[]> {
    return ['Europe/Berlin', 'America/New_York', 'Asia/Calcutta', 'UTC'];
  }

  async claim(work: BroadcastWork, limit: number, now: Date): Promise<Slice | undefined> {
    const run = this.run(work.broadcastId);
    const [wave] = run.waves
      .filter(({ isEnded, releaseAt }) => !isEnded && releaseAt !== null && releaseAt <= now)
      .sort((a, b) => a.turnAt - b.turnAt);
    if (run.status !== 'queued' || wave === undefined) return undefined;
    const next = wave.contacts.slice(wave.position, wave.position + limit);
    return {
      broadcastId: run.id,
      wave: wave.wave,
      part: wave.part,
      isLast: next.length < limit,
      contactIds: next.map(({ id }) => id),
      variants: next.map(({ variant }) => variant ?? run.winner ?? 0),
    };
  }

  async record(
    work: BroadcastWork,
    { wave: no, part, contactIds, isLast }: Slice,
    results: readonly SliceResult[],
  ): Promise<void> {
    const run = this.run(work.broadcastId);
    const wave = run.waves.find((each) => each.wave === no && each.part === part) as Wave;
    wave.position += contactIds.length;
    wave.isEnded = isLast;
    wave.turnAt = ++this.turns;
    run.results.push(...results);
    run.troubles = 0;
  }

  async undecided(broadcastId: string): Promise<Undecided | undefined> {
    const { waves, decideAt, results, delivered, bounced, complained, pausedFor } = this.run(broadcastId);
    const open = waves.filter(({ isEnded }) => !isEnded);
    if (open.every(({ releaseAt }) => releaseAt !== null)) return undefined;
    const accepted = results.filter(isSent).length;
    const isReady = open.every(({ releaseAt }) => releaseAt === null);
    return { decideAt, isReady, accepted, delivered, bounced, complained, isGuarded: false, pausedFor: [...pausedFor] };
  }

  async decideAt(broadcastId: string, at: Date): Promise<void> {
    this.run(broadcastId).decideAt ??= at;
  }

  async scores(broadcastId: string, kind: 'opened' | 'clicked', variants: number): Promise<readonly number[]> {
    const { waves, engaged } = this.run(broadcastId);
    const contacts = waves.filter(({ wave }) => wave === 0).flatMap((wave) => wave.contacts);
    const has = (id: string): boolean => engaged.some((each) => each.contactId === id && each.kind === kind);
    return Array.from(
      { length: variants },
      (_, variant) => contacts.filter((contact) => contact.variant === variant && has(contact.id)).length,
    );
  }

  async release(broadcastId: string, winner: Winner | undefined, now: Date): Promise<void> {
    const run = this.run(broadcastId);
    if (run.winner !== null || run.status !== 'queued') return;
    run.winner = winner?.variant ?? null;
    run.scores = winner?.scores ?? null;
    for (const wave of run.waves) wave.releaseAt ??= now;
  }

  async finish(broadcastId: string): Promise<boolean> {
    const run = this.run(broadcastId);
    if (run.status !== 'queued' || !run.isPlanned || run.waves.some(({ isEnded }) => !isEnded)) return false;
    run.status = 'sent';
    return true;
  }

  async pause(broadcastId: string, reason: PauseReason, retryAt: Date | null, now: Date): Promise<void> {
    const run = this.run(broadcastId);
    if (run.status !== 'queued') return;
    Object.assign(run, { status: 'paused', because: reason, retryAt, troubles: 0 });
    if (!run.pausedFor.includes(reason)) run.pausedFor.push(reason);
    if (reason === 'first_share_sent') run.decideAt ??= now;
  }

  async resumeHeld(now: Date): Promise<number> {
    const held = [...this.runs.values()].filter(
      ({ status, because, retryAt }) => status === 'paused' && because !== null && retryAt !== null && retryAt <= now,
    );
    for (const run of held) Object.assign(run, { status: 'queued', because: null, retryAt: null });
    return held.length;
  }

  async trouble(broadcastId: string, now: Date): Promise<number> {
    const run = this.run(broadcastId);
    run.retryAt = new Date(now.getTime() + 5_000);
    return ++run.troubles;
  }

  async tidy(): Promise<boolean> {
    const over = [...this.runs.values()].find(
      ({ status, waves }) =>
        (status === 'sent' || status === 'canceled') && waves.some(({ contacts }) => contacts.length > 0),
    );
    for (const wave of over?.waves ?? []) wave.contacts.length = 0;
    return over !== undefined;
  }

  private run(id: string): InMemoryRun {
    const run = this.runs.get(id);
    if (run === undefined) throw new Error(`There is no broadcast ${id}`);
    return run;
  }
}

function turnsOf({ waves }: InMemoryRun): number[] {
  return waves.map(({ turnAt }) => turnAt);
}

function kindOf({ isPlanned, waves, isKeyGone, decideAt }: InMemoryRun, now: Date): BroadcastWork['kind'] | undefined {
  if (isKeyGone === true) return 'withdraw';
  if (!isPlanned) return 'plan';
  const open = waves.filter(({ isEnded }) => !isEnded);
  if (open.length === 0) return 'finish';
  if (open.some(({ releaseAt }) => releaseAt !== null && releaseAt <= now)) return 'slice';
  const isWaiting = decideAt !== null && decideAt > now;
  return open.every(({ releaseAt }) => releaseAt === null) && !isWaiting ? 'decide' : undefined;
}

function sizeOf(share: { readonly percent: number } | { readonly contacts: number }, total: number): number {
  return 'percent' in share ? Math.ceil((total * share.percent) / 100) : share.contacts;
}

function waveOf(run: InMemoryRun, wave: number, part: number, releaseAt: Date | null, turnAt: number): Wave {
  const known = run.waves.find((each) => each.wave === wave && each.part === part);
  if (known !== undefined) return known;
  const added: Wave = { wave, part, contacts: [], releaseAt, position: 0, turnAt, isEnded: false };
  run.waves.push(added);
  return added;
}

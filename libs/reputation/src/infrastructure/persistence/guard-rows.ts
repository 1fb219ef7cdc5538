import { actorOf } from '#identity';
import type { ActorColumns } from '#identity';
import { Cause } from '../../domain/cause.js';
import { OutcomeCounts, RateEvidence } from '../../domain/evidence.js';
import { ChangeReason } from '../../domain/guard-decision.js';
import { ChangeEvidence, GuardChange, GuardState, ReplyExample } from '../../domain/guard-state.js';
import { GuardStep } from '../../domain/guard-limits.js';

export interface StoredEvidence {
  readonly rates: readonly RateEvidence[];
  readonly earlier?: ChangeEvidence['earlier'];
  readonly replies: readonly ReplyExample[];
  readonly cause?: Cause | null;
}

export interface StateRow extends Record<string, unknown> {
  readonly domain_id: string;
  readonly provider: string;
  readonly team_id: string;
  readonly step: GuardStep;
  readonly since: Date;
  readonly evidence_from: Date;
  readonly counted_before: OutcomeCounts;
  readonly slow_pace: number;
  readonly evidence: StoredEvidence | null;
  readonly lifted_at: Date | null;
  readonly is_locked: boolean;
  readonly is_settled: boolean;
}

export const stateColumns =
  'domain_id, provider, team_id, step, since, evidence_from, counted_before, slow_pace, evidence, lifted_at, is_locked, is_settled';

export function stateOf(row: StateRow): GuardState {
  return {
    teamId: row.team_id,
    domainId: row.domain_id,
    provider: row.provider,
    step: row.step,
    since: row.since,
    start: { from: row.evidence_from, before: row.counted_before },
    slowPace: row.slow_pace,
    evidence: evidenceOf(row.evidence),
    liftedAt: row.lifted_at ?? undefined,
    isLocked: row.is_locked,
    isSettled: row.is_settled,
  };
}

export interface ChangeRow extends Record<string, unknown>, ActorColumns {
  readonly id: string;
  readonly team_id: string;
  readonly domain_id: string;
  readonly provider: string;
  readonly from_step: GuardStep;
  readonly to_step: GuardStep;
  readonly because: ChangeReason;
  readonly evidence: StoredEvidence | null;
  readonly created_at: Date;
}

export function changeOf(row: ChangeRow): GuardChange {
  return {
    id: row.id,
    teamId: row.team_id,
    domainId: row.domain_id,
    provider: row.provider,
    from: row.from_step,
    to: row.to_step,
    because: row.because,
    evidence: evidenceOf(row.evidence),
    actor: actorOf(row),
    createdAt: row.created_at,
  };
}

function evidenceOf(stored: StoredEvidence | null): ChangeEvidence | undefined {
  if (stored === null) return undefined;
  const { rates, replies, cause, earlier = [] } = stored;
  return { rates, earlier, replies, cause: cause ?? undefined };
}

import { actorColumns } from '#identity';
import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import {
  claimed,
  Database,
  keysetCondition,
  lockRows,
  ProcessNotifications,
  ReadDatabase,
  statementsOf,
  storableJson,
} from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { GuardStates, paceChanged, PairToLookAt } from '../../application/ports/reputation-guard.port.js';
import { EvidenceStart } from '../../domain/evidence.js';
import { GuardChange, GuardedPair, GuardState } from '../../domain/guard-state.js';
import { guardSteps } from '../../domain/guard-limits.js';
import { ChangeRow, changeOf, stateColumns, stateOf, StateRow } from './guard-rows.js';

/** Providers that are counted for themselves are fewer. */
const maxOfDomain = 200;
const furthestFirst = `array_position(ARRAY[${guardSteps.map((step) => `'${step}'`).join(', ')}], step) DESC, since DESC`;

@Injectable()
export class PostgresGuardStates extends GuardStates {
  constructor(
    private readonly reads: ReadDatabase,
    private readonly database: Database,
    private readonly notifications: ProcessNotifications,
  ) {
    super();
  }

  /** In the order of the key, so that two writers cannot deadlock. */
  async touch(pairs: readonly GuardedPair[], transaction: Transaction): Promise<void> {
    if (pairs.length === 0) return;
    await statementsOf(transaction).execute({
      name: 'touch-reputations',
      text: `INSERT INTO reputation_pending (domain_id, provider, team_id)
             SELECT DISTINCT ON (domain_id, provider) domain_id, provider, team_id
             FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS p (domain_id, provider, team_id)
             ORDER BY domain_id, provider ON CONFLICT DO NOTHING`,
      values: [
        pairs.map(({ domainId }) => domainId),
        pairs.map(({ provider }) => provider),
        pairs.map(({ teamId }) => teamId),
      ],
    });
  }

  async next(now: Date, transaction: Transaction): Promise<PairToLookAt | undefined> {
    return (await this.pending(transaction)) ?? (await this.due(now, transaction));
  }

  async lock(domainId: string, provider: string, transaction: Transaction): Promise<GuardState | undefined> {
    const [row] = await statementsOf(transaction).query<StateRow>({
      name: 'lock-reputation',
      text: `SELECT ${stateColumns} FROM reputation_guards WHERE domain_id = $1 AND provider = $2 FOR UPDATE`,
      values: [domainId, provider],
    });
    return row && stateOf(row);
  }

  async postpone({ domainId, provider }: GuardedPair, lookAt: Date, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'postpone-reputation',
      text: 'UPDATE reputation_guards SET look_at = $3 WHERE domain_id = $1 AND provider = $2',
      values: [domainId, provider, lookAt],
    });
  }

  async settle(
    { domainId, provider }: GuardedPair,
    { from, before }: EvidenceStart,
    lookAt: Date,
    transaction: Transaction,
  ): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'settle-reputation',
      text: `UPDATE reputation_guards SET evidence_from = $3, counted_before = $4::jsonb, is_settled = true, look_at = $5
             WHERE domain_id = $1 AND provider = $2`,
      values: [domainId, provider, from, JSON.stringify(before), lookAt],
    });
  }

  async save(state: GuardState, change: GuardChange, lookAt: Date, transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    await statements.execute({
      name: 'save-reputation',
      text: `INSERT INTO reputation_guards (${stateColumns}, look_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9::jsonb, $10, $11, $12, $13)
             ON CONFLICT (domain_id, provider) DO UPDATE SET
               team_id = excluded.team_id, step = excluded.step, since = excluded.since, evidence_from = excluded.evidence_from,
               counted_before = excluded.counted_before, slow_pace = excluded.slow_pace, evidence = excluded.evidence,
               lifted_at = excluded.lifted_at, is_locked = excluded.is_locked, is_settled = excluded.is_settled, look_at = excluded.look_at`,
      values: [
        state.domainId,
        state.provider,
        state.teamId,
        state.step,
        state.since,
        state.start.from,
        JSON.stringify(state.start.before),
        state.slowPace,
        state.evidence === undefined ? null : storableJson(state.evidence),
        state.liftedAt ?? null,
        state.isLocked,
        state.isSettled,
        lookAt,
      ],
    });
    const { api_key_id: keyId, actor_kind: kind, actor_id: actorId } = actorColumns(change.actor);
    await statements.execute({
      name: 'add-reputation-change',
      text: `INSERT INTO reputation_changes (id, team_id, domain_id, provider, from_step, to_step, because, evidence,
                                             api_key_id, actor_kind, actor_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12)`,
      values: [
        change.id,
        change.teamId,
        change.domainId,
        change.provider,
        change.from,
        change.to,
        change.because,
        change.evidence === undefined ? null : storableJson(change.evidence),
        keyId ?? null,
        kind ?? null,
        actorId ?? null,
        change.createdAt,
      ],
    });
    // What went while mail was slowed is of no use any more.
    if (state.step === 'none') {
      await statements.execute({
        text: `DELETE FROM paced_usage WHERE domain_id = $1 AND provider = $2 AND rule IN ('guard-bulk', 'guard-all')`,
        values: [state.domainId, state.provider],
      });
    }
    await this.notifications.send(paceChanged, change.domainId, transaction);
  }

  async ofDomain(domainId: string): Promise<readonly GuardState[]> {
    const rows = await this.reads.query<StateRow>({
      name: 'reputations-of-domain',
      text: `SELECT ${stateColumns} FROM reputation_guards WHERE domain_id = $1 AND step <> 'none'
             ORDER BY ${furthestFirst}, provider LIMIT ${maxOfDomain}`,
      values: [domainId],
    });
    return rows.map(stateOf);
  }

  async active(limit: number): Promise<readonly (GuardState & { readonly domain: string; readonly team: string })[]> {
    const rows = await this.reads.query<StateRow & { domain: string; team: string }>({
      name: 'active-reputations',
      text: `SELECT ${stateColumns
        .split(', ')
        .map((column) => `g.${column}`)
        .join(', ')}, d.name AS domain, t.name AS team
             FROM (SELECT * FROM reputation_guards WHERE step <> 'none' ORDER BY ${furthestFirst} LIMIT $1) g
             JOIN published_domains d ON d.id = g.domain_id JOIN published_teams t ON t.id = g.team_id
             ORDER BY ${furthestFirst}, d.name`,
      values: [limit],
    });
    return rows.map((row) => ({ ...stateOf(row), domain: row.domain, team: row.team }));
  }

  async changes(domainId: string, page: PageRequest): Promise<Page<GuardChange>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<ChangeRow>({
      text: `SELECT id, team_id, domain_id, provider, from_step, to_step, because, evidence, api_key_id, actor_kind, actor_id,
                    created_at
             FROM reputation_changes WHERE domain_id = $1 ${condition} ${order}`,
      values: [domainId, ...values],
    });
    return pageOf(page, rows.map(changeOf));
  }

  private async pending(transaction: Transaction): Promise<PairToLookAt | undefined> {
    const [row] = await statementsOf(transaction).query<{ domain_id: string; provider: string; team_id: string }>({
      name: 'next-pending-reputation',
      text: `DELETE FROM reputation_pending
             WHERE ${claimed('domain_id, provider', 'FROM reputation_pending WHERE due_at <= now() ORDER BY due_at LIMIT 1')}
             RETURNING domain_id, provider, team_id`,
    });
    if (row === undefined) return undefined;
    const pair = { domainId: row.domain_id, provider: row.provider, teamId: row.team_id };
    return { pair, state: await this.lock(pair.domainId, pair.provider, transaction) };
  }

  private async due(now: Date, transaction: Transaction): Promise<PairToLookAt | undefined> {
    const [row] = await statementsOf(transaction).query<StateRow>({
      name: 'next-due-reputation',
      text: lockRows(
        stateColumns,
        `FROM reputation_guards WHERE (step <> 'none' OR NOT is_settled) AND look_at <= $1 ORDER BY look_at LIMIT 1`,
      ),
      values: [now],
    });
    if (row === undefined) return undefined;
    const state = stateOf(row);
    return { pair: { teamId: state.teamId, domainId: state.domainId, provider: state.provider }, state };
  }
}

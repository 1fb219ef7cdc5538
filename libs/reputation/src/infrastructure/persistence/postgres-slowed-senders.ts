import type { PacedLane } from '#delivery';
import { Database, DatabaseTransaction } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { SlowedSender, SlowedSenders } from '../../application/ports/reputation-guard.port.js';
import { GuardState } from '../../domain/guard-state.js';
import { PaceRule } from '../../domain/pace-rule.js';
import { stateColumns, stateOf, StateRow } from './guard-rows.js';

/** Senders that a worker keeps in mind. More than that are not in trouble at once. */
const maxSlowed = 20_000;

@Injectable()
export class PostgresSlowedSenders extends SlowedSenders {
  constructor(private readonly database: Database) {
    super();
  }

  list(): Promise<readonly SlowedSender[]> {
    return this.database.query<SlowedSender & Record<string, unknown>>({
      name: 'slowed-senders',
      text: `SELECT domain_id AS "domainId", provider, step, slow_pace AS "slowPace" FROM reputation_guards
             WHERE step <> 'none' AND step <> 'warned' LIMIT ${maxSlowed}`,
    });
  }

  async stateOf({ domainId, provider }: PacedLane): Promise<(GuardState & { readonly domain: string }) | undefined> {
    const [row] = await this.database.query<StateRow & { domain: string }>({
      name: 'slowed-sender',
      text: `SELECT ${stateColumns}, (SELECT name FROM published_domains d WHERE d.id = domain_id) AS domain
             FROM reputation_guards WHERE domain_id = $1 AND provider = $2`,
      values: [domainId, provider],
    });
    return row && { ...stateOf(row), domain: row.domain };
  }

  take(lane: PacedLane, rules: readonly PaceRule[], wanted: number): Promise<number> {
    return this.database.run(async (transaction) => {
      let granted = wanted;
      for (const rule of inOrder(rules)) {
        granted = Math.min(granted, Math.max(0, rule.cap - (await this.used(lane, rule, transaction))));
      }
      if (granted > 0) await this.add(lane, rules, granted, transaction);
      return granted;
    });
  }

  async giveBack(lane: PacedLane, rules: readonly PaceRule[], count: number): Promise<void> {
    await this.database.run((transaction) => this.add(lane, rules, -count, transaction));
  }

  /** Begins the period where it is new, and locks its row. */
  private async used(lane: PacedLane, rule: PaceRule, transaction: DatabaseTransaction): Promise<number> {
    const [row] = await transaction.query<{ used: number }>({
      name: 'begin-paced-period',
      text: `INSERT INTO paced_usage AS u (domain_id, provider, rule, period, used) VALUES ($1, $2, $3, $4, 0)
             ON CONFLICT (domain_id, provider, rule) DO UPDATE SET
               used = CASE WHEN excluded.period > u.period THEN 0 ELSE u.used END, period = greatest(u.period, excluded.period)
             RETURNING used`,
      values: [lane.domainId, lane.provider, rule.name, rule.period],
    });
    return row?.used ?? 0;
  }

  private async add(
    lane: PacedLane,
    rules: readonly PaceRule[],
    count: number,
    transaction: DatabaseTransaction,
  ): Promise<void> {
    for (const rule of inOrder(rules)) {
      await transaction.execute({
        name: 'add-paced-usage',
        text: `UPDATE paced_usage SET used = greatest(0, used + $4)
               WHERE domain_id = $1 AND provider = $2 AND rule = $3 AND (period = $5 OR $4 > 0)`,
        values: [lane.domainId, lane.provider, rule.name, count, rule.period],
      });
    }
  }
}

/** Rows are locked in the same order by all. */
function inOrder(rules: readonly PaceRule[]): readonly PaceRule[] {
  return [...rules].sort((a, b) => (a.name < b.name ? -1 : 1));
}

import { Transaction } from '#kernel';
import { claimed, Database, ProcessNotifications, ReadDatabase, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { paceChanged } from '../../application/ports/reputation-guard.port.js';
import {
  Allowance,
  SlowedAgain,
  Tell,
  ToldWarmUp,
  WarmedPair,
  WarmedProvider,
  WarmingDomain,
  WarmUp,
  WarmUps,
} from '../../application/ports/warm-ups.port.js';
import {
  dayOfHour,
  hourOf,
  leftOf,
  nextAt,
  quietDays,
  Ramp,
  rampAt,
  toldAfterDays,
  withSent,
} from '../../domain/warm-up.js';

/** Domains that a worker keeps in mind. */
const maxWarming = 20_000;
/** Warm-ups that one statement ends. */
const maxEnded = 100;

type RampRow = Row<Ramp> & { readonly schedule: readonly number[]; readonly bad: number };
type LockedRow = RampRow & { readonly teamId: string };

/** `$2` is the present hour. What became of the counted day matters only once it is over. */
const rampColumns = `
  p.step, p.is_done AS "isDone", p.hour::float8 AS hour, p.hour_sent AS "hourSent", p.day_sent AS "daySent",
  p.busy_day AS "busyDay", p.last_day AS "lastDay", w.schedule,
  CASE WHEN p.hour / 24 >= $2::bigint / 24 THEN 0 ELSE (
    SELECT coalesce(sum(h.deferred + h.refused_as_spam), 0)::float8 FROM published_provider_hours h
    WHERE h.domain_id = p.domain_id AND h.provider = p.provider
      AND h.hour >= to_timestamp((p.hour / 24) * 86400) AND h.hour < to_timestamp((p.hour / 24 + 1) * 86400)
  ) END AS bad`;

@Injectable()
export class PostgresWarmUps extends WarmUps {
  constructor(
    private readonly reads: ReadDatabase,
    private readonly database: Database,
    private readonly notifications: ProcessNotifications,
  ) {
    super();
  }

  list(): Promise<readonly WarmingDomain[]> {
    return this.database.query<Row<WarmingDomain>>({
      name: 'warming-domains',
      text: `SELECT w.domain_id AS "domainId", ARRAY(
               SELECT p.provider FROM warm_up_providers p WHERE p.domain_id = w.domain_id AND p.is_done) AS "doneProviders"
             FROM warm_ups w WHERE w.ended_at IS NULL LIMIT ${maxWarming}`,
    });
  }

  take(pair: WarmedPair, wanted: number, now: Date, onSlowed: Tell<SlowedAgain>): Promise<Allowance> {
    const hour = hourOf(now);
    return this.database.run(async (transaction) => {
      const row = await this.lock(pair, hour, transaction);
      if (row === undefined) return { taken: wanted, nextAt: undefined };
      const before = rampOfRow(row);
      const ramp = rampAt(before, row.schedule, hour, row.bad);
      const taken = ramp.isDone ? wanted : Math.min(wanted, leftOf(ramp, row.schedule));
      const after = withSent(ramp, row.schedule, taken);
      if (taken > 0 || after.hour !== row.hour) await this.save(pair, after, transaction);
      const { lastDay: day } = ramp;
      if (day?.slowedDays === toldAfterDays && day !== before.lastDay) {
        await onSlowed({ ...pair, teamId: row.teamId, day }, transaction);
      }
      if (ramp.isDone && !row.isDone) await this.notifications.send(paceChanged, pair.domainId, transaction);
      return { taken, nextAt: taken < wanted ? nextAt(after, row.schedule) : undefined };
    });
  }

  async giveBack({ domainId, provider }: WarmedPair, count: number, now: Date): Promise<void> {
    await this.database.execute({
      name: 'give-back-warm-up',
      text: `UPDATE warm_up_providers SET hour_sent = greatest(0, hour_sent - $3), day_sent = greatest(0, day_sent - $3)
             WHERE domain_id = $1 AND provider = $2 AND hour = $4`,
      values: [domainId, provider, count, hourOf(now)],
    });
  }

  async of(domainId: string): Promise<WarmUp | undefined> {
    const [row] = await this.reads.query<Row<WarmUp> & { endedAt: Date | null }>({
      name: 'warm-up',
      text: `SELECT domain_id AS "domainId", team_id AS "teamId", schedule, started_at AS "startedAt", ended_at AS "endedAt"
             FROM warm_ups WHERE domain_id = $1`,
      values: [domainId],
    });
    return row && { ...row, endedAt: row.endedAt ?? undefined };
  }

  async providersOf({ domainId }: WarmUp, now: Date, limit: number): Promise<readonly WarmedProvider[]> {
    const hour = hourOf(now);
    const rows = await this.reads.query<RampRow & { provider: string }>({
      name: 'providers-of-warm-up',
      text: `SELECT p.provider, ${rampColumns} FROM (
               SELECT * FROM warm_up_providers WHERE domain_id = $1
               ORDER BY busy_day DESC NULLS LAST, day_sent DESC, provider LIMIT $3) p
             JOIN warm_ups w ON w.domain_id = p.domain_id
             ORDER BY p.busy_day DESC NULLS LAST, p.day_sent DESC, p.provider`,
      values: [domainId, hour, limit],
    });
    return rows.map((row) => ({
      provider: row.provider,
      ramp: rampAt(rampOfRow(row), row.schedule, hour, row.bad),
    }));
  }

  async rampOf(
    { domainId, provider }: WarmedPair,
    now: Date,
  ): Promise<
    { readonly domain: string; readonly schedule: readonly number[]; readonly ramp: Ramp | undefined } | undefined
  > {
    const hour = hourOf(now);
    const [row] = await this.database.query<RampRow & { domain: string; exists: boolean }>({
      name: 'ramp-of-warm-up',
      text: `SELECT d.name AS domain, p.domain_id IS NOT NULL AS exists, ${rampColumns}
             FROM warm_ups w JOIN published_domains d ON d.id = w.domain_id
             LEFT JOIN warm_up_providers p ON p.domain_id = w.domain_id AND p.provider = $3
             WHERE w.domain_id = $1 AND w.ended_at IS NULL`,
      values: [domainId, hour, provider],
    });
    if (row === undefined) return undefined;
    const ramp = row.exists ? rampAt(rampOfRow(row), row.schedule, hour, row.bad) : undefined;
    return { domain: row.domain, schedule: row.schedule, ramp };
  }

  async start({ domainId, teamId, schedule, startedAt }: WarmUp, transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    const [row] = await statements.query<{ runs: boolean }>({
      text: 'SELECT ended_at IS NULL AS runs FROM warm_ups WHERE domain_id = $1 FOR UPDATE',
      values: [domainId],
    });
    await statements.execute({
      text: `INSERT INTO warm_ups AS w (domain_id, team_id, schedule, started_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (domain_id) DO UPDATE SET schedule = excluded.schedule, ended_at = NULL,
               started_at = CASE WHEN w.ended_at IS NULL THEN w.started_at ELSE excluded.started_at END`,
      values: [domainId, teamId, schedule, startedAt],
    });
    await statements.execute(
      row?.runs === true
        ? {
            text: 'UPDATE warm_up_providers SET step = least(step, $2) WHERE domain_id = $1 AND step > $2',
            values: [domainId, schedule.length - 1],
          }
        : {
            text: `UPDATE warm_up_providers SET step = 0, is_done = false, busy_day = NULL, last_day = NULL WHERE domain_id = $1`,
            values: [domainId],
          },
    );
    await this.notifications.send(paceChanged, domainId, transaction);
  }

  async end(domainId: string, now: Date, transaction: Transaction): Promise<boolean> {
    const ended = await statementsOf(transaction).query({
      text: 'UPDATE warm_ups SET ended_at = $2 WHERE domain_id = $1 AND ended_at IS NULL RETURNING domain_id',
      values: [domainId, now],
    });
    if (ended.length > 0) await this.notifications.send(paceChanged, domainId, transaction);
    return ended.length > 0;
  }

  endFinished(now: Date, onEnd: Tell<ToldWarmUp>): Promise<void> {
    return this.database.run(async (transaction) => {
      const ended = await statementsOf(transaction).query<Row<ToldWarmUp>>({
        name: 'end-finished-warm-ups',
        text: `UPDATE warm_ups SET ended_at = $1 WHERE ${claimed(
          'domain_id',
          `FROM warm_ups w WHERE w.ended_at IS NULL
           AND EXISTS (SELECT FROM warm_up_providers p WHERE p.domain_id = w.domain_id AND p.is_done)
           AND NOT EXISTS (SELECT FROM warm_up_providers p
                           WHERE p.domain_id = w.domain_id AND NOT p.is_done AND p.busy_day > $2)
           LIMIT ${maxEnded}`,
          'w',
        )} RETURNING domain_id AS "domainId", team_id AS "teamId"`,
        values: [now, dayOfHour(hourOf(now)) - quietDays],
      });
      for (const each of ended) await onEnd(each, transaction);
    });
  }

  /** The row of the pair, which begins with its first mail. Undefined if the domain does not warm up any more. */
  private async lock(pair: WarmedPair, hour: number, transaction: Transaction): Promise<LockedRow | undefined> {
    return (await this.read(pair, hour, transaction)) ?? (await this.begin(pair, hour, transaction));
  }

  private async begin(pair: WarmedPair, hour: number, transaction: Transaction): Promise<LockedRow | undefined> {
    await statementsOf(transaction).execute({
      name: 'begin-warm-up',
      text: `INSERT INTO warm_up_providers (domain_id, provider, step, is_done, hour, hour_sent, day_sent)
             SELECT domain_id, $2, 0, false, $3, 0, 0 FROM warm_ups WHERE domain_id = $1 AND ended_at IS NULL
             ON CONFLICT DO NOTHING`,
      values: [pair.domainId, pair.provider, hour],
    });
    return this.read(pair, hour, transaction);
  }

  private async read(
    { domainId, provider }: WarmedPair,
    hour: number,
    transaction: Transaction,
  ): Promise<LockedRow | undefined> {
    const [row] = await statementsOf(transaction).query<LockedRow>({
      name: 'lock-warm-up',
      text: `SELECT ${rampColumns}, w.team_id AS "teamId" FROM warm_up_providers p JOIN warm_ups w ON w.domain_id = p.domain_id AND w.ended_at IS NULL
             WHERE p.domain_id = $1 AND p.provider = $3 FOR UPDATE OF p`,
      values: [domainId, hour, provider],
    });
    return row;
  }

  private async save({ domainId, provider }: WarmedPair, ramp: Ramp, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'save-warm-up',
      text: `UPDATE warm_up_providers SET step = $3, is_done = $4, hour = $5, hour_sent = $6, day_sent = $7, busy_day = $8,
                                          last_day = $9::jsonb
             WHERE domain_id = $1 AND provider = $2`,
      values: [
        domainId,
        provider,
        ramp.step,
        ramp.isDone,
        ramp.hour,
        ramp.hourSent,
        ramp.daySent,
        ramp.busyDay,
        ramp.lastDay === null ? null : JSON.stringify(ramp.lastDay),
      ],
    });
  }
}

function rampOfRow({ step, isDone, hour, hourSent, daySent, busyDay, lastDay }: RampRow): Ramp {
  return { step, isDone, hour, hourSent, daySent, busyDay, lastDay };
}

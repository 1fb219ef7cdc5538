import { mailboxOf } from '../../application/answers-of-slice.js';
import { Database, Row } from '#postgres/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders, erasedPortionOf } from '#postgres/privacy';
import type { ErasedRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';
import { automationTexts, textPortion, TextWalk } from './automation-texts.js';
import { countShards } from './count-statements.js';

const portion = 500;
/** Positions behind the runs of the person: `texts <number of the walk> <keys>`. */
const texts = 'texts';
const first = '00000000-0000-0000-0000-000000000000';

interface RunOfPerson {
  readonly id: string;
  readonly name: string | null;
  readonly status: string;
  readonly payload: unknown;
  readonly waitEvents: unknown;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** The runs of a person through automations, with the payloads of their events. An erasure ends and removes them. */
@Injectable()
export class AutomationsData extends PersonalData {
  readonly name = 'automations';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = first; after !== undefined;) {
      const runs: Row<RunOfPerson>[] = await this.database.query<Row<RunOfPerson>>({
        text: `SELECT r.id, a.name, r.status, r.payload, r.wait_events AS "waitEvents", r.created_at AS "createdAt",
                      r.completed_at AS "completedAt"
               FROM automation_runs r LEFT JOIN automations a ON a.id = r.automation_id
               WHERE r.team_id = $1 AND r.contact_email = ANY ($2) AND r.id > $3 ORDER BY r.id LIMIT ${portion}`,
        values: [teamId, spellings.stored, after],
      });
      for (const { id, name, status, payload, waitEvents, createdAt, completedAt } of runs) {
        yield {
          run_id: id,
          automation: name,
          status,
          event: payload,
          events: waitEvents,
          created_at: createdAt.toISOString(),
          completed_at: completedAt?.toISOString() ?? null,
        };
      }
      after = runs.length === portion ? runs.at(-1)?.id : undefined;
    }
    yield* this.payloads(teamId, spellings.stored);
    yield* this.kept(teamId, spellings.stored);
  }

  /** Events that runs have not come to yet, at most 50 of each name. */
  private async *kept(teamId: string, addresses: readonly string[]): AsyncGenerator<object> {
    for (let after: string | undefined = '-1'; after !== undefined;) {
      const rows: { position: string; name: string; payload: unknown }[] = await this.database.query({
        text: `SELECT position, event_name AS name, payload FROM automation_kept_events
               WHERE team_id = $1 AND contact_email = ANY ($2) AND position > $3 ORDER BY position LIMIT ${portion}`,
        values: [teamId, addresses, after],
      });
      for (const { name, payload } of rows) yield { event_name: name, event: payload };
      after = rows.length === portion ? rows.at(-1)?.position : undefined;
    }
  }

  /** The last payloads of events are kept apart from their runs. */
  private async *payloads(teamId: string, addresses: readonly string[]): AsyncGenerator<object> {
    for (let after: string | undefined = first; after !== undefined;) {
      const rows: { id: string; name: string; payload: unknown; createdAt: Date }[] = await this.database.query({
        text: `SELECT id, name, payload, created_at AS "createdAt" FROM custom_event_payloads
               WHERE team_id = $1 AND contact_email = ANY ($2) AND id > $3 ORDER BY id LIMIT ${portion}`,
        values: [teamId, addresses, after],
      });
      for (const { name, payload, createdAt } of rows) {
        yield { event_name: name, event: payload, created_at: createdAt.toISOString() };
      }
      after = rows.length === portion ? rows.at(-1)?.id : undefined;
    }
  }

  async erase(subject: DataSubject, after = first): Promise<ErasedPortion> {
    return after.startsWith(texts) ? this.eraseTexts(subject, after) : this.eraseRuns(subject);
  }

  /** Runs of others, and events that wait, may name the person in what they carry. */
  private async eraseTexts({ teamId, spellings }: DataSubject, after: string): Promise<ErasedPortion> {
    const [, no = '0', ...position] = after.split(' ');
    const walk = automationTexts[Number(no)] as TextWalk;
    const [row] = await this.database.query<Row<ErasedRows>>({
      text: walk.statement,
      values: [teamId, spellings.within, ...(position.length === 0 ? walk.first : walk.keysOf(position))],
    });
    const { erased, next } = erasedPortionOf(row, textPortion);
    const nextWalk = Number(no) + 1 < automationTexts.length ? `${texts} ${Number(no) + 1}` : undefined;
    return { erased, next: next === undefined ? nextWalk : `${texts} ${no} ${next}`, isWaiting: false };
  }

  private async eraseRuns({ teamId, spellings }: DataSubject): Promise<ErasedPortion> {
    await this.database.execute({
      text: 'DELETE FROM custom_event_occurrences WHERE team_id = $1 AND email = ANY ($2)',
      values: [teamId, spellings.stored],
    });
    await this.database.execute({
      text: 'DELETE FROM custom_event_payloads WHERE team_id = $1 AND contact_email = ANY ($2)',
      values: [teamId, spellings.stored],
    });
    await this.database.execute({
      text: 'DELETE FROM automation_kept_events WHERE team_id = $1 AND contact_email = ANY ($2)',
      values: [teamId, spellings.stored],
    });
    await this.database.execute({
      text: `DELETE FROM automation_answers
             WHERE automation_id IN (SELECT id FROM automations WHERE team_id = $1) AND author = ANY ($2)`,
      values: [teamId, spellings.stored.map(mailboxOf)],
    });
    const runs = await this.database.query({
      text: `WITH found AS MATERIALIZED (
               SELECT id, automation_id, status FROM automation_runs
               WHERE team_id = $1 AND contact_email = ANY ($2) ORDER BY id LIMIT ${portion} FOR UPDATE
             ), steps AS (
               DELETE FROM automation_run_steps WHERE run_id IN (SELECT id FROM found) RETURNING automation_id, step_key, status
             ), calls AS (
               DELETE FROM automation_calls WHERE run_id IN (SELECT id FROM found)
             ), counted_steps AS (
               INSERT INTO automation_step_counts AS c (automation_id, step_key, shard, waiting, skipped)
               SELECT automation_id, step_key, pg_backend_pid() % ${countShards}, -count(*), count(*) FROM steps
               WHERE status = 'waiting' AND automation_id IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
               ON CONFLICT (automation_id, step_key, shard) DO UPDATE
               SET waiting = c.waiting + excluded.waiting, skipped = c.skipped + excluded.skipped
             ), counted_runs AS (
               INSERT INTO automation_run_counts AS c (automation_id, shard, cancelled)
               SELECT automation_id, pg_backend_pid() % ${countShards}, count(*) FROM found WHERE status = 'running'
               GROUP BY 1 ORDER BY 1
               ON CONFLICT (automation_id, shard) DO UPDATE SET cancelled = c.cancelled + excluded.cancelled
             )
             DELETE FROM automation_runs WHERE id IN (SELECT id FROM found) RETURNING 1`,
      values: [teamId, spellings.stored],
    });
    return { erased: runs.length, next: runs.length < portion ? `${texts} 0` : first, isWaiting: false };
  }
}

import { Database, lockRowsOfTeams, placesOf, ProcessNotifications, Row, storableJson, Turn } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { CallQueue, LeasedCall } from '../../application/ports/step-calls.port.js';
import { automationsHaveWork } from '../../application/ports/event-queue.port.js';
import { EndedCall } from '../../domain/run.js';

/** Longer than a call takes (`timeoutMs` of `HttpStepCaller`). After it, another process makes the call again. */
const leaseMs = 30_000;
/** Of the answers of a run, all together. One beyond it is not kept. */
const maxAnswerBytes = 262_144;

type LeasedRow = Row<LeasedCall> & { readonly isAwaited: boolean };

@Injectable()
export class PostgresCallQueue extends CallQueue {
  private readonly turn = new Turn({ table: 'automation_calls', isTimed: true });

  constructor(
    private readonly database: Database,
    private readonly notifications: ProcessNotifications,
  ) {
    super();
  }

  async lease(
    now: Date,
    limit: number,
    busy: ReadonlyMap<string, number>,
    maxOfTeam: number,
  ): Promise<readonly LeasedCall[]> {
    const teams = await this.turn.next(limit, this.database, now);
    const places = placesOf(teams, limit, busy, maxOfTeam);
    if (!places.some((place) => place > 0)) return [];
    const rows = await this.database.query<LeasedRow>({
      name: 'lease-automation-calls',
      text: `WITH due AS MATERIALIZED (
               ${lockRowsOfTeams('id', 'FROM automation_calls WHERE team_id = t.team_id AND due_at <= $3 ORDER BY due_at')}
             )
             UPDATE automation_calls c SET due_at = $4, attempts = least(c.attempts + 1, 32767)
             FROM due WHERE c.id = due.id
             RETURNING c.id, c.team_id AS "teamId", c.run_id AS "runId", c.step_key AS "stepKey", c.url, c.body, c.attempts,
               EXISTS (SELECT FROM automation_runs r
                       WHERE r.id = c.run_id AND r.status = 'running' AND r.is_waiting AND r.step_key = c.step_key) AS "isAwaited"`,
      values: [teams, places, now, new Date(now.getTime() + leaseMs)],
    });
    const forgotten = rows.filter(({ isAwaited }) => !isAwaited).map(({ id }) => id);
    if (forgotten.length > 0) {
      await this.database.execute({
        text: 'DELETE FROM automation_calls WHERE id = ANY ($1::uuid[])',
        values: [forgotten],
      });
    }
    return rows.filter(({ isAwaited }) => isAwaited);
  }

  async end({ id, runId, stepKey }: LeasedCall, ended: EndedCall, now: Date): Promise<void> {
    const { answer } = ended;
    const text = storableJson(answer);
    await this.database.run(async (transaction) => {
      await transaction.execute({
        name: 'end-automation-call',
        text: `UPDATE automation_runs r
               SET call = $3, due_at = $4, postponed_because = NULL,
                   webhooks = CASE WHEN $5::boolean AND octet_length(coalesce(r.webhooks, '{}')::text) + $6 <= ${maxAnswerBytes}
                              THEN coalesce(r.webhooks, '{}') || jsonb_build_object($2::text, $7::jsonb) ELSE r.webhooks END
               WHERE r.id = $1 AND r.status = 'running' AND r.is_waiting AND r.step_key = $2`,
        values: [
          runId,
          stepKey,
          storableJson(ended),
          now,
          answer !== null && answer !== undefined,
          Buffer.byteLength(text),
          text,
        ],
      });
      await transaction.execute({ text: 'DELETE FROM automation_calls WHERE id = $1', values: [id] });
      await this.notifications.send(automationsHaveWork, '', transaction);
    });
  }

  async retry({ id, runId, stepKey, attempts }: LeasedCall, because: string, at: Date): Promise<void> {
    await this.database.run(async (transaction) => {
      await transaction.execute({
        name: 'automation-call-failed',
        text: `UPDATE automation_runs SET postponed_because = $3
               WHERE id = $1 AND status = 'running' AND is_waiting AND step_key = $2`,
        values: [runId, stepKey, because],
      });
      // A process whose lease has ended may have begun the next attempt.
      await transaction.execute({
        name: 'retry-automation-call',
        text: 'UPDATE automation_calls SET due_at = $3 WHERE id = $1 AND attempts = $2',
        values: [id, attempts, at],
      });
    });
  }
}

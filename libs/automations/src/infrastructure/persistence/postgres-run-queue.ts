import { actorOf } from '#identity';
import type { ActorColumns } from '#identity';
import { Transaction } from '#kernel';
import { Database, Row, statementsOf, storableJson } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { EventOccurrence } from '../../application/ports/event-repository.port.js';
import {
  AdvancedRun,
  ContactEvent,
  DueRun,
  EmailOfRunEvent,
  EventName,
  Listener,
  NewRun,
  RunQueue,
  Waiter,
} from '../../application/ports/run-queue.port.js';
import { Version, VersionGraphs } from './version-graphs.js';
import {
  cancelStopped,
  Look,
  maxCancelled,
  nextRow,
  runColumns,
  runOf,
  RunRow,
  stepRow,
  teamsWithEvents,
  teamsWithRuns,
  Turn,
} from './run-statements.js';

/** Waiting runs that the events of one slice wake. */
const maxWaiters = 5_000;
/** Of the events that a run has waited for, all together. The payload of one beyond it is not kept. */
const maxWaitEventBytes = 262_144;
type DueRow = RunRow & ActorColumns & { readonly isStopped: boolean };

/** Of a stopped or deleted automation there is no row that began before the run. */
const dueColumns = `${runColumns}, a.id IS NULL AS "isStopped", a.api_key_id, a.actor_kind, a.actor_id
  FROM automation_runs r LEFT JOIN automations a
    ON a.id = r.automation_id AND (a.stopped_at IS NULL OR a.stopped_at < r.created_at)`;

@Injectable()
export class PostgresRunQueue extends RunQueue {
  private readonly graphs = new VersionGraphs();
  private readonly eventTurn = new Turn();
  private readonly runTurn = new Turn();
  /** Whether the last search found as many as it wanted: then teams take turns, and otherwise all of them come at once. */
  private hasManyEvents = false;
  private hasManyRuns = false;

  constructor(private readonly database: Database) {
    super();
  }

  async takeEvents(limit: number, transaction: Transaction): Promise<readonly EventOccurrence[]> {
    const statements = statementsOf(transaction);
    const columns = `id, team_id AS "teamId", event_name AS name, contact_id AS "contactId", email, payload`;
    if (!this.hasManyEvents) {
      const events = await statements.query<Row<EventOccurrence>>({
        name: 'take-custom-events',
        text: `SELECT ${columns} FROM custom_event_occurrences ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
        values: [limit],
      });
      this.hasManyEvents = events.length === limit;
      return events;
    }
    const teams = await this.eventTurn.next(limit, async (after) => {
      const [look] = await statements.query<Look>({
        name: 'teams-with-events',
        text: teamsWithEvents,
        values: [after],
      });
      return look;
    });
    this.hasManyEvents = teams.length > 0;
    const events = await statements.query<Row<EventOccurrence>>({
      name: 'take-custom-events-in-turn',
      text: `SELECT d.* FROM unnest($1::uuid[]) AS t (team_id) CROSS JOIN LATERAL (
               SELECT ${columns} FROM custom_event_occurrences WHERE team_id = t.team_id
               ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
             ) d`,
      values: [teams, shareOf(limit, teams)],
    });
    return [...events].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async removeEvents(ids: readonly string[], transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'remove-custom-events',
      text: 'DELETE FROM custom_event_occurrences WHERE id = ANY ($1::uuid[])',
      values: [ids],
    });
  }

  async listeners(events: readonly EventName[], transaction: Transaction): Promise<readonly Listener[]> {
    return statementsOf(transaction).query<Row<Listener>>({
      name: 'listeners-of-events',
      text: `SELECT t.team_id AS "teamId", t.event_name AS "eventName", t.automation_id AS "automationId", a.version,
                    t.step_key AS "triggerKey"
             FROM json_to_recordset($1::json) AS e (team_id uuid, event_name text)
             JOIN automation_triggers t ON t.team_id = e.team_id AND t.event_name = e.event_name
             JOIN automations a ON a.id = t.automation_id
             ORDER BY t.automation_id, t.step_key
             FOR KEY SHARE OF t`,
      values: [storableJson(distinctNames(events))],
    });
  }

  async awaited(events: readonly EventName[], transaction: Transaction): Promise<readonly EventName[]> {
    return statementsOf(transaction).query<Row<EventName>>({
      name: 'awaited-events',
      text: `SELECT e.team_id AS "teamId", e.event_name AS name
             FROM json_to_recordset($1::json) AS e (team_id uuid, event_name text)
             WHERE EXISTS (SELECT FROM automation_runs WHERE team_id = e.team_id AND waiting_event = e.event_name)`,
      values: [storableJson(distinctNames(events))],
    });
  }

  async begin(runs: readonly NewRun[], now: Date, transaction: Transaction): Promise<void> {
    const payloads = new Map(runs.map(({ eventId, payload }) => [eventId, payload]));
    await statementsOf(transaction).execute({
      name: 'begin-automation-runs',
      text: `WITH begun AS (
               INSERT INTO automation_runs (id, team_id, automation_id, version, event_id, trigger_key, contact_id, contact_email,
                                            payload, status, step_key, due_at, created_at)
               SELECT r.id, r.team_id, r.automation_id, r.version, r.event_id, r.trigger_key, r.contact_id, r.contact_email,
                      e.payload, 'running', r.trigger_key, $3, $3
               FROM json_to_recordset($1::json) AS r (id uuid, team_id uuid, automation_id uuid, version integer, event_id uuid,
                                                      trigger_key text, contact_id uuid, contact_email text)
               JOIN json_to_recordset($2::json) AS e (id uuid, payload jsonb) ON e.id = r.event_id
               ON CONFLICT (event_id, automation_id, trigger_key) DO NOTHING
               RETURNING team_id
             )
             INSERT INTO automation_usage AS u (team_id, month, runs)
             SELECT team_id, date_trunc('month', $3::timestamptz AT TIME ZONE 'UTC')::date, count(*) FROM begun
             GROUP BY team_id ORDER BY team_id
             ON CONFLICT (team_id, month) DO UPDATE SET runs = u.runs + excluded.runs`,
      values: [
        storableJson(
          runs.map((run) => ({
            id: run.id,
            team_id: run.teamId,
            automation_id: run.automationId,
            version: run.version,
            event_id: run.eventId,
            trigger_key: run.triggerKey,
            contact_id: run.contactId,
            contact_email: run.contactEmail,
          })),
        ),
        storableJson([...payloads].map(([id, payload]) => ({ id, payload }))),
        now,
      ],
    });
  }

  async waiters(events: readonly ContactEvent[], transaction: Transaction): Promise<readonly Waiter[]> {
    return this.waiting(
      events,
      {
        name: 'runs-that-wait-for-events',
        text: `SELECT r.id, r.step_key AS "stepKey", r.automation_id AS "automationId", r.version, e.no
               FROM json_to_recordset($1::json) AS e (no integer, team_id uuid, contact_id uuid, name text)
               JOIN automation_runs r
                 ON r.team_id = e.team_id AND r.contact_id = e.contact_id AND r.waiting_event = e.name
               ORDER BY r.id, e.no LIMIT ${maxWaiters} FOR UPDATE OF r`,
        values: [
          storableJson(
            events.map(({ teamId, contactId, name }, no) => ({ no, team_id: teamId, contact_id: contactId, name })),
          ),
        ],
      },
      transaction,
    );
  }

  async waitersForEmails(events: readonly EmailOfRunEvent[], transaction: Transaction): Promise<readonly Waiter[]> {
    return this.waiting(
      events,
      {
        name: 'runs-that-wait-for-emails',
        text: `SELECT r.id, r.step_key AS "stepKey", r.automation_id AS "automationId", r.version, e.no
               FROM json_to_recordset($1::json) AS e (no integer, email_id uuid, name text)
               JOIN automation_run_steps s ON s.email_id = e.email_id
               JOIN automation_runs r ON r.id = s.run_id AND r.waiting_event = e.name
               ORDER BY r.id, e.no LIMIT ${maxWaiters} FOR UPDATE OF r`,
        values: [storableJson(events.map(({ emailId, name }, no) => ({ no, email_id: emailId, name })))],
      },
      transaction,
    );
  }

  async happened(runId: string, name: string, transaction: Transaction): Promise<boolean> {
    const [row] = await statementsOf(transaction).query({
      name: 'event-of-emails-of-run',
      text: `SELECT FROM automation_run_steps s JOIN published_email_events v ON v.email_id = s.email_id
             WHERE s.run_id = $1 AND s.email_id IS NOT NULL AND v.type = substr($2, 8)
               AND v.data #>> '{open,machine}' IS DISTINCT FROM 'true' AND v.data #>> '{click,machine}' IS DISTINCT FROM 'true'
             LIMIT 1`,
      values: [runId, name],
    });
    return row !== undefined;
  }

  async wake(waiters: readonly Waiter[], now: Date, transaction: Transaction): Promise<void> {
    const payloads = new Map(waiters.map(({ event }) => [event, event.payload]));
    const numbers = new Map([...payloads.keys()].map((event, no) => [event, no]));
    await statementsOf(transaction).execute({
      name: 'wake-automation-runs',
      text: `UPDATE automation_runs r
             SET has_event = true, waiting_event = NULL, due_at = $3,
                 wait_events = coalesce(r.wait_events, '{}') || jsonb_build_object(e.name,
                   CASE WHEN octet_length(coalesce(r.wait_events, '{}')::text) + e.bytes <= ${maxWaitEventBytes}
                   THEN e.payload ELSE '{}' END)
             FROM json_to_recordset($1::json) AS w (id uuid, no integer)
             JOIN json_to_recordset($2::json) AS e (no integer, name text, payload jsonb, bytes integer) ON e.no = w.no
             WHERE r.id = w.id`,
      values: [
        storableJson(waiters.map(({ run, event }) => ({ id: run.id, no: numbers.get(event) }))),
        storableJson(
          [...payloads].map(([event, payload]) => ({
            no: numbers.get(event),
            name: event.name,
            payload,
            bytes: Buffer.byteLength(JSON.stringify(payload)),
          })),
        ),
        now,
      ],
    });
  }

  async claim(now: Date, limit: number, transaction: Transaction, onlyId?: string): Promise<readonly DueRun[]> {
    const rows = await this.dueRows(now, limit, transaction, onlyId);
    await this.graphs.load(rows, transaction);
    return rows.map(({ isStopped, api_key_id, actor_kind, actor_id, ...row }) => ({
      run: runOf(row as RunRow),
      graph: this.graphs.of(row),
      isStopped,
      actor: actorOf({ api_key_id, actor_kind, actor_id }),
    }));
  }

  private async dueRows(now: Date, limit: number, transaction: Transaction, onlyId?: string): Promise<DueRow[]> {
    const statements = statementsOf(transaction);
    if (onlyId !== undefined) {
      return statements.query<DueRow>({
        text: `SELECT ${dueColumns} WHERE r.id = $1 AND r.due_at <= $2 FOR UPDATE OF r SKIP LOCKED`,
        values: [onlyId, now],
      });
    }
    if (!this.hasManyRuns) {
      const rows = await statements.query<DueRow>({
        name: 'claim-automation-runs',
        text: `SELECT ${dueColumns} WHERE r.due_at <= $2 ORDER BY r.due_at LIMIT $1 FOR UPDATE OF r SKIP LOCKED`,
        values: [limit, now],
      });
      this.hasManyRuns = rows.length === limit;
      return rows;
    }
    const teams = await this.runTurn.next(limit, async (after) => {
      const [look] = await statements.query<Look>({
        name: 'teams-with-runs',
        text: teamsWithRuns,
        values: [after, now],
      });
      return look;
    });
    this.hasManyRuns = teams.length > 0;
    return statements.query<DueRow>({
      name: 'claim-automation-runs-in-turn',
      text: `SELECT d.* FROM unnest($1::uuid[]) AS t (team_id) CROSS JOIN LATERAL (
               SELECT ${dueColumns} WHERE r.team_id = t.team_id AND r.due_at <= $3
               ORDER BY r.due_at LIMIT $2 FOR UPDATE OF r SKIP LOCKED
             ) d`,
      values: [teams, shareOf(limit, teams), now],
    });
  }

  async record(advanced: readonly AdvancedRun[], now: Date, transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    const steps = advanced.flatMap(({ run, steps: done }) => done.map((step) => stepRow(run.id, step)));
    const writes = [
      statements.execute({
        name: 'advance-automation-runs',
        text: `UPDATE automation_runs r
               SET status = n.status, step_key = n.step_key, is_waiting = n.is_waiting, waiting_event = n.waiting_event,
                   due_at = n.due_at, postponed_because = n.postponed_because, has_event = false, troubles = 0,
                   started_at = coalesce(r.started_at, $2), completed_at = CASE WHEN n.status = 'running' THEN NULL ELSE $2 END
               FROM json_to_recordset($1::json) AS n (id uuid, status text, step_key text, is_waiting boolean, waiting_event text,
                                                      due_at timestamptz, postponed_because text)
               WHERE r.id = n.id`,
        values: [storableJson(advanced.map(nextRow)), now],
      }),
    ];
    if (steps.length > 0) {
      writes.push(
        statements.execute({
          name: 'record-automation-steps',
          text: `INSERT INTO automation_run_steps AS s (run_id, step_key, type, status, output, error, email_id, started_at, completed_at)
                 SELECT run_id, step_key, type, status, output, error, email_id, started_at, completed_at
                 FROM json_to_recordset($1::json) AS n (run_id uuid, step_key text, type text, status text, output jsonb, error text,
                                                        email_id uuid, started_at timestamptz, completed_at timestamptz)
                 ON CONFLICT (run_id, step_key) DO UPDATE
                 SET status = excluded.status, output = excluded.output, error = excluded.error, completed_at = excluded.completed_at`,
          values: [storableJson(steps)],
        }),
      );
    }
    await Promise.all(writes);
  }

  async trouble(runId: string, dueAt: Date): Promise<number> {
    const [row] = await this.database.query<{ troubles: number }>({
      text: `UPDATE automation_runs SET troubles = troubles + 1, due_at = $2 WHERE id = $1 AND due_at IS NOT NULL RETURNING troubles`,
      values: [runId, dueAt],
    });
    return row?.troubles ?? 0;
  }

  tidy(): Promise<boolean> {
    return this.database.run(async (transaction) => {
      const [stopped] = await transaction.query<{ id: string; stoppedAt: Date; isDeleted: boolean }>({
        text: `SELECT id, stopped_at AS "stoppedAt", is_deleted AS "isDeleted" FROM automations WHERE stopped_at IS NOT NULL
               ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      });
      if (stopped === undefined) return false;
      const { id, stoppedAt, isDeleted } = stopped;
      if ((await transaction.execute(cancelStopped(id, stoppedAt))) === maxCancelled) return true;
      if (!isDeleted) {
        await transaction.execute({ text: 'UPDATE automations SET stopped_at = NULL WHERE id = $1', values: [id] });
        return true;
      }
      await transaction.execute({ text: 'DELETE FROM automation_versions WHERE automation_id = $1', values: [id] });
      await transaction.execute({ text: 'DELETE FROM automations WHERE id = $1', values: [id] });
      return true;
    });
  }

  private async waiting<Event extends Pick<ContactEvent, 'name' | 'payload'>>(
    events: readonly Event[],
    statement: { readonly name: string; readonly text: string; readonly values: unknown[] },
    transaction: Transaction,
  ): Promise<readonly Waiter[]> {
    const rows =
      await statementsOf(transaction).query<Row<{ id: string; stepKey: string; no: number } & Version>>(statement);
    await this.graphs.load(rows, transaction);
    return rows.flatMap((row) => {
      const { no, id, stepKey } = row;
      return [{ run: { id, stepKey }, graph: this.graphs.of(row), event: events[no] as Event }];
    });
  }
}

function distinctNames(events: readonly EventName[]): readonly object[] {
  const byKey = new Map(events.map((event) => [`${event.teamId} ${event.name}`, event]));
  return [...byKey.values()].map(({ teamId, name }) => ({ team_id: teamId, event_name: name }));
}

/** What each team gets of a slice. */
function shareOf(limit: number, teams: readonly string[]): number {
  return Math.max(1, Math.floor(limit / Math.max(1, teams.length)));
}

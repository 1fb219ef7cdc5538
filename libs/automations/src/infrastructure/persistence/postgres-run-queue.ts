import { actorOf, permissionsNow } from '#identity';
import type { ActorColumns, Authority } from '#identity';
import { Transaction } from '#kernel';
import {
  Database,
  lockRows,
  lockRowsOfTeams,
  placesOf,
  Row,
  statementsOf,
  storableJson,
  Turn,
} from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { inTurn } from '../../application/contacts-of-events.js';
import { callsAreDue } from '../../application/ports/step-calls.port.js';
import { HeardEvent } from '../../application/ports/event-queue.port.js';
import {
  AdvancedRun,
  Answer,
  AnswerKey,
  CausedChange,
  DueRun,
  EmailsOfDay,
  RunQueue,
} from '../../application/ports/run-queue.port.js';
import { Tally } from '../../application/tally.js';
import { Payload } from '../../domain/event-definition.js';
import { parseSettings } from '../../domain/settings.js';
import { removeOldBudgets, spentOf } from './budgets.js';
import { addTally } from './count-statements.js';
import { keptFor, keptNames, releaseKept } from './kept-events.js';
import {
  addCalls,
  callRows,
  callsLeft,
  cancelStopped,
  maxCancelled,
  nextRow,
  recordSteps,
  runOf,
  RunRow,
  smallColumns,
} from './run-statements.js';
import { ClaimedRow, smallState, withState } from './state-of-runs.js';
import { VersionGraphs } from './version-graphs.js';
import { wakeRuns } from './wake-runs.js';

/** Events of emails of a run that are looked at. */
const maxHappened = 100;
/** Entries of a deleted automation that one statement removes. */
const maxRemovedEntries = 5_000;
/** Of the graphs of a slice, as JSON: those of 32 of the largest automations. */
const maxGraphCharacters = 16_777_216;

type DueRow = ClaimedRow &
  ActorColumns &
  Pick<DueRun, 'isStopped' | 'isCounted' | 'isEarly'> & {
    readonly settings: unknown;
    readonly authority: Authority | null;
  };

/** The join finds no automation if it was stopped or deleted after the run began. */
const ofDueRun = `${smallColumns}, ${smallState}, a.id IS NULL AS "isStopped", a.api_key_id, a.actor_kind, a.actor_id, a.authority, a.settings,
  EXISTS (SELECT FROM automations l WHERE l.team_id = r.team_id AND l.settings ? 'max_emails_per_day' AND NOT l.is_deleted)
    AS "isCounted",
  CASE WHEN r.waiting_event NOT LIKE 'resend:%' THEN coalesce((
    SELECT o.id FROM custom_event_occurrences o WHERE o.team_id = r.team_id AND o.held_until IS NULL ORDER BY o.position LIMIT 1
  ) < automation_event_id(r.due_at, 0), false) ELSE false END AS "isEarly"`;
const fromRuns = `FROM automation_runs r LEFT JOIN automations a
  ON a.id = r.automation_id AND (a.stopped_at IS NULL OR a.stopped_at < r.created_at)`;

@Injectable()
export class PostgresRunQueue extends RunQueue {
  private readonly graphs = new VersionGraphs();
  private readonly runTurn = new Turn({ table: 'automation_runs', where: 'due_at IS NOT NULL', isTimed: true });
  /** From when one claim found more runs than it takes until no team has any. Otherwise the runs of all teams come at once. */
  private teamsTakeTurns = false;
  private claims = 0;

  constructor(private readonly database: Database) {
    super();
  }

  async claim(now: Date, limit: number, transaction: Transaction, onlyId?: string): Promise<readonly DueRun[]> {
    const claimed = inTurn(await this.dueRows(now, limit, transaction, onlyId));
    const rows = await withState(claimed, transaction);
    const { loaded, graphOf } = await this.graphs.loadFirst(rows, maxGraphCharacters, transaction);
    // What is left out stays due, and its team waits for the others.
    if (loaded.length < claimed.length) this.teamsTakeTurns = true;
    const permissions = await permissionsNow(
      loaded.map(({ authority }) => authority),
      transaction,
    );
    return loaded.map(
      (
        {
          isStopped,
          isCounted,
          isEarly,
          isLarge: _isLarge,
          settings,
          authority: _authority,
          api_key_id,
          actor_kind,
          actor_id,
          ...row
        },
        no,
      ) => ({
        run: runOf(row as RunRow),
        graph: graphOf(row),
        isStopped,
        isCounted,
        isEarly,
        settings: parseSettings(settings),
        actor: actorOf({ api_key_id, actor_kind, actor_id }),
        permissions: permissions[no] ?? null,
      }),
    );
  }

  private async dueRows(now: Date, limit: number, transaction: Transaction, onlyId?: string): Promise<DueRow[]> {
    const statements = statementsOf(transaction);
    if (onlyId !== undefined) {
      return statements.query<DueRow>({
        text: lockRows(ofDueRun, `${fromRuns} WHERE r.id = $1 AND r.due_at <= $2`, 'r'),
        values: [onlyId, now],
      });
    }
    if (!this.teamsTakeTurns) {
      const rows = await statements.query<DueRow>({
        name: 'claim-automation-runs',
        text: lockRows(ofDueRun, `${fromRuns} WHERE r.due_at <= $2 ORDER BY r.due_at LIMIT $1`, 'r'),
        values: [limit, now],
      });
      this.teamsTakeTurns = rows.length === limit;
      return rows;
    }
    const teams = await this.runTurn.next(limit, statements, now);
    this.teamsTakeTurns = teams.length > 0;
    // Another one is the first each time, whose first run has room for its state and its graph.
    const first = this.claims++ % Math.max(1, teams.length);
    return statements.query<DueRow>({
      name: 'claim-automation-runs-in-turn',
      text: lockRowsOfTeams(
        ofDueRun,
        `${fromRuns} WHERE r.team_id = t.team_id AND r.due_at <= $3 ORDER BY r.due_at`,
        'r',
      ),
      values: [[...teams.slice(first), ...teams.slice(0, first)], placesOf(teams, limit), now],
    });
  }

  keptNames(due: readonly DueRun[], transaction: Transaction): Promise<ReadonlyMap<string, readonly string[]>> {
    return keptNames(due, transaction);
  }

  kept(runId: string, name: string, transaction: Transaction): Promise<readonly HeardEvent[]> {
    return keptFor(runId, name, transaction);
  }

  spent(due: readonly DueRun[], now: Date, transaction: Transaction): Promise<ReadonlySet<string>> {
    return spentOf(due, now, transaction);
  }

  async happened(runId: string, name: string, transaction: Transaction): Promise<readonly Payload[]> {
    const rows = await statementsOf(transaction).query<{ payload: Payload }>({
      name: 'events-of-emails-of-run',
      text: `SELECT json_strip_nulls(json_build_object('email_id', s.email_id, 'link', v.data #>> '{click,link}')) AS payload
             FROM automation_run_steps s JOIN published_email_events v ON v.email_id = s.email_id
             WHERE s.run_id = $1 AND s.email_id IS NOT NULL AND v.type = $2
               AND v.data #>> '{open,machine}' IS DISTINCT FROM 'true' AND v.data #>> '{click,machine}' IS DISTINCT FROM 'true'
             LIMIT ${maxHappened}`,
      values: [runId, name.slice('resend:'.length)],
    });
    return rows.map(({ payload }) => payload);
  }

  /** The upsert changes nothing, but locks the rows until the transaction ends. */
  async lockEmailCounts(
    days: readonly Omit<EmailsOfDay, 'emails'>[],
    transaction: Transaction,
  ): Promise<readonly EmailsOfDay[]> {
    return statementsOf(transaction).query<Row<EmailsOfDay>>({
      name: 'lock-emails-of-days',
      text: `INSERT INTO automation_daily_emails AS d (contact_id, day, emails)
             SELECT contact_id, day, 0 FROM json_to_recordset($1::json) AS n (contact_id uuid, day date) ORDER BY contact_id, day
             ON CONFLICT (contact_id, day) DO UPDATE SET emails = d.emails
             RETURNING contact_id AS "contactId", day::text, emails`,
      values: [storableJson(days.map(({ contactId, day }) => ({ contact_id: contactId, day })))],
    });
  }

  async writeEmailCounts(days: readonly EmailsOfDay[], transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'write-emails-of-days',
      text: `UPDATE automation_daily_emails d SET emails = n.emails
             FROM json_to_recordset($1::json) AS n (contact_id uuid, day date, emails smallint)
             WHERE d.contact_id = n.contact_id AND d.day = n.day`,
      values: [storableJson(days.map(({ contactId, day, emails }) => ({ contact_id: contactId, day, emails })))],
    });
  }

  /** As `lockEmailCounts`. */
  async lockAnswers(asked: readonly AnswerKey[], since: Date, transaction: Transaction): Promise<readonly Answer[]> {
    return statementsOf(transaction).query<Row<Answer>>({
      name: 'lock-answers',
      text: `INSERT INTO automation_answers AS a (automation_id, author, team_id, answered_at)
             SELECT automation_id, author, team_id, $2
             FROM json_to_recordset($1::json) AS n (automation_id uuid, author text, team_id uuid)
             ORDER BY automation_id, author COLLATE "C"
             ON CONFLICT (automation_id, author) DO UPDATE SET answered_at = a.answered_at
             RETURNING team_id AS "teamId", automation_id AS "automationId", author, run_id AS "runId",
               answered_at AS "answeredAt"`,
      values: [storableJson(asked.map(answerRow)), since],
    });
  }

  async writeAnswers(answers: readonly Answer[], transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'write-answers',
      text: `UPDATE automation_answers a SET run_id = n.run_id, answered_at = n.answered_at
             FROM json_to_recordset($1::json) AS n (automation_id uuid, author text, run_id uuid, answered_at timestamptz)
             WHERE a.automation_id = n.automation_id AND a.author = n.author`,
      values: [
        storableJson(
          answers.map((answer) => ({ ...answerRow(answer), run_id: answer.runId, answered_at: answer.answeredAt })),
        ),
      ],
    });
  }

  async noteChanges(changes: readonly CausedChange[], now: Date, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'note-caused-changes',
      text: `INSERT INTO automation_caused_changes AS c (contact_id, depth, changed_at)
             SELECT contact_id, max(depth), $2 FROM json_to_recordset($1::json) AS n (team_id uuid, contact_id uuid, depth smallint)
             WHERE EXISTS (SELECT FROM automation_watched_segments w WHERE w.team_id = n.team_id)
             GROUP BY contact_id ORDER BY contact_id
             ON CONFLICT (contact_id) DO UPDATE SET depth = excluded.depth, changed_at = excluded.changed_at`,
      values: [
        storableJson(
          changes.map(({ teamId, contactId, depth }) => ({ team_id: teamId, contact_id: contactId, depth })),
        ),
        now,
      ],
    });
  }

  async record(advanced: readonly AdvancedRun[], now: Date, transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    const writes = [
      statements.execute({
        name: 'advance-automation-runs',
        text: `UPDATE automation_runs r
               SET status = n.status, step_key = n.step_key, is_waiting = n.is_waiting, waiting_event = n.waiting_event,
                   due_at = n.due_at, postponed_because = n.postponed_because, has_event = false, troubles = 0,
                   started_at = coalesce(r.started_at, $2), completed_at = CASE WHEN n.status = 'running' THEN NULL ELSE $2 END,
                   goals = n.goals, goal_events = n.goal_events, call = NULL
               FROM json_to_recordset($1::json) AS n (id uuid, status text, step_key text, is_waiting boolean, waiting_event text,
                                                      due_at timestamptz, postponed_because text, goals text[], goal_events text[])
               WHERE r.id = n.id`,
        values: [storableJson(advanced.map(nextRow)), now],
      }),
    ];
    const woken = advanced.flatMap(({ run: { id }, next }) =>
      next.status === 'running' && next.taken !== null ? [{ id, event: next.taken }] : [],
    );
    if (woken.length > 0) writes.push(wakeRuns(woken, now, transaction).then(() => woken.length));
    writes.push(...recordSteps(advanced).map((statement) => statements.execute(statement)));
    const calls = advanced.flatMap(callRows);
    if (calls.length > 0) {
      writes.push(
        statements.execute({ name: 'add-automation-calls', text: addCalls, values: [storableJson(calls), now] }),
        statements.execute({
          name: 'wake-automation-calls',
          text: `SELECT pg_notify('postrider_broadcast', '${callsAreDue}:')`,
        }),
      );
    }
    const left = advanced.flatMap(callsLeft);
    if (left.length > 0) {
      writes.push(
        statements.execute({
          name: 'remove-calls-of-ended-runs',
          text: 'DELETE FROM automation_calls WHERE run_id = ANY ($1::uuid[])',
          values: [left],
        }),
      );
    }
    // Last, because writers of the same automations wait for each other from here to the commit.
    await Promise.all([...writes, addTally(Tally.of(advanced), statements)]);
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
      if ((await releaseKept(transaction)) || (await removeOldBudgets(transaction))) return true;
      const [stopped] = await transaction.query<{ id: string; stoppedAt: Date; isDeleted: boolean }>({
        text: lockRows(
          'id, stopped_at AS "stoppedAt", is_deleted AS "isDeleted"',
          'FROM automations WHERE stopped_at IS NOT NULL ORDER BY id LIMIT 1',
        ),
      });
      if (stopped === undefined) return false;
      const { id, stoppedAt, isDeleted } = stopped;
      if ((await transaction.query(cancelStopped(id, stoppedAt))).length === maxCancelled) return true;
      if (!isDeleted) {
        await transaction.execute({ text: 'UPDATE automations SET stopped_at = NULL WHERE id = $1', values: [id] });
        return true;
      }
      const entries = await transaction.execute({
        text: `DELETE FROM automation_entries WHERE automation_id = $1 AND contact_id IN (
                 SELECT contact_id FROM automation_entries WHERE automation_id = $1 LIMIT ${maxRemovedEntries})`,
        values: [id],
      });
      if (entries === maxRemovedEntries) return true;
      await transaction.execute({ text: 'DELETE FROM automation_step_counts WHERE automation_id = $1', values: [id] });
      await transaction.execute({ text: 'DELETE FROM automation_run_counts WHERE automation_id = $1', values: [id] });
      await transaction.execute({ text: 'DELETE FROM automation_versions WHERE automation_id = $1', values: [id] });
      await transaction.execute({ text: 'DELETE FROM automations WHERE id = $1', values: [id] });
      return true;
    });
  }
}

function answerRow({ teamId, automationId, author }: AnswerKey): object {
  return { team_id: teamId, automation_id: automationId, author };
}

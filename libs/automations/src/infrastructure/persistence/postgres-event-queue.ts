import { permissionsNow } from '#identity';
import type { Authority } from '#identity';
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
import {
  Aimer,
  Behind,
  ContactEvent,
  EmailOfRunEvent,
  Entry,
  EventName,
  EventQueue,
  HeardEvent,
  Listener,
  ListeningRun,
  MailEvent,
  NewRun,
  TakenEvent,
  Waiter,
} from '../../application/ports/event-queue.port.js';
import { keptOutMs, parseSettings } from '../../domain/settings.js';
import { beginRuns } from './begin-runs.js';
import { spendOn } from './budgets.js';
import { countMail } from './count-mail.js';
import { hearMail } from './hear-mail.js';
import { behindOthers, keepEvents } from './kept-events.js';
import { Version, VersionGraphs } from './version-graphs.js';
import { wakeRuns } from './wake-runs.js';

/** Characters of the graphs that one search may hold: those of two teams that have as many versions as they may. */
const maxGraphCharacters = 134_217_728;
/** Searches for triggers while automations are being changed. */
const maxSearches = 10;

const occurrence = `id, team_id AS "teamId", event_name AS name, contact_id AS "contactId", email, payload, depth,
  subject_id AS "subjectId", origin_id AS "originId", position::float8 AS position, is_answer AS "isAnswer"`;

interface RunningRow {
  readonly waitingEvent: string | null;
  readonly reachedGoal: string | null;
}

type ListenerRow = Row<Omit<Listener, 'trigger' | 'keptOutMs' | 'permissions'>> & {
  readonly settings: unknown;
  readonly authority: Authority | null;
};

@Injectable()
export class PostgresEventQueue extends EventQueue {
  private readonly graphs = new VersionGraphs();
  private readonly eventTurn = new Turn({ table: 'custom_event_occurrences' });
  /** Whether the last search found as many as it wanted: then teams take turns, and otherwise all of them come at once. */
  private hasManyEvents = false;

  constructor(private readonly database: Database) {
    super();
  }

  async takeEvents(limit: number, now: Date, transaction: Transaction): Promise<readonly TakenEvent[]> {
    const statements = statementsOf(transaction);
    if (!this.hasManyEvents) {
      const events = await statements.query<Row<TakenEvent>>({
        name: 'take-custom-events',
        text: lockRows(
          occurrence,
          `FROM custom_event_occurrences WHERE held_until IS NULL OR held_until <= $2 ORDER BY position LIMIT $1`,
        ),
        values: [limit, now],
      });
      this.hasManyEvents = events.length === limit;
      return events;
    }
    const teams = await this.eventTurn.next(limit, statements);
    this.hasManyEvents = teams.length > 0;
    const events = await statements.query<Row<TakenEvent>>({
      name: 'take-custom-events-in-turn',
      text: lockRowsOfTeams(
        occurrence,
        `FROM custom_event_occurrences WHERE team_id = t.team_id AND (held_until IS NULL OR held_until <= $3) ORDER BY position`,
      ),
      values: [teams, placesOf(teams, limit), now],
    });
    return [...events].sort((a, b) => a.position - b.position);
  }

  async takeEvent(id: string, now: Date, transaction: Transaction): Promise<readonly TakenEvent[]> {
    return statementsOf(transaction).query<Row<TakenEvent>>({
      name: 'take-custom-event',
      text: lockRows(
        occurrence,
        'FROM custom_event_occurrences WHERE id = $1 AND (held_until IS NULL OR held_until <= $2)',
      ),
      values: [id, now],
    });
  }

  async holdBack(id: string, now: Date): Promise<void> {
    await this.database.execute({
      text: `UPDATE custom_event_occurrences
             SET troubles = least(troubles + 1, 100), held_until = $2::timestamptz + least(2 ^ least(troubles, 6), 60) * interval '1 minute'
             WHERE id = $1`,
      values: [id, now],
    });
  }

  async removeEvents(ids: readonly string[], transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'remove-custom-events',
      text: 'DELETE FROM custom_event_occurrences WHERE id = ANY ($1::uuid[])',
      values: [ids],
    });
  }

  async listeners(events: readonly EventName[], transaction: Transaction): Promise<readonly Listener[]> {
    const given = storableJson(distinctNames(events));
    const rows = await this.listening(given, transaction);
    const teams = [...new Set(events.map(({ teamId }) => teamId))];
    rows.sort((a, b) => teams.indexOf(a.teamId) - teams.indexOf(b.teamId));
    const { loaded, graphOf } = await this.graphs.loadFirst(rows, maxGraphCharacters, transaction);
    const places = new Map<string, readonly string[]>();
    for (const row of loaded) {
      places.set(
        row.automationId,
        graphOf(row).triggers.map(({ key }) => key),
      );
    }
    const place = ({ automationId, triggerKey }: ListenerRow): number =>
      places.get(automationId)?.indexOf(triggerKey) ?? -1;
    const now = await permissionsNow(
      rows.map(({ authority }) => authority),
      transaction,
    );
    const permissions = new Map(rows.map((row, no) => [row, now[no]]));
    const isLoaded = new Set(loaded);
    return rows
      .sort((a, b) => place(a) - place(b))
      .flatMap((row): Listener[] => {
        const { settings, authority: _, ...ids } = row;
        const listener = {
          ...ids,
          keptOutMs: keptOutMs(parseSettings(settings)),
          permissions: permissions.get(row) ?? null,
        };
        if (!isLoaded.has(row)) return [{ ...listener, trigger: undefined }];
        const action = graphOf(row).step(row.triggerKey)?.action;
        return action?.type === 'trigger' ? [{ ...listener, trigger: action }] : [];
      });
  }

  /** A search that waits for a change of an automation does not see the triggers that the change has written. */
  private async listening(events: string, transaction: Transaction): Promise<ListenerRow[]> {
    for (let tries = 0; tries < maxSearches; tries++) {
      const rows = await this.locked(events, transaction);
      const [there] = await statementsOf(transaction).query<{ triggers: number }>({
        name: 'count-listeners-of-events',
        text: `SELECT count(*)::int AS triggers FROM json_to_recordset($1::json) AS e (team_id uuid, event_name text)
               JOIN automation_triggers t ON t.team_id = e.team_id AND t.event_name = e.event_name
               JOIN automations a ON a.id = t.automation_id`,
        values: [events],
      });
      // What is locked stays, so that others would be more.
      if (there?.triggers === rows.length) return rows;
    }
    throw new Error('The automations that listen were changed again and again');
  }

  private locked(events: string, transaction: Transaction): Promise<ListenerRow[]> {
    return statementsOf(transaction).query<ListenerRow>({
      name: 'listeners-of-events',
      text: `SELECT t.team_id AS "teamId", t.event_name AS "eventName", t.automation_id AS "automationId", a.version,
                    t.step_key AS "triggerKey", t.subject_id AS "subjectId", a.settings, a.authority
             FROM json_to_recordset($1::json) AS e (team_id uuid, event_name text)
             JOIN automation_triggers t ON t.team_id = e.team_id AND t.event_name = e.event_name
             JOIN automations a ON a.id = t.automation_id
             ORDER BY t.automation_id, t.step_key
             FOR KEY SHARE OF t`,
      values: [events],
    });
  }

  async awaited(events: readonly EventName[], transaction: Transaction): Promise<readonly EventName[]> {
    return statementsOf(transaction).query<Row<EventName>>({
      name: 'awaited-events',
      text: `SELECT e.team_id AS "teamId", e.event_name AS name
             FROM json_to_recordset($1::json) AS e (team_id uuid, event_name text)
             WHERE EXISTS (SELECT FROM automation_awaited_events WHERE team_id = e.team_id AND event_name = e.event_name)`,
      values: [storableJson(distinctNames(events))],
    });
  }

  async enter(entries: readonly Entry[], now: Date, transaction: Transaction): Promise<ReadonlySet<number>> {
    const firsts = new Map<string, { readonly entry: Entry; readonly no: number }>();
    for (const [no, entry] of entries.entries()) {
      const key = `${entry.automationId} ${entry.contactId}`;
      if (!firsts.has(key)) firsts.set(key, { entry, no });
    }
    const entered = await statementsOf(transaction).query<{ no: number }>({
      name: 'enter-automations',
      text: `WITH wanted AS MATERIALIZED (
               SELECT * FROM json_to_recordset($1::json) AS w (no integer, automation_id uuid, contact_id uuid, since timestamptz)
             ), entered AS (
               INSERT INTO automation_entries AS e (automation_id, contact_id, entered_at)
               SELECT automation_id, contact_id, $2 FROM wanted w
               WHERE NOT EXISTS (
                 SELECT FROM automation_runs r WHERE r.automation_id = w.automation_id AND r.contact_id = w.contact_id
                   AND (w.since IS NULL OR r.created_at > w.since))
               ORDER BY automation_id, contact_id
               ON CONFLICT (automation_id, contact_id) DO UPDATE SET entered_at = excluded.entered_at
               WHERE e.entered_at <= (
                 SELECT since FROM wanted w WHERE w.automation_id = e.automation_id AND w.contact_id = e.contact_id)
               RETURNING automation_id, contact_id
             )
             SELECT w.no FROM wanted w JOIN entered e ON e.automation_id = w.automation_id AND e.contact_id = w.contact_id`,
      values: [
        storableJson(
          [...firsts.values()].map(({ entry: { automationId, contactId, keptOutMs: ms }, no }) => ({
            no,
            automation_id: automationId,
            contact_id: contactId,
            since: ms === Infinity ? null : new Date(now.getTime() - ms),
          })),
        ),
        now,
      ],
    });
    return new Set(entered.map(({ no }) => no));
  }

  spend(caused: readonly NewRun[], now: Date, transaction: Transaction): Promise<ReadonlyMap<string, number>> {
    return spendOn(caused, now, transaction);
  }

  begin(
    runs: readonly NewRun[],
    notEntered: ReadonlyMap<string, number>,
    now: Date,
    transaction: Transaction,
  ): Promise<void> {
    return beginRuns(runs, notEntered, now, transaction);
  }

  behind(
    events: readonly ContactEvent[],
    taken: readonly TakenEvent[],
    now: Date,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, Behind>> {
    return behindOthers(events, taken, now, transaction);
  }

  keep(
    events: readonly (ContactEvent & { readonly beginsLate: boolean })[],
    now: Date,
    transaction: Transaction,
  ): Promise<void> {
    return keepEvents(events, now, transaction);
  }

  /** What is locked is read as it is then, so that the conditions on what steps change stand outside of the statement. */
  async listeningRuns(events: readonly ContactEvent[], transaction: Transaction): Promise<readonly ListeningRun[]> {
    const rows = await this.waiting<RunningRow, ContactEvent>(
      events,
      {
        name: 'runs-that-listen-to-events',
        text: `WITH found AS MATERIALIZED (
                 SELECT e.no, l.id
                 FROM json_to_recordset($1::json)
                   AS e (no integer, team_id uuid, contact_id uuid, name text, max_runs integer)
                 CROSS JOIN LATERAL (
                   SELECT r.id FROM automation_runs r JOIN automation_awaited_events a
                     ON a.team_id = e.team_id AND a.event_name = e.name AND a.automation_id = r.automation_id AND a.version = r.version
                   WHERE r.team_id = e.team_id AND r.contact_id = e.contact_id AND r.completed_at IS NULL LIMIT e.max_runs + 1
                 ) l
               )
               SELECT r.id, r.step_key AS "stepKey", r.goals, r.automation_id AS "automationId", r.version, f.no,
                      r.waiting_event AS "waitingEvent", r.reached_goal AS "reachedGoal"
               FROM found f JOIN automation_runs r ON r.id = f.id ORDER BY r.id, f.no FOR UPDATE OF r`,
        values: [storableJson(events.map(contactEventRow))],
      },
      transaction,
    );
    return rows.map(({ row: { waitingEvent, reachedGoal }, run, ...listening }) => ({
      ...listening,
      run: reachedGoal === null ? run : { ...run, goals: [] },
      isWaiting: waitingEvent === listening.event.name,
    }));
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
               ORDER BY r.id, e.no FOR UPDATE OF r`,
        values: [storableJson(events.map(emailEventRow))],
      },
      transaction,
    );
  }

  hearMail(events: readonly MailEvent[], now: Date, transaction: Transaction): Promise<void> {
    return hearMail(events, now, transaction);
  }

  countMail(events: readonly EmailOfRunEvent[], transaction: Transaction): Promise<void> {
    return countMail(events, transaction);
  }

  async aimersForEmails(events: readonly EmailOfRunEvent[], transaction: Transaction): Promise<readonly Aimer[]> {
    return this.waiting(
      events,
      {
        name: 'runs-with-goals-of-emails',
        text: `SELECT r.id, r.step_key AS "stepKey", r.goals, r.automation_id AS "automationId", r.version, e.no
               FROM json_to_recordset($1::json) AS e (no integer, email_id uuid, name text)
               JOIN automation_run_steps s ON s.email_id = e.email_id
               JOIN automation_runs r ON r.id = s.run_id AND e.name = ANY (r.goal_events) AND r.reached_goal IS NULL
               ORDER BY r.id, e.no FOR UPDATE OF r`,
        values: [storableJson(events.map(emailEventRow))],
      },
      transaction,
    );
  }

  async reach(goals: ReadonlyMap<string, string>, now: Date, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'reach-goals',
      text: `UPDATE automation_runs r SET reached_goal = g.step_key, waiting_event = NULL, due_at = $2
             FROM json_to_recordset($1::json) AS g (id uuid, step_key text)
             WHERE r.id = g.id AND r.status = 'running'`,
      values: [storableJson([...goals].map(([id, stepKey]) => ({ id, step_key: stepKey }))), now],
    });
  }

  wake(waiters: readonly Waiter[], now: Date, transaction: Transaction): Promise<void> {
    return wakeRuns(
      waiters.map(({ run, event }) => ({ id: run.id, event })),
      now,
      transaction,
    );
  }

  private async waiting<Own extends object, Event extends HeardEvent>(
    events: readonly Event[],
    statement: { readonly name: string; readonly text: string; readonly values: unknown[] },
    transaction: Transaction,
  ): Promise<readonly (Waiter & Aimer & { readonly run: Waiter['run'] & Aimer['run']; readonly row: Own })[]> {
    const rows =
      await statementsOf(transaction).query<
        Row<{ id: string; stepKey: string; goals?: readonly string[] | null; no: number } & Version & Own>
      >(statement);
    rows.sort((a, b) => a.no - b.no);
    const { loaded, graphOf } = await this.graphs.loadFirst(rows, maxGraphCharacters, transaction);
    const isLoaded = new Set(loaded);
    return rows.map((row) => {
      const { no, id, stepKey, goals } = row;
      const graph = isLoaded.has(row) ? graphOf(row) : undefined;
      return { run: { id, stepKey, goals: goals ?? [] }, graph, event: events[no] as Event, row };
    });
  }
}

function contactEventRow({ teamId, contactId, name, maxRuns }: ContactEvent, no: number): object {
  return { no, team_id: teamId, contact_id: contactId, name, max_runs: maxRuns };
}

function emailEventRow({ emailId, name }: EmailOfRunEvent, no: number): object {
  return { no, email_id: emailId, name };
}

function distinctNames(events: readonly EventName[]): readonly object[] {
  const byKey = new Map(events.map((event) => [`${event.teamId} ${event.name}`, event]));
  return [...byKey.values()].map(({ teamId, name }) => ({ team_id: teamId, event_name: name }));
}

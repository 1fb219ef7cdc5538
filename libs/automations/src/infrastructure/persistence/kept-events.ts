/**
 * Events that runs may wait for later. An event is found in one of three ways, whatever happens at the same time: a run that
 * waits is woken by it; a run that does not wait yet finds it here when it comes to its step; and an event whose run has
 * yet to begin is dealt with first. Each event locks the runs that listen to it, as each step locks its run.
 */
import { Transaction } from '#kernel';
import { lockRows, statementsOf, storableJson } from '#postgres/database';
import { Behind, ContactEvent, HeardEvent, TakenEvent } from '../../application/ports/event-queue.port.js';
import { DueRun } from '../../application/ports/run-queue.port.js';

/** Limits of the kept events of one contact and name. The latest ones are kept. */
const [maxKept, maxKeptBytes] = [50, 262_144];
/** Those that one look releases or keeps on. */
const keptAtOnce = 1_000;
/** A held event is expected to stay held while the transaction lasts. */
const holdMargin = `interval '10 seconds'`;

/** Whether a run that has not ended may still take event `k` in one of its steps. */
const isListenedTo = `EXISTS (
  SELECT FROM automation_runs r JOIN automation_awaited_events a
    ON a.team_id = k.team_id AND a.event_name = k.event_name AND a.automation_id = r.automation_id AND a.version = r.version
  WHERE r.team_id = k.team_id AND r.contact_id = k.contact_id AND r.completed_at IS NULL
    AND coalesce((r.taken_positions ->> k.event_name)::bigint, r.event_position) < k.position)`;

/** The queue of a team is short before what is taken: what others deal with, and what is held back. */
export async function behindOthers(
  events: readonly ContactEvent[],
  taken: readonly TakenEvent[],
  now: Date,
  transaction: Transaction,
): Promise<ReadonlyMap<string, Behind>> {
  if (events.length === 0) return new Map();
  const rows = await statementsOf(transaction).query<{ id: string; isDue: boolean }>({
    name: 'events-behind-others',
    text: `WITH e AS MATERIALIZED (
             SELECT * FROM json_to_recordset($1::json)
               AS e (id uuid, team_id uuid, contact_id uuid, contact_email text, position bigint)
           ), others AS MATERIALIZED (
             SELECT o.team_id, o.contact_id, o.email, o.position, o.held_until
             FROM (SELECT team_id, max(position) AS position FROM e GROUP BY team_id) last
             JOIN custom_event_occurrences o ON o.team_id = last.team_id AND o.position < last.position
             WHERE o.id <> ALL ($2::uuid[])
           )
           SELECT e.id, bool_or(o.held_until IS NULL OR o.held_until < $3::timestamptz + ${holdMargin}) AS "isDue"
           FROM e JOIN others o ON o.team_id = e.team_id AND o.position < e.position
             AND (o.contact_id = e.contact_id OR o.email = e.contact_email)
           GROUP BY e.id`,
    values: [storableJson(events.map(keptRow)), taken.map(({ id }) => id), now],
  });
  return new Map(rows.map(({ id, isDue }) => [id, isDue ? 'due' : 'held']));
}

export async function keepEvents(
  events: readonly (ContactEvent & { readonly beginsLate: boolean })[],
  now: Date,
  transaction: Transaction,
): Promise<void> {
  if (events.length === 0) return;
  const statements = statementsOf(transaction);
  const kept = await statements.execute({
    name: 'keep-events',
    text: `INSERT INTO automation_kept_events (team_id, contact_id, event_name, position, contact_email, payload, kept_until)
           SELECT team_id, contact_id, event_name, position, contact_email, payload, $2::timestamptz + interval '10 minutes'
           FROM json_to_recordset($1::json) AS k (team_id uuid, contact_id uuid, event_name text, position bigint,
                                                  contact_email text, payload jsonb, begins_late boolean)
           WHERE begins_late OR ${isListenedTo}
           ON CONFLICT DO NOTHING`,
    values: [
      storableJson(
        events.map((event) => ({ ...keptRow(event), payload: event.payload, begins_late: event.beginsLate })),
      ),
      now,
    ],
  });
  if (kept === 0) return;
  await statements.execute({
    name: 'release-surplus-events',
    text: `DELETE FROM automation_kept_events d
           USING (SELECT DISTINCT team_id, contact_id, event_name
                  FROM json_to_recordset($1::json) AS e (team_id uuid, contact_id uuid, event_name text)) e
           CROSS JOIN LATERAL (
             SELECT max(position) AS position FROM (
               SELECT k.position, row_number() OVER latest AS place, sum(pg_column_size(k.payload)) OVER latest AS bytes
               FROM automation_kept_events k
               WHERE k.team_id = e.team_id AND k.contact_id = e.contact_id AND k.event_name = e.event_name
               WINDOW latest AS (ORDER BY k.position DESC)
             ) k WHERE place > ${maxKept} OR bytes > ${maxKeptBytes}
           ) surplus
           WHERE d.team_id = e.team_id AND d.contact_id = e.contact_id AND d.event_name = e.event_name
             AND d.position <= surplus.position`,
    values: [storableJson(events.map(keptRow))],
  });
}

/** The names of kept events of the contacts of runs, by contact. */
export async function keptNames(
  due: readonly DueRun[],
  transaction: Transaction,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await statementsOf(transaction).query<{ id: string; names: string[] }>({
    name: 'names-of-kept-events',
    text: `SELECT c.contact_id AS id, array_agg(DISTINCT k.event_name) AS names
           FROM unnest($1::uuid[], $2::uuid[]) AS c (team_id, contact_id)
           JOIN automation_kept_events k ON k.team_id = c.team_id AND k.contact_id = c.contact_id GROUP BY 1`,
    values: [due.map(({ run }) => run.teamId), due.map(({ run }) => run.contactId)],
  });
  return new Map(rows.map(({ id, names }) => [id, names]));
}

/** The kept events of this name that a run has not taken, oldest first. */
export function keptFor(
  runId: string,
  name: string,
  transaction: Transaction,
): Promise<readonly Required<HeardEvent>[]> {
  return statementsOf(transaction).query<Required<HeardEvent>>({
    name: 'kept-events-of-run',
    text: `SELECT k.event_name AS name, k.payload, k.position::float8 AS position
           FROM automation_runs r JOIN automation_kept_events k
             ON k.team_id = r.team_id AND k.contact_id = r.contact_id AND k.event_name = $2
               AND k.position > coalesce((r.taken_positions ->> $2)::bigint, r.event_position)
           WHERE r.id = $1 ORDER BY k.position LIMIT ${maxKept}`,
    values: [runId, name],
  });
}

/** Looks at events that were kept for a while: those that nobody needs any more go. Returns whether there may be more. */
export async function releaseKept(transaction: Transaction): Promise<boolean> {
  const looked = await statementsOf(transaction).query({
    text: `WITH k AS MATERIALIZED (
             ${lockRows('*', `FROM automation_kept_events WHERE kept_until <= now() ORDER BY kept_until LIMIT ${keptAtOnce}`)}
           ), looked AS MATERIALIZED (
             SELECT team_id, contact_id, event_name, position, ${isListenedTo} OR EXISTS (
               SELECT FROM custom_event_occurrences o WHERE o.team_id = k.team_id AND o.position < k.position) AS is_needed
             FROM k
           ), released AS (
             DELETE FROM automation_kept_events d USING looked l
             WHERE NOT l.is_needed AND (d.team_id, d.contact_id, d.event_name, d.position)
               = (l.team_id, l.contact_id, l.event_name, l.position)
           ), needed AS (
             UPDATE automation_kept_events d SET kept_until = now() + interval '1 hour' FROM looked l
             WHERE l.is_needed AND (d.team_id, d.contact_id, d.event_name, d.position)
               = (l.team_id, l.contact_id, l.event_name, l.position)
           )
           SELECT FROM looked`,
  });
  return looked.length === keptAtOnce;
}

function keptRow({ id, teamId, contactId, contactEmail, name, position }: ContactEvent): object {
  return {
    id,
    team_id: teamId,
    contact_id: contactId,
    contact_email: contactEmail,
    event_name: name,
    position,
  };
}

/**
 * What is stored beside an automation for those who ask for it from the other side: its version for its runs, and its
 * triggers for events, dates and segments. Only an enabled automation has triggers.
 */
import { newId } from '#kernel';
import { DatabaseTransaction, Row, storableJson } from '#postgres/database';
import { AutomationWithGraph } from '../../domain/automation.js';
import { GraphTrigger } from '../../domain/graph.js';
import { DateTriggerConfig } from './postgres-date-queue.js';
import { removeUnusedVersions } from './unused-versions.js';

/** A trigger, and what its events must be about. */
interface WrittenTrigger extends GraphTrigger {
  readonly subjectId: string | null;
}

export async function writeGraph(
  automation: AutomationWithGraph,
  now: Date,
  transaction: DatabaseTransaction,
): Promise<void> {
  const { id, teamId, status, version, graph } = automation;
  await transaction.execute({
    text: `INSERT INTO automation_versions (automation_id, version, graph, created_at, characters)
           VALUES ($1, $2, $3::jsonb, $4, length($3::jsonb::text)) ON CONFLICT DO NOTHING`,
    values: [id, version, storableJson(graph.stored), now],
  });
  await writeUses(automation, transaction);
  const wanted = status === 'enabled' ? graph.triggers : [];
  const dates = await writeDates(automation, wanted, now, transaction);
  const triggers = wanted.map((trigger): WrittenTrigger => ({
    ...trigger,
    subjectId: dates.get(trigger.key) ?? trigger.action.subjectId,
  }));
  await watchSegments(teamId, triggers, now, transaction);
  // It waits for the transactions that are starting runs with the version before: these are seen behind it.
  await transaction.execute({ text: 'DELETE FROM automation_triggers WHERE automation_id = $1', values: [id] });
  await transaction.execute(removeUnusedVersions(id, version));
  if (triggers.length === 0) return;
  await transaction.execute({
    text: `INSERT INTO automation_triggers (team_id, event_name, automation_id, step_key, subject_id, fields)
           SELECT $1, event_name, $2, step_key, subject_id, fields
           FROM json_to_recordset($3::json) AS t (event_name text, step_key text, subject_id uuid, fields jsonb)`,
    values: [
      teamId,
      id,
      storableJson(
        triggers.map(({ key, action: { eventName, fields }, subjectId }) => ({
          event_name: eventName,
          step_key: key,
          subject_id: subjectId,
          fields,
        })),
      ),
    ],
  });
}

/** The events that the steps of an automation listen to, enabled or not. */
async function writeUses({ id, teamId, graph }: AutomationWithGraph, transaction: DatabaseTransaction): Promise<void> {
  const uses = graph.all.flatMap(({ stored: { key, type }, action }) =>
    'eventName' in action && action.type !== 'send_event' ? [{ event_name: action.eventName, key, type }] : [],
  );
  await removeUses(id, transaction);
  if (uses.length === 0) return;
  await transaction.execute({
    text: `INSERT INTO automation_uses (team_id, event_name, automation_id, step_key, step_type)
           SELECT $1, event_name, $2, key, type FROM json_to_recordset($3::json) AS u (event_name text, key text, type text)`,
    values: [teamId, id, storableJson(uses)],
  });
}

export async function removeUses(automationId: string, transaction: DatabaseTransaction): Promise<void> {
  await transaction.execute({ text: 'DELETE FROM automation_uses WHERE automation_id = $1', values: [automationId] });
}

/** Waits for the transactions that are starting runs of the automation, so that these can be cancelled, too. */
export async function removeTriggers(automationId: string, now: Date, transaction: DatabaseTransaction): Promise<void> {
  await transaction.execute({
    text: 'DELETE FROM automation_triggers WHERE automation_id = $1',
    values: [automationId],
  });
  await removeDates(automationId, [], now, transaction);
}

/**
 * Returns the ids of the triggers on dates, by the keys of their steps. A trigger that has not changed keeps its id, and
 * with it the dates that are known.
 */
async function writeDates(
  { id: automationId, teamId, settings }: AutomationWithGraph,
  triggers: readonly GraphTrigger[],
  now: Date,
  transaction: DatabaseTransaction,
): Promise<ReadonlyMap<string, string>> {
  const known = await transaction.query<Row<{ id: string; config: DateTriggerConfig }>>({
    text: 'SELECT id, config FROM automation_date_triggers WHERE automation_id = $1 AND NOT is_removed FOR UPDATE',
    values: [automationId],
  });
  const ids = new Map(known.map(({ id, config }) => [keyOf(config), id]));
  const byKey = new Map<string, string>();
  for (const { key, action } of triggers) {
    if (action.date === null) continue;
    const config = { ...action.date, timeZone: settings.timeZone };
    const id = ids.get(keyOf(config)) ?? newId(now.getTime());
    byKey.set(key, id);
    if (ids.has(keyOf(config))) continue;
    await transaction.execute({
      text: `INSERT INTO automation_date_triggers (id, team_id, automation_id, config, turn_at) VALUES ($1, $2, $3, $4, $5)`,
      values: [id, teamId, automationId, storableJson(config), now],
    });
  }
  await removeDates(automationId, [...byKey.values()], now, transaction);
  return byKey;
}

/** A worker removes what is known of them. */
async function removeDates(
  automationId: string,
  kept: readonly string[],
  now: Date,
  transaction: DatabaseTransaction,
): Promise<void> {
  await transaction.execute({
    text: `UPDATE automation_date_triggers SET is_removed = true, turn_at = $3
           WHERE automation_id = $1 AND NOT is_removed AND id <> ALL ($2::uuid[])`,
    values: [automationId, kept, now],
  });
}

/** Only segments with a filter are watched; a worker leaves out the others. */
async function watchSegments(
  teamId: string,
  triggers: readonly WrittenTrigger[],
  now: Date,
  transaction: DatabaseTransaction,
): Promise<void> {
  const segments = triggers.flatMap(({ action: { eventName }, subjectId }) =>
    eventName === 'resend:segment.entered' && subjectId !== null ? [subjectId] : [],
  );
  if (segments.length === 0) return;
  // A row that is there is locked, so that nobody removes it because nothing has begun with its segment.
  await transaction.execute({
    text: `INSERT INTO automation_watched_segments (segment_id, team_id, due_at)
           SELECT segment_id, $1, $3 FROM unnest($2::uuid[]) AS s (segment_id) ORDER BY segment_id
           ON CONFLICT (segment_id) DO UPDATE SET team_id = excluded.team_id
           WHERE automation_watched_segments.team_id = excluded.team_id`,
    values: [teamId, [...new Set(segments)], now],
  });
}

function keyOf({ property, offsetDays, time, everyYear, timeZone }: DateTriggerConfig): string {
  return JSON.stringify([property, offsetDays, time, everyYear, timeZone]);
}

import { firstIdAt } from '#kernel';
import { Row, Statement } from '#postgres/database';
import { daysBefore } from '../../../domain/filters/filter.js';
import {
  engagementDays,
  maxMeasured,
  maxNamedImports,
  MeasuredImport,
  minBroadcastsOfEngagement,
  recentImportDays,
} from '../../../domain/measured-audience.js';
import { CompiledFilter } from './compile-filter.js';

/** The ids stay one text on their way through the process, so that nothing is parsed. */
export type FoundMembers = Row<{ read: number; found: number; ids: string }>;

const idsOfMembers = `(SELECT coalesce(array_agg(id), '{}')::text FROM m) AS ids`;

/** A guard: a sample is twice as large as it is meant to be only if the known number of contacts is wrong. */
const maxRead = 2 * maxMeasured;

/**
 * A condition that holds for a share of the ids, by their random end. The index `contacts_sampled` has those whose last
 * byte is below 4; other shares are read in an index of ids alone.
 */
function isSampled(id: string, of: number): string {
  if (of <= maxMeasured) return 'TRUE';
  const below = Math.ceil((maxMeasured / of) * 65_536);
  const last = `get_byte(uuid_send(${id}), 15)`;
  const condition = `${last} * 256 + get_byte(uuid_send(${id}), 14) < ${below}`;
  return below <= 4 * 256 ? `${last} < 4 AND ${condition}` : condition;
}

export function countOfMembers(segmentId: string): Statement {
  return {
    text: 'SELECT count(*)::int AS found FROM segment_contacts WHERE segment_id = $1',
    values: [segmentId],
  };
}

/** All members that were added to a segment, or a sample of them. */
export function addedMembers(segmentId: string, members: number): Statement {
  return {
    text: `WITH m AS MATERIALIZED (
             SELECT contact_id AS id FROM segment_contacts
             WHERE segment_id = $1 AND ${isSampled('contact_id', members)} LIMIT ${maxRead}
           )
           SELECT count(*)::int AS read, count(*)::int AS found, ${idsOfMembers} FROM m`,
    values: [segmentId],
  };
}

/**
 * Those that match a filter among all contacts of the team, or among a sample of them. Ids are read before contacts, so
 * that only contacts of the sample are read.
 */
export function matchingMembers(teamId: string, contacts: number, { condition, values }: CompiledFilter): Statement {
  return {
    text: `WITH ids AS MATERIALIZED (
             SELECT c.id FROM contacts c WHERE c.team_id = $1 AND ${isSampled('c.id', contacts)} LIMIT ${maxRead}
           ), c AS MATERIALIZED (SELECT c.* FROM ids JOIN contacts c ON c.id = ids.id),
           m AS MATERIALIZED (SELECT c.id FROM c WHERE ${condition})
           SELECT (SELECT count(*)::int FROM ids) AS read, (SELECT count(*)::int FROM m) AS found, ${idsOfMembers}`,
    values: [teamId, ...values],
  };
}

/** All that match a filter, where there are few of them. One more than are looked at says that there are too many. */
export function fewMembers(teamId: string, { condition, values }: CompiledFilter): Statement {
  return {
    text: `WITH m AS MATERIALIZED (
             SELECT c.id FROM contacts c WHERE c.team_id = $1 AND ${condition} LIMIT ${maxMeasured + 1}
           )
           SELECT count(*)::int AS read, count(*)::int AS found, ${idsOfMembers} FROM m`,
    values: [teamId, ...values],
  };
}

export type FiguresRow = Row<{
  measured: number;
  unsubscribed: number;
  withoutTopic: number;
  bounce: number;
  complaint: number;
  manual: number;
  recipients: number;
  neverMailed: number;
  engaged: number;
  silent: number;
  imported: number;
  imports: readonly (Omit<MeasuredImport, 'createdAt'> & { readonly createdAt: string })[];
}>;

export const firstTopicParameter = 6;

/**
 * Looks up what belongs to each of the members, by primary keys and an index of broadcasts by contact. The first entry
 * in the history of an imported contact has the contact's id, and names the import: a range of one id lets PostgreSQL
 * skip the partitions of other days.
 */
export function figures(teamId: string, ids: string, topic: CompiledFilter, now: Date): Statement {
  const count = (condition: string): string => `(count(*) FILTER (WHERE ${condition}))::int`;
  const suppressed = (origin: string): string => count(`origin = '${origin}'`);
  return {
    text: `WITH members AS MATERIALIZED (
             SELECT c.id, c.email, c.created_at, c.unsubscribed, ${topic.condition} AS has_topic
             FROM unnest($2::uuid[]) AS i (id) JOIN contacts c ON c.id = i.id AND c.team_id = $1
           ), judged AS MATERIALIZED (
             SELECT m.*, s.origin, NOT m.unsubscribed AND m.has_topic AND s.origin IS NULL AS gets_it
             FROM members m LEFT JOIN published_suppressions s ON s.team_id = $1 AND s.email = m.email
           ), active AS MATERIALIZED (
             SELECT j.id, a.last_sent_at,
                    coalesce(a.last_opened_at, a.last_clicked_at, a.last_machine_opened_at, a.last_machine_clicked_at) IS NOT NULL
                      AS is_engaged
             FROM judged j LEFT JOIN contact_activity a ON a.contact_id = j.id WHERE j.gets_it
           ), silent AS MATERIALIZED (
             SELECT FROM active a
             WHERE NOT a.is_engaged AND a.last_sent_at >= $3 AND ${minBroadcastsOfEngagement} = (
               SELECT count(*) FROM (
                 SELECT FROM published_broadcast_emails b WHERE b.contact_id = a.id AND b.broadcast_id >= $4::uuid
                 LIMIT ${minBroadcastsOfEngagement}
               ) AS broadcasts
             )
           ), imported AS MATERIALIZED (
             SELECT ch.changes #>> '{import,to}' AS import_id, count(*)::int AS contacts
             FROM judged j JOIN contact_changes ch ON ch.contact_id = j.id AND ch.id BETWEEN j.id AND j.id AND ch.source = 'import'
             WHERE j.gets_it AND j.created_at >= $5 GROUP BY 1
           ), largest AS MATERIALIZED (
             SELECT i.id, i.file_name AS "fileName", i.created_at AS "createdAt", m.contacts
             FROM (SELECT * FROM imported ORDER BY contacts DESC, import_id LIMIT ${maxNamedImports}) AS m
             JOIN published_contact_imports i ON i.id = m.import_id::uuid AND i.team_id = $1
             ORDER BY m.contacts DESC, i.id
           )
           SELECT j.*, a.*, (SELECT count(*)::int FROM silent) AS silent,
                  (SELECT coalesce(sum(contacts), 0)::int FROM imported) AS imported,
                  (SELECT coalesce(json_agg(l), '[]') FROM largest l) AS imports
           FROM (
             SELECT count(*)::int AS measured, ${count('unsubscribed')} AS unsubscribed,
                    ${count('NOT unsubscribed AND NOT has_topic')} AS "withoutTopic", ${suppressed('bounce')} AS bounce,
                    ${suppressed('complaint')} AS complaint, ${suppressed('manual')} AS manual, ${count('gets_it')} AS recipients
             FROM judged
           ) AS j
           CROSS JOIN (
             SELECT ${count('last_sent_at IS NULL')} AS "neverMailed", ${count('is_engaged')} AS engaged FROM active
           ) AS a`,
    values: [
      teamId,
      ids,
      daysBefore(now, engagementDays),
      firstIdAt(daysBefore(now, engagementDays)),
      daysBefore(now, recentImportDays),
      ...topic.values,
    ],
  };
}

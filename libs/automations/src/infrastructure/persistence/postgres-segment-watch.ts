import { segmentMembers } from '#audience';
import { claimed, Database, longLimits, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { automationsHaveWork } from '../../application/ports/event-queue.port.js';
import { SegmentWatch, WatchedSegment } from '../../application/ports/segment-watch.port.js';

/** After this time another process takes over the segments of one that has died. */
const leaseMs = 15 * 60_000;
/** Contacts that enter in one look, and members that one statement forgets. */
const maxEntered = 20_000;
const maxForgotten = 20_000;
/** A contact that a run has changed within this time is in a segment because of that run. */
const causedForMs = 86_400_000;

@Injectable()
export class PostgresSegmentWatch extends SegmentWatch {
  constructor(private readonly database: Database) {
    super();
  }

  async lease(now: Date): Promise<WatchedSegment | undefined> {
    const [segment] = await this.database.query<Row<WatchedSegment>>({
      name: 'lease-watched-segment',
      text: `UPDATE automation_watched_segments SET due_at = $2
             WHERE ${claimed('segment_id', 'FROM automation_watched_segments WHERE due_at <= $1 ORDER BY due_at LIMIT 1')}
             RETURNING segment_id AS "segmentId", team_id AS "teamId"`,
      values: [now, new Date(now.getTime() + leaseMs)],
    });
    return segment;
  }

  follow(segment: WatchedSegment, now: Date): Promise<boolean> {
    const { segmentId } = segment;
    return this.database.run(async (transaction) => {
      const members = await segmentMembers(segment, now, transaction);
      if (members === undefined) return false;
      const next = members.values.length + 1;
      // Two looks at once add each contact once.
      const [result] = await transaction.query<{ entered: number }>({
        text: `WITH members AS MATERIALIZED (${members.text}), watched AS MATERIALIZED (
                 SELECT is_known FROM automation_watched_segments WHERE segment_id = $${next}
               ), gone AS (
                 DELETE FROM automation_segment_members k WHERE k.segment_id = $${next}
                   AND NOT EXISTS (SELECT FROM members m WHERE m.contact_id = k.contact_id)
               ), entered AS (
                 INSERT INTO automation_segment_members (segment_id, contact_id)
                 SELECT $${next}::uuid, m.contact_id FROM members m
                 WHERE NOT EXISTS (
                   SELECT FROM automation_segment_members k WHERE k.segment_id = $${next} AND k.contact_id = m.contact_id)
                 LIMIT ${maxEntered}
                 ON CONFLICT DO NOTHING RETURNING contact_id
               ), told AS (
                 INSERT INTO custom_event_occurrences (id, team_id, event_name, contact_id, subject_id, payload, depth)
                 SELECT automation_event_id(clock_timestamp(), row_number() OVER (ORDER BY e.contact_id)), $1::uuid,
                        'resend:segment.entered', e.contact_id, $${next}::uuid,
                        jsonb_build_object('segment_id', $${next}::uuid), coalesce(c.depth, 0)
                 FROM entered e CROSS JOIN watched
                 LEFT JOIN automation_caused_changes c ON c.contact_id = e.contact_id AND c.changed_at > $${next + 1}::timestamptz
                 WHERE watched.is_known
                 RETURNING 1
               ), woken AS (
                 SELECT pg_notify('postrider_broadcast', '${automationsHaveWork}:') WHERE EXISTS (SELECT FROM told)
               )
               SELECT (SELECT count(*) FROM entered)::int AS entered, (SELECT count(*) FROM woken) AS woken`,
        values: [...members.values, segmentId, new Date(now.getTime() - causedForMs)],
      });
      const hasMore = (result?.entered ?? 0) >= maxEntered;
      if (!hasMore) {
        await transaction.execute({
          text: 'UPDATE automation_watched_segments SET is_known = true WHERE segment_id = $1 AND NOT is_known',
          values: [segmentId],
        });
      }
      return hasMore;
    }, longLimits);
  }

  async release({ segmentId }: WatchedSegment, dueAt: Date): Promise<void> {
    await this.database.execute({
      name: 'release-watched-segment',
      text: 'UPDATE automation_watched_segments SET due_at = $2 WHERE segment_id = $1',
      values: [segmentId, dueAt],
    });
  }

  async isWatched({ segmentId, teamId }: WatchedSegment): Promise<boolean> {
    const [row] = await this.database.query({
      text: `SELECT FROM automation_triggers
             WHERE team_id = $1 AND event_name = 'resend:segment.entered' AND subject_id = $2 LIMIT 1`,
      values: [teamId, segmentId],
    });
    return row !== undefined;
  }

  forget({ segmentId, teamId }: WatchedSegment, isForGood: boolean, now: Date): Promise<boolean> {
    return this.database.run(async (transaction) => {
      // The row first: an automation that begins with the segment meanwhile locks it, too, and has it looked at again.
      await transaction.execute({
        text: 'UPDATE automation_watched_segments SET is_known = false, due_at = $2 WHERE segment_id = $1',
        values: [segmentId, now],
      });
      const forgotten = await transaction.execute({
        text: `DELETE FROM automation_segment_members WHERE segment_id = $1 AND contact_id IN (
                 SELECT contact_id FROM automation_segment_members WHERE segment_id = $1 LIMIT ${maxForgotten})`,
        values: [segmentId],
      });
      if (forgotten === maxForgotten) return true;
      await transaction.execute({
        text: `DELETE FROM automation_watched_segments WHERE segment_id = $1 AND ($3 OR NOT EXISTS (
                 SELECT FROM automation_triggers
                 WHERE team_id = $2 AND event_name = 'resend:segment.entered' AND subject_id = $1))`,
        values: [segmentId, teamId, isForGood],
      });
      return false;
    });
  }
}

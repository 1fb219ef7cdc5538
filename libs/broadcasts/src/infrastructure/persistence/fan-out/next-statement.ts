import { Statement } from '#platform/database';
import { paceHorizon } from '../../../domain/fan-out/throttle.js';

/** Broadcasts that a worker tries in a turn, because others may have taken the first ones. */
const maxTried = 8;

/** Broadcasts that are being sent are few, and each has some waves at most, so that all of them are looked at. */
export function nextStatement(now: Date): Statement {
  return {
    name: 'next-broadcasts',
    text: `SELECT kind, "broadcastId", "teamId", "perHour", "firstShare" FROM (
               SELECT b.id AS "broadcastId", b.team_id AS "teamId", b.queued_at,
                      (b.options ->> 'throttlePerHour')::int AS "perHour",
                      CASE WHEN w.waiting THEN b.options -> 'firstShare' END AS "firstShare",
                      CASE WHEN r.planned_at IS NULL THEN 'plan'
                           WHEN w.due THEN CASE WHEN r.paced_until >= $2 THEN NULL ELSE 'slice' END
                           WHEN w.open IS NULL THEN 'finish'
                           WHEN w.waiting AND NOT w.later THEN 'decide' END AS kind,
                      w.turn_at, max(w.turn_at) OVER (PARTITION BY b.team_id) AS turn_of_team
               FROM broadcasts b LEFT JOIN broadcast_runs r ON r.broadcast_id = b.id
               LEFT JOIN LATERAL (
                 SELECT bool_or(release_at <= $1) FILTER (WHERE ended_at IS NULL) AS due,
                        bool_or(true) FILTER (WHERE ended_at IS NULL) AS open,
                        bool_or(release_at IS NULL) FILTER (WHERE ended_at IS NULL) AS waiting,
                        coalesce(bool_or(release_at > $1) FILTER (WHERE ended_at IS NULL), false) AS later,
                        max(turn_at) AS turn_at
                 FROM broadcast_waves WHERE broadcast_id = b.id
               ) w ON true
               WHERE b.status = 'queued' AND (r.retry_at IS NULL OR r.retry_at <= $1)
             ) work
             WHERE kind IS NOT NULL
             ORDER BY turn_of_team NULLS FIRST, turn_at NULLS FIRST, queued_at, "broadcastId" LIMIT ${maxTried}`,
    values: [now, paceHorizon(now)],
  };
}

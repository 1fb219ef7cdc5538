import { MembersQuery } from '#audience';
import { Statement } from '#platform/database';
import { AudiencePlan, partsOfWave } from '../../../domain/fan-out/waves.js';

/** The parameters before those of the members. */
export const planParameters = 6;

/**
 * Writes the whole audience down in one statement: one snapshot, so that it is the audience of one moment; nothing passes through this
 * process, so that its memory does not depend on the number of contacts; and no contact is locked. It takes seconds for a million
 * contacts. Where the process or the statement dies, nothing was written, and another worker begins anew.
 *
 * The alternative, portions by cursor, would need a snapshot that stays open between them to see one moment, and rows that say how
 * far it came.
 *
 * Rows are inserted in the order in which slices read them. The last digit of a contact's id is random and divides a wave in parts.
 */
export function planStatement(broadcastId: string, members: MembersQuery, plan: AudiencePlan, now: Date): Statement {
  const { divided, releases, parameters } = divisionOf(plan, members.text, seedOf(broadcastId), now);
  return {
    text: `WITH planned AS (
             INSERT INTO broadcast_audience (broadcast_id, wave, part, contact_id, variant)
             SELECT $1::uuid, wave, get_byte(uuid_send(contact_id), 15) % ${partsOfWave}, contact_id, variant
             FROM (${divided}) AS divided ORDER BY 2, 3, 4
             RETURNING wave, part
           ), waves AS (
             INSERT INTO broadcast_waves (broadcast_id, wave, part, planned, release_at, position, turn_at)
             SELECT $1::uuid, wave, part, count(*)::int, ($3::timestamptz[])[wave + 1],
                    '00000000-0000-0000-0000-000000000000', $2::timestamptz
             FROM planned GROUP BY wave, part
             RETURNING planned
           )
           SELECT coalesce(sum(planned), 0)::int AS planned FROM waves`,
    values: [broadcastId, now, releases, ...parameters, ...members.values],
  };
}

interface Division {
  /** A query with the wave and the variant of each member. */
  readonly divided: string;
  /** When each wave is released; null: after a decision. */
  readonly releases: readonly (Date | null)[];
  /** $4, $5 and $6. */
  readonly parameters: readonly [unknown, unknown, unknown];
}

function divisionOf(plan: AudiencePlan, members: string, seed: string, now: Date): Division {
  switch (plan.kind) {
    case 'all':
      return {
        divided: `SELECT contact_id, 0 AS wave, 0 AS variant FROM (${members}) AS m
                  WHERE $4::text IS NULL AND $5::text IS NULL AND $6::text IS NULL`,
        releases: [now],
        parameters: [null, null, null],
      };
    case 'ranked': {
      const isPercent = 'percent' in plan.share;
      const size = 'percent' in plan.share ? plan.share.percent : plan.share.contacts;
      const first = isPercent ? 'rank <= ceil(total * $4::numeric / 100)' : 'rank <= $4::numeric';
      return {
        // A hash with the broadcast as its seed: the same contacts are not the first ones each time.
        divided: `SELECT contact_id, CASE WHEN ${first} THEN 0 ELSE 1 END AS wave,
                         CASE WHEN ${first} THEN (rank - 1) % $5::int END AS variant
                  FROM (SELECT contact_id, count(*) OVER () AS total,
                               row_number() OVER (ORDER BY uuid_hash_extended(contact_id, $6::bigint), contact_id) AS rank
                        FROM (${members}) AS m) AS ranked`,
        releases: [now, null],
        parameters: [size, plan.variants, seed],
      };
    }
    case 'zones':
      return {
        divided: `SELECT contact_id, coalesce(z.wave, $6::smallint) AS wave, 0 AS variant
                  FROM (${members}) AS m
                  LEFT JOIN unnest($4::text[], $5::smallint[]) AS z (zone, wave) ON z.zone = lower(btrim(m.property))`,
        releases: plan.releases,
        parameters: [[...plan.waveOf.keys()], [...plan.waveOf.values()], plan.otherWave],
      };
  }
}

/** The random end of the id, as a `bigint`. */
function seedOf(id: string): string {
  return BigInt.asIntN(64, BigInt(`0x${id.slice(-12)}`)).toString();
}

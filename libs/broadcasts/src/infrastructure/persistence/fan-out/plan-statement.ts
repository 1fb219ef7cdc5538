import { Statement } from '#postgres/database';
import { AudiencePlan, partsOfWave } from '../../../domain/fan-out/waves.js';

/** A query with the columns `contact_id` and `property`. Its parameters are the first ones of the statement. */
type Members = Pick<Statement, 'text' | 'values'>;

/**
 * Writes the whole audience down in one statement: one snapshot, so that it is the audience of one moment; nothing
 * passes through this process, so that its memory does not depend on the number of contacts; and no contact is locked.
 * It takes seconds for a million contacts. If the process or the statement dies, nothing was written, and another
 * worker starts over.
 *
 * The alternative, portions by cursor, would need a snapshot that stays open between them to see one moment, and rows
 * that say how far it came.
 *
 * Rows are inserted in the order in which slices read them. The last digit of a contact's id is random and divides a
 * wave in parts.
 */
export function planStatement(broadcastId: string, members: Members, plan: AudiencePlan, now: Date): Statement {
  const values = [...(members.values ?? [])];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const id = `${add(broadcastId)}::uuid`;
  const { divided, releases } = divisionOf(plan, members.text, broadcastId, now, add);
  return {
    text: `WITH planned AS (
             INSERT INTO broadcast_audience (broadcast_id, wave, part, contact_id, variant)
             SELECT ${id}, wave, get_byte(uuid_send(contact_id), 15) % ${partsOfWave}, contact_id, variant
             FROM (${divided}) AS divided ORDER BY 2, 3, 4
             RETURNING wave, part
           ), waves AS (
             INSERT INTO broadcast_waves (broadcast_id, wave, part, planned, release_at, position, turn_at)
             SELECT ${id}, wave, part, count(*)::int, (${add(releases)}::timestamptz[])[wave + 1],
                    '00000000-0000-0000-0000-000000000000', ${add(now)}::timestamptz
             FROM planned GROUP BY wave, part
             RETURNING planned
           )
           SELECT coalesce(sum(planned), 0)::int AS planned FROM waves`,
    values,
  };
}

interface Division {
  /** A query with the wave and the variant of each member. */
  readonly divided: string;
  /** When each wave is released; null: after a decision. */
  readonly releases: readonly (Date | null)[];
}

function divisionOf(
  plan: AudiencePlan,
  members: string,
  broadcastId: string,
  now: Date,
  add: (value: unknown) => string,
): Division {
  switch (plan.kind) {
    case 'all':
      return { divided: `SELECT contact_id, 0 AS wave, 0 AS variant FROM (${members}) AS m`, releases: [now] };
    case 'ranked': {
      const first =
        'percent' in plan.share
          ? `rank <= ceil(total * ${add(plan.share.percent)}::numeric / 100)`
          : `rank <= ${add(plan.share.contacts)}::numeric`;
      return {
        // A hash with the broadcast as its seed, so that each broadcast has other contacts in its first share.
        divided: `SELECT contact_id, CASE WHEN ${first} THEN 0 ELSE 1 END AS wave,
                         CASE WHEN ${first} THEN (rank - 1) % ${add(plan.variants)}::int END AS variant
                  FROM (SELECT contact_id, count(*) OVER () AS total,
                               row_number() OVER (ORDER BY uuid_hash_extended(contact_id, ${add(seedOf(broadcastId))}::bigint), contact_id)
                                 AS rank
                        FROM (${members}) AS m) AS ranked`,
        releases: [now, null],
      };
    }
    case 'zones': {
      const [zones, waves] = [add([...plan.waveOf.keys()]), add([...plan.waveOf.values()])];
      return {
        divided: `SELECT contact_id, coalesce(z.wave, ${add(plan.otherWave)}::smallint) AS wave, 0 AS variant
                  FROM (${members}) AS m
                  LEFT JOIN unnest(${zones}::text[], ${waves}::smallint[]) AS z (zone, wave) ON z.zone = lower(btrim(m.property))`,
        releases: plan.releases,
      };
    }
  }
}

/** The random end of the id, as a `bigint`. */
function seedOf(id: string): string {
  return BigInt.asIntN(64, BigInt(`0x${id.slice(-12)}`)).toString();
}

import { DatabaseTransaction } from '#platform/database';
import { KnownReferences } from '../../../domain/filters/check-references.js';
import { FilterReferences } from '../../../domain/filters/filter.js';

/** Things of other teams do not exist. */
export async function knownIn(
  transaction: DatabaseTransaction,
  teamId: string,
  { properties, topicIds, segmentIds, broadcastIds }: FilterReferences,
): Promise<KnownReferences> {
  if (properties.length + topicIds.length + segmentIds.length + broadcastIds.length === 0) {
    return { properties: new Map(), topics: new Map(), segments: new Map(), broadcasts: new Set() };
  }
  const rows = await transaction.query<{ kind: string; name: string; value: string }>({
    text: `SELECT 'property' AS kind, key AS name, type AS value FROM contact_properties WHERE team_id = $1 AND key = ANY ($2::text[])
           UNION ALL
           SELECT 'topic', id::text, default_subscription FROM topics WHERE team_id = $1 AND id = ANY ($3::uuid[])
           UNION ALL
           SELECT 'segment', id::text, (filter IS NOT NULL)::text FROM segments WHERE team_id = $1 AND id = ANY ($4::uuid[])
           UNION ALL
           SELECT 'broadcast', id::text, '' FROM published_broadcasts WHERE team_id = $1 AND id = ANY ($5::uuid[])`,
    values: [teamId, properties, topicIds, segmentIds, broadcastIds],
  });
  const of = (kind: string): [string, string][] =>
    rows.filter((row) => row.kind === kind).map(({ name, value }) => [name, value]);
  return {
    properties: new Map(of('property')) as KnownReferences['properties'],
    topics: new Map(of('topic')) as KnownReferences['topics'],
    segments: new Map(of('segment').map(([id, isFiltered]) => [id, { isFiltered: isFiltered === 'true' }])),
    broadcasts: new Set(of('broadcast').map(([id]) => id)),
  };
}

import { DatabaseTransaction, Statement } from '#postgres/database';
import { referencesOf } from '../../../domain/filters/filter.js';
import { parseFilter } from '../../../domain/filters/parse-filter.js';
import { compileFilter, knownIn } from './compile-filter.js';

/** A filter is planned for its values, and all contacts are read once instead of probed one by one, as for a count. */
const settings = `SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '64MB'`;

/**
 * The members of a segment as SQL: those that were added to it, or those that match its filter. For a statement of
 * another lib that writes them down in one snapshot, without passing them through the process.
 *
 * The query has the columns `contact_id` and `property`, the value of the property with the given key. Its parameters
 * are $1 and the next ones. It sets the transaction up for a statement that reads all contacts of the team once, which
 * must be the next one.
 *
 * Undefined if the team has no such segment.
 */
export async function segmentMembers(
  { teamId, segmentId, property }: { readonly teamId: string; readonly segmentId: string; readonly property?: string },
  now: Date,
  transaction: DatabaseTransaction,
): Promise<Required<Pick<Statement, 'text' | 'values'>> | undefined> {
  const [segment] = await transaction.query<{ filter: unknown }>({
    text: 'SELECT filter FROM segments WHERE id = $1 AND team_id = $2',
    values: [segmentId, teamId],
  });
  if (segment === undefined) return undefined;
  await transaction.execute({ text: settings });
  const columns = 'c.id AS contact_id, c.properties ->> $2::text AS property';
  if (segment.filter === null) {
    return {
      text: `SELECT ${columns} FROM segment_contacts m JOIN contacts c ON c.id = m.contact_id
             WHERE m.segment_id = $3::uuid AND m.team_id = $1::uuid`,
      values: [teamId, property ?? '', segmentId],
    };
  }
  const filter = parseFilter(segment.filter);
  const known = await knownIn(transaction, teamId, { ...referencesOf(filter), properties: [] });
  const { condition, values } = compileFilter(filter, 3, known, now);
  return {
    text: `SELECT ${columns} FROM contacts c WHERE c.team_id = $1::uuid AND ${condition}`,
    values: [teamId, property ?? '', ...values],
  };
}

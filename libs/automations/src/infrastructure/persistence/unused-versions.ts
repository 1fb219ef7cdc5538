/**
 * Versions that no run has any more. A run needs its version until it is removed: its story shows all steps of the graph.
 * None begins with a version once a later one is committed, so that one without runs stays without.
 */
import { claimed, Statement } from '#postgres/database';
import { maxRemovedRows } from '#postgres/retention';

/** Versions that one change of an automation looks at, the latest first. Retention looks at all. */
const maxLookedAt = 100;

/**
 * One probe for each index. EXISTS reads all runs where most of them have one version: PostgreSQL expects to find one
 * early. In this order nothing but the index is cheap.
 */
const isUnused = ['IS NULL', 'IS NOT NULL']
  .map(
    (state) => `(SELECT r.version FROM automation_runs r
      WHERE r.automation_id = v.automation_id AND r.version >= v.version AND r.completed_at ${state}
      ORDER BY r.version LIMIT 1) IS DISTINCT FROM v.version`,
  )
  .join(' AND ');

/** Those of one automation, whose row and triggers are locked. */
export function removeUnusedVersions(automationId: string, present: number): Statement {
  return {
    text: `DELETE FROM automation_versions WHERE automation_id = $1 AND version IN (
             SELECT v.version FROM (
               SELECT automation_id, version FROM automation_versions WHERE automation_id = $1 AND version < $2
               ORDER BY version DESC LIMIT ${maxLookedAt}
             ) v WHERE ${isUnused})`,
    values: [automationId, present],
  };
}

/** Those of all automations. It waits for nobody, so that a change of an automation may wait for it. */
export const removeAllUnusedVersions: Statement = {
  text: `DELETE FROM automation_versions WHERE ${claimed(
    'automation_id, version',
    `FROM automation_versions v JOIN automations a ON a.id = v.automation_id AND a.version > v.version
     WHERE ${isUnused} LIMIT ${maxRemovedRows}`,
    'v',
  )}`,
};

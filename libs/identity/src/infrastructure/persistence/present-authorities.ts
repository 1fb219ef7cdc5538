import { Transaction } from '#kernel';
import { statementsOf, storableJson } from '#postgres/database';
import { Authority, PresentAuthority, presentPermissions } from '../../domain/authority.js';
import { Permission } from '../../domain/permission.js';

/** The permissions that each authority has now, in one read. Null, as it was given: all of its team. */
export async function permissionsNow(
  authorities: readonly (Authority | null)[],
  transaction: Transaction,
): Promise<readonly (ReadonlySet<Permission> | null)[]> {
  const asked = new Map<string, Authority>();
  for (const authority of authorities) if (authority !== null) asked.set(keyOf(authority), authority);
  if (asked.size === 0) return authorities.map(() => null);
  const given = [...asked].map(([key, { kind, id, ...more }]) => ({
    key,
    kind,
    id,
    team_id: 'teamId' in more ? more.teamId : null,
  }));
  const rows = await statementsOf(transaction).query<PresentAuthority & { readonly key: string }>({
    name: 'present-authorities',
    text: `SELECT a.key, k.permission AS access, k.only_drafts AS "onlyDrafts", k.grant_id IS NOT NULL AS "isOfTool", coalesce(g.role, m.role) AS role
           FROM json_to_recordset($1::json) AS a (key text, kind text, id uuid, team_id uuid)
           LEFT JOIN api_keys k ON a.kind = 'api_key' AND k.id = a.id
           LEFT JOIN published_oauth_grants g ON g.id = CASE WHEN a.kind = 'tool' THEN a.id ELSE k.grant_id END
           LEFT JOIN published_team_members m ON a.kind = 'user' AND m.team_id = a.team_id AND m.user_id = a.id`,
    values: [storableJson(given)],
  });
  const present = new Map(rows.map((row) => [row.key, presentPermissions(asked.get(row.key) as Authority, row)]));
  return authorities.map((authority) =>
    authority === null ? null : (present.get(keyOf(authority)) ?? new Set<Permission>()),
  );
}

function keyOf(authority: Authority): string {
  return JSON.stringify(authority);
}

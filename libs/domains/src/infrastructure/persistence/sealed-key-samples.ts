import type { ClientBase } from 'pg';

/**
 * Returns the oldest and the newest sealed private key of the database, if there are any. All keys are sealed with
 * the same secret, except for the short time after the secret was changed. Also works before the migrations have run.
 */
export async function sealedKeySamples(client: ClientBase): Promise<readonly Buffer[]> {
  const table = await client.query<{ present: boolean }>(`SELECT to_regclass('dkim_keys') IS NOT NULL AS present`);
  if (table.rows[0]?.present !== true) return [];
  const { rows } = await client.query<{ sealed: Buffer }>(
    `(SELECT sealed_private_key AS sealed FROM dkim_keys ORDER BY id LIMIT 1)
     UNION ALL (SELECT sealed_private_key FROM dkim_keys ORDER BY id DESC LIMIT 1)`,
  );
  return rows.map(({ sealed }) => sealed);
}

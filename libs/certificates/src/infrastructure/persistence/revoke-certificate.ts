import { clientFor, limitedConnection, ordinaryLimits } from '#postgres/database';

/**
 * Has the workers revoke the certificate of a host and order another one. It stays revoked, whatever dies in between. Returns
 * false if the host has none of this installation. For commands, which run beside the program.
 */
export async function revokeCertificate(databaseUrl: string, host: string): Promise<boolean> {
  const client = clientFor(databaseUrl, limitedConnection(ordinaryLimits));
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `UPDATE certificates SET is_revoked = true, due_at = CASE WHEN lease IS NULL THEN now() ELSE due_at END
       WHERE host = $1 AND sealed_certificate IS NOT NULL`,
      [host.toLowerCase()],
    );
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

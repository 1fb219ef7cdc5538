import type { Client } from 'pg';
import { clientFor, limitedConnection, ordinaryLimits } from '#postgres/database';
import { checkPassword } from '../../domain/invitation.js';
import { loadAuthLibrary } from '../better-auth/auth-library.js';

/** The message is a sentence for the operator. */
export class UserCommandError extends Error {}

export interface NewPassword {
  readonly email: string;
  readonly password: string;
  readonly removesSecondFactor: boolean;
}

/** Sets a password from the command line, and ends all sessions and tools of the user. It needs no running program. */
export async function setUserPassword(databaseUrl: string, change: NewPassword): Promise<void> {
  checkPassword(change.password);
  const { hashPassword } = await loadAuthLibrary();
  const hash = await hashPassword(change.password);
  const client = clientFor(databaseUrl, limitedConnection(ordinaryLimits));
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await store(client, change, hash);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

async function store(client: Client, { email, removesSecondFactor }: NewPassword, hash: string): Promise<void> {
  // An operator's word verifies the address.
  const { rows } = await client.query<{ id: string }>(
    'UPDATE auth."user" SET "emailVerified" = true WHERE email = $1 RETURNING id',
    [email],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new UserCommandError(`There is no user with the address ${email}.`);
  const changed = await client.query(
    `UPDATE auth.account SET password = $2, "updatedAt" = now() WHERE "userId" = $1 AND "providerId" = 'credential'`,
    [id, hash],
  );
  if (changed.rowCount === 0) {
    await client.query(
      `INSERT INTO auth.account ("accountId", "providerId", "userId", password, "updatedAt")
       VALUES ($1::uuid::text, 'credential', $1, $2, now())`,
      [id, hash],
    );
  }
  await client.query('DELETE FROM auth.session WHERE "userId" = $1', [id]);
  await client.query('UPDATE team_members SET tools_ended_at = clock_timestamp() WHERE user_id = $1', [id]);
  if (!removesSecondFactor) return;
  await client.query('DELETE FROM auth."twoFactor" WHERE "userId" = $1', [id]);
  await client.query('DELETE FROM auth.passkey WHERE "userId" = $1', [id]);
  await client.query('UPDATE auth."user" SET "twoFactorEnabled" = false WHERE id = $1', [id]);
}

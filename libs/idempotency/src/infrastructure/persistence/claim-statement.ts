import { Statement } from '#postgres/database';
import { IdempotencyClaim, IdempotentRequest, keyLifeMs } from '../../domain/idempotency.js';

export type ClaimRow = { readonly position: number; readonly kind: 'claimed' | 'taken' | 'in progress' };

/**
 * Claims the keys of a whole group in one statement.
 *
 * The insert alone would be correct, but where another open transaction has inserted the same key it waits for that
 * transaction, and the whole group waits with it. So each key is first locked without waiting. A request that does not
 * get the lock knows that its key is in use now; one that gets it meets no other transaction at the insert.
 */
export function claimStatement(claims: readonly IdempotencyClaim[]): Statement {
  return {
    name: 'claim-idempotency-keys',
    text: `
      WITH claim AS MATERIALIZED (
        SELECT c.*, pg_try_advisory_xact_lock(hashtextextended(c.team_id || ' ' || c.endpoint || ' ' || c.key, 7)) AS free
        FROM json_to_recordset($1::json) AS c (
          position int, team_id uuid, endpoint text, key text, fingerprint text, answer json, claimed_at timestamptz,
          expires_at timestamptz)
      ), claimed AS (
        INSERT INTO idempotency_keys AS k (team_id, endpoint, key, expires_at, fingerprint, answer)
        SELECT team_id, endpoint, key, expires_at, decode(fingerprint, 'hex'), answer FROM claim WHERE free
        ON CONFLICT (team_id, endpoint, key) DO UPDATE
          SET expires_at = excluded.expires_at, fingerprint = excluded.fingerprint, answer = excluded.answer
          WHERE k.expires_at <= excluded.expires_at - $2 * interval '1 millisecond'
        RETURNING team_id, endpoint, key
      )
      SELECT position, CASE WHEN NOT free THEN 'in progress' WHEN d.key IS NULL THEN 'taken' ELSE 'claimed' END AS kind
      FROM claim c LEFT JOIN claimed d USING (team_id, endpoint, key)`,
    values: [JSON.stringify(claims.map(rowOf)), keyLifeMs],
  };
}

/**
 * Reads the stored requests of keys in a separate statement: the snapshot of the claim statement does not include the
 * rows that it conflicted with.
 */
export function knownStatement(requests: readonly IdempotentRequest[]): Statement {
  return {
    name: 'find-idempotency-keys',
    text: `SELECT w.position::int - 1 AS position, k.fingerprint, k.answer AS response, k.expires_at AS "expiresAt"
           FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS w (team_id, endpoint, key, position)
           CROSS JOIN LATERAL (
             SELECT * FROM idempotency_keys i
             WHERE i.team_id = w.team_id AND i.endpoint = w.endpoint AND i.key = w.key LIMIT 1
           ) k`,
    values: [
      requests.map(({ teamId }) => teamId),
      requests.map(({ endpoint }) => endpoint),
      requests.map(({ key }) => key),
    ],
  };
}

function rowOf({ request, response, claimedAt }: IdempotencyClaim, position: number): Record<string, unknown> {
  return {
    position,
    team_id: request.teamId,
    endpoint: request.endpoint,
    key: request.key,
    fingerprint: Buffer.from(request.fingerprint).toString('hex'),
    answer: response,
    claimed_at: claimedAt,
    expires_at: new Date(claimedAt.getTime() + keyLifeMs),
  };
}

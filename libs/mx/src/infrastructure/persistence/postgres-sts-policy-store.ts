import { claimed, Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { StoredStsPolicy, StsPolicyStore } from '../../application/ports/sts-policy-store.port.js';

/** Maximum number of expired policies deleted with each save. */
const maxForgotten = 100;

@Injectable()
export class PostgresStsPolicyStore extends StsPolicyStore {
  constructor(private readonly database: Database) {
    super();
  }

  async find(domain: string, now: Date): Promise<StoredStsPolicy | undefined> {
    const [policy] = await this.database.query<StoredStsPolicy & Record<string, unknown>>({
      name: 'find-sts-policy',
      text: `SELECT domain, policy_id AS "policyId", mode, mx, max_age AS "maxAge", fetched_at AS "fetchedAt"
             FROM sts_policies WHERE domain = $1 AND expires_at > $2`,
      values: [domain, now],
    });
    return policy;
  }

  async save({ domain, policyId, mode, mx, maxAge, fetchedAt }: StoredStsPolicy): Promise<void> {
    const expiresAt = new Date(fetchedAt.getTime() + maxAge * 1_000);
    await this.database.execute({
      text: `WITH forgotten AS (
               DELETE FROM sts_policies WHERE domain <> $1
               AND ${claimed('ctid', `FROM sts_policies WHERE expires_at < $6 ORDER BY expires_at LIMIT ${maxForgotten}`)}
             )
             INSERT INTO sts_policies (domain, policy_id, mode, mx, max_age, fetched_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (domain) DO UPDATE SET policy_id = $2, mode = $3, mx = $4, max_age = $5, fetched_at = $6,
               expires_at = $7`,
      values: [domain, policyId, mode, mx, maxAge, fetchedAt, expiresAt],
    });
  }
}

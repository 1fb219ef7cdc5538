import { Injectable } from '@nestjs/common';
import { firstIdAt, Transaction } from '#kernel';
import { Database, Statement, statementsOf } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { ClaimRepository } from '../../application/ports/domain-repository.port.js';
import { DomainClaim } from '../../domain/domain-claim.js';
import { maxChecksOfTeam, takeDueClaims } from './domain-statements.js';

const columns = `id, team_id AS "teamId", domain_id AS "domainId", name, status, settings, token,
  blocked_reason AS "blockedReason", failure_reason AS "failureReason", proven_at AS "provenAt",
  next_check_at AS "nextCheckAt", created_at AS "createdAt", expires_at AS "expiresAt"`;
const isOpen = `status IN ('pending', 'verified', 'blocked')`;

@Injectable()
export class PostgresClaimRepository extends ClaimRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async insert(claim: DomainClaim): Promise<boolean> {
    const inserted = await this.database.execute({
      text: `INSERT INTO domain_claims (id, team_id, domain_id, name, status, settings, token, created_at, expires_at, next_check_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (team_id, name) WHERE ${isOpen} DO NOTHING`,
      values: [
        claim.id,
        claim.teamId,
        claim.domainId,
        claim.name,
        claim.status,
        JSON.stringify(claim.settings),
        claim.token,
        claim.createdAt,
        claim.expiresAt,
        claim.nextCheckAt,
      ],
    });
    return inserted > 0;
  }

  findOpen(teamId: string, name: string): Promise<DomainClaim | undefined> {
    return this.first({
      text: `SELECT ${columns} FROM domain_claims WHERE team_id = $1 AND name = $2 AND ${isOpen}`,
      values: [teamId, name],
    });
  }

  findByDomain(teamId: string, domainId: string): Promise<DomainClaim | undefined> {
    return this.first({
      text: `SELECT ${columns} FROM domain_claims WHERE domain_id = $2 AND team_id = $1 ORDER BY id DESC LIMIT 1`,
      values: [teamId, domainId],
    });
  }

  read(id: string): Promise<DomainClaim | undefined> {
    return this.first({ text: `SELECT ${columns} FROM domain_claims WHERE id = $1`, values: [id] });
  }

  async makeDue(id: string, now: Date): Promise<void> {
    await this.database.execute({
      text: `UPDATE domain_claims SET next_check_at = $2 WHERE id = $1 AND ${isOpen}`,
      values: [id, now],
    });
  }

  async takeDue(now: Date, leaseUntil: Date, limit: number, held?: readonly string[]): Promise<readonly string[]> {
    const statement = takeDueClaims({ now, leaseUntil, limit, held, maxOfTeam: maxChecksOfTeam });
    return (await this.database.query<{ id: string }>(statement)).map(({ id }) => id);
  }

  async update(claim: DomainClaim, transaction: Transaction): Promise<boolean> {
    const updated = await statementsOf(transaction).execute({
      text: `UPDATE domain_claims SET status = $2, blocked_reason = $3, failure_reason = $4, proven_at = $5,
               next_check_at = $6
             WHERE id = $1 AND ${isOpen}`,
      values: [claim.id, claim.status, claim.blockedReason, claim.failureReason, claim.provenAt, claim.nextCheckAt],
    });
    return updated > 0;
  }

  async supersedeOthers(claim: DomainClaim, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: `UPDATE domain_claims SET status = 'superseded', next_check_at = NULL
             WHERE name = $1 AND id <> $2 AND ${isOpen}`,
      values: [claim.name, claim.id],
    });
  }

  private async first(statement: Statement): Promise<DomainClaim | undefined> {
    const [claim] = await this.database.query<DomainClaim & Record<string, unknown>>(statement);
    return claim;
  }
}

/** Deletes closed claims that are older than the retention. */
@Injectable()
export class DomainsPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ cutoff }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM domain_claims WHERE id = ANY (ARRAY(
                 SELECT id FROM domain_claims
                 WHERE id < $1 AND expires_at < $2 AND status NOT IN ('pending', 'verified', 'blocked')
                 ORDER BY id LIMIT ${maxRemovedRows}))`,
        values: [firstIdAt(cutoff), cutoff],
      },
    ];
  }
}

import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { Invitations } from '../../application/ports/memberships.port.js';
import { Invitation } from '../../domain/invitation.js';

const inForce = '(grant_id IS NULL OR EXISTS (SELECT FROM published_oauth_grants g WHERE g.id = grant_id))';
const columns = `id, team_id AS "teamId", email, role, grant_id AS "grantId", token_hash AS "tokenHash", created_at AS "createdAt",
                 expires_at AS "expiresAt"`;

@Injectable()
export class PostgresInvitations extends Invitations {
  constructor(private readonly database: Database) {
    super();
  }

  async put(invitation: Invitation, transaction: Transaction): Promise<void> {
    const { id, teamId, email, role, grantId, tokenHash, createdAt, expiresAt } = invitation;
    const statements = statementsOf(transaction);
    await statements.execute({
      text: 'DELETE FROM team_invitations WHERE team_id = $1 AND email = $2',
      values: [teamId, email],
    });
    await statements.execute({
      text: `INSERT INTO team_invitations (id, team_id, email, role, grant_id, token_hash, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [id, teamId, email, role, grantId, tokenHash, createdAt, expiresAt],
    });
  }

  async count(teamId: string, transaction: Transaction): Promise<number> {
    const [row] = await statementsOf(transaction).query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM team_invitations WHERE team_id = $1',
      values: [teamId],
    });
    return row?.count ?? 0;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Invitation>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const found = await this.database.query<Row<Invitation>>({
      text: `SELECT ${columns} FROM team_invitations WHERE team_id = $1 AND ${inForce} ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, found);
  }

  async findByTokenHash(tokenHash: Buffer, now: Date): Promise<Invitation | undefined> {
    const [invitation] = await this.database.query<Row<Invitation>>({
      text: `SELECT ${columns} FROM team_invitations WHERE token_hash = $1 AND expires_at > $2 AND ${inForce}`,
      values: [tokenHash, now],
    });
    return invitation;
  }

  async isInvited(email: string, now: Date): Promise<boolean> {
    const found = await this.database.query({
      text: `SELECT 1 FROM team_invitations WHERE email = $1 AND expires_at > $2 AND ${inForce} LIMIT 1`,
      values: [email, now],
    });
    return found.length > 0;
  }

  async remove(teamId: string, id: string, transaction?: Transaction): Promise<boolean> {
    const removed = await (transaction === undefined ? this.database : statementsOf(transaction)).execute({
      text: 'DELETE FROM team_invitations WHERE team_id = $1 AND id = $2',
      values: [teamId, id],
    });
    return removed > 0;
  }
}

import { Transaction } from '#kernel';
import { statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { GuardedDomains } from '../../application/ports/reputation-guard.port.js';

/** Members of a team that get mail about it. */
const maxAddresses = 5;

@Injectable()
export class PostgresGuardedDomains extends GuardedDomains {
  async nameOf(domainId: string, transaction: Transaction): Promise<string | undefined> {
    const [row] = await statementsOf(transaction).query<{ name: string }>({
      text: 'SELECT name FROM published_domains WHERE id = $1',
      values: [domainId],
    });
    return row?.name;
  }

  async addressesOf(teamId: string, transaction: Transaction): Promise<readonly string[]> {
    const rows = await statementsOf(transaction).query<{ email: string }>({
      text: `SELECT email FROM published_member_addresses WHERE team_id = $1 AND role IN ('owner', 'admin')
             ORDER BY role DESC, email LIMIT ${maxAddresses}`,
      values: [teamId],
    });
    return rows.map(({ email }) => email);
  }
}

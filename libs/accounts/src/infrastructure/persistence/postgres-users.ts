import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { ListedUser, Users } from '../../application/ports/users.port.js';

const users = `SELECT id, email, name, "emailVerified" AS "isVerified", "createdAt",
  EXISTS (SELECT FROM operators o WHERE o.user_id = u.id) AS "isOperator" FROM auth."user" u`;

@Injectable()
export class PostgresUsers extends Users {
  constructor(private readonly database: Database) {
    super();
  }

  async findByEmail(email: string): Promise<ListedUser | undefined> {
    return (await this.database.query<Row<ListedUser>>({ text: `${users} WHERE email = $1`, values: [email] }))[0];
  }

  async find(id: string, transaction?: Transaction): Promise<ListedUser | undefined> {
    const statements = transaction === undefined ? this.database : statementsOf(transaction);
    return (await statements.query<Row<ListedUser>>({ text: `${users} WHERE id = $1`, values: [id] }))[0];
  }

  async list(page: PageRequest): Promise<Page<ListedUser>> {
    const { condition, order, values } = keysetCondition(page, 1);
    const found = await this.database.query<Row<ListedUser>>({
      text: `${users} WHERE true ${condition} ${order}`,
      values: [...values],
    });
    return pageOf(page, found);
  }

  async removeUnverified(email: string): Promise<void> {
    await this.database.execute({
      text: 'DELETE FROM auth."user" WHERE email = $1 AND NOT "emailVerified"',
      values: [email],
    });
  }

  async anyOperator(transaction?: Transaction): Promise<boolean> {
    const statements = transaction === undefined ? this.database : statementsOf(transaction);
    if (transaction !== undefined) {
      await statements.execute({ text: 'LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE' });
    }
    return (await statements.query({ text: 'SELECT 1 FROM operators LIMIT 1' })).length > 0;
  }

  async addOperator(id: string, at: Date, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'INSERT INTO operators (user_id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [id, at],
    });
  }

  async removeOperator(id: string): Promise<boolean> {
    const removed = await this.database.run(async (transaction) => {
      await transaction.execute({ text: 'LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE' });
      return transaction.execute({
        text: 'DELETE FROM operators WHERE user_id = $1 AND (SELECT count(*) FROM operators) > 1',
        values: [id],
      });
    });
    return removed > 0;
  }

  async remove(id: string): Promise<void> {
    await this.database.execute({ text: 'DELETE FROM auth."user" WHERE id = $1', values: [id] });
  }
}

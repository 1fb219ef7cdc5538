import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, lockName, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { PropertyInsertion, PropertyRepository } from '../../application/ports/contact-repository.port.js';
import { ContactProperty } from '../../domain/property.js';

const columns = `id, team_id AS "teamId", key, type, fallback_value AS "fallbackValue", created_at AS "createdAt",
  updated_at AS "updatedAt"`;

@Injectable()
export class PostgresPropertyRepository extends PropertyRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async insert(property: ContactProperty, max: number, transaction: Transaction): Promise<PropertyInsertion> {
    const { id, teamId, key, type, fallbackValue, createdAt, updatedAt } = property;
    const statements = statementsOf(transaction);
    await lockName(`contact properties ${teamId}`, statements);
    const inserted = await statements.execute({
      text: `INSERT INTO contact_properties (id, team_id, key, type, fallback_value, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (team_id, key) DO NOTHING`,
      values: [id, teamId, key, type, jsonOrNull(fallbackValue), createdAt, updatedAt],
    });
    if (inserted === 0) return 'exists';
    // After the insert, which waits for a deletion of the same key that is not committed yet.
    const [row] = await statements.query<{ removing: boolean; known: number }>({
      text: `SELECT EXISTS (SELECT FROM audience_removals WHERE team_id = $1 AND key = $2 AND kind = 'property') AS removing,
                    (SELECT count(*)::int FROM contact_properties WHERE team_id = $1) AS known`,
      values: [teamId, key],
    });
    if (row?.removing === true) return 'in-removal';
    return (row?.known ?? 0) > max ? 'too-many' : 'inserted';
  }

  async find(teamId: string, id: string): Promise<ContactProperty | undefined> {
    const [row] = await this.database.query<Row<ContactProperty>>({
      text: `SELECT ${columns} FROM contact_properties WHERE id = $1 AND team_id = $2`,
      values: [id, teamId],
    });
    return row;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<ContactProperty>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<ContactProperty>>({
      text: `SELECT ${columns} FROM contact_properties WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows);
  }

  ofTeams(teamIds: readonly string[], transaction?: Transaction): Promise<readonly ContactProperty[]> {
    const text = `SELECT ${columns} FROM contact_properties WHERE team_id = ANY($1::uuid[]) ORDER BY id`;
    return transaction === undefined
      ? this.database.query<Row<ContactProperty>>({ name: 'properties-of-teams', text, values: [teamIds] })
      : statementsOf(transaction).query<Row<ContactProperty>>({
          name: 'hold-properties-of-teams',
          text: `${text} FOR KEY SHARE`,
          values: [teamIds],
        });
  }

  async update({ id, teamId, fallbackValue, updatedAt }: ContactProperty, transaction: Transaction): Promise<boolean> {
    const updated = await statementsOf(transaction).execute({
      text: 'UPDATE contact_properties SET fallback_value = $3, updated_at = $4 WHERE id = $1 AND team_id = $2',
      values: [id, teamId, jsonOrNull(fallbackValue), updatedAt],
    });
    return updated > 0;
  }

  async delete(teamId: string, id: string, transaction: Transaction): Promise<ContactProperty | undefined> {
    const [row] = await statementsOf(transaction).query<Row<ContactProperty>>({
      text: `DELETE FROM contact_properties WHERE id = $1 AND team_id = $2 RETURNING ${columns}`,
      values: [id, teamId],
    });
    return row;
  }
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

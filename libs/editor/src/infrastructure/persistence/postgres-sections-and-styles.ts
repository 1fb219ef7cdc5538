import { Injectable } from '@nestjs/common';
import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, lockName, Row } from '#postgres/database';
import { SectionRepository, StyleRepository } from '../../application/ports/sections-and-styles.port.js';
import { maxSections, SavedSection, SectionUse } from '../../domain/saved-section.js';
import { GivenStyles } from '../../domain/styles/team-styles.js';

const columns = 'id, team_id AS "teamId", name, document, created_at AS "createdAt", updated_at AS "updatedAt"';

/** The words of the indexes `…_by_section`, so that they are used. */
const hasSection = `content_source = 'editor' AND document LIKE '%"savedId":"%' AND saved_sections_in(document) @> ARRAY[$2]`;

@Injectable()
export class PostgresSectionRepository extends SectionRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add({ id, teamId, name, document, createdAt, updatedAt }: SavedSection): Promise<boolean> {
    const added = await this.database.run(async (transaction) => {
      await lockName(`saved sections ${teamId}`, transaction);
      return transaction.execute({
        text: `INSERT INTO editor_sections (id, team_id, name, document, created_at, updated_at)
               SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM editor_sections WHERE team_id = $2) < $7`,
        values: [id, teamId, name, document, createdAt, updatedAt, maxSections],
      });
    });
    return added > 0;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<SavedSection>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<SavedSection>>({
      text: `SELECT ${columns} FROM editor_sections WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows);
  }

  async find(teamId: string, id: string): Promise<SavedSection | undefined> {
    const [row] = await this.database.query<Row<SavedSection>>({
      text: `SELECT ${columns} FROM editor_sections WHERE team_id = $1 AND id = $2`,
      values: [teamId, id],
    });
    return row;
  }

  async change(
    teamId: string,
    id: string,
    { name, document }: Partial<Pick<SavedSection, 'name' | 'document'>>,
    now: Date,
  ): Promise<SavedSection | undefined> {
    const [row] = await this.database.query<Row<SavedSection>>({
      text: `UPDATE editor_sections SET name = coalesce($3, name), document = coalesce($4, document), updated_at = $5
             WHERE team_id = $1 AND id = $2 RETURNING ${columns}`,
      values: [teamId, id, name ?? null, document ?? null, now],
    });
    return row;
  }

  async remove(teamId: string, id: string): Promise<boolean> {
    const removed = await this.database.execute({
      text: 'DELETE FROM editor_sections WHERE team_id = $1 AND id = $2',
      values: [teamId, id],
    });
    return removed > 0;
  }

  async uses(teamId: string, id: string, page: PageRequest): Promise<Page<SectionUse>> {
    const { condition, order, values } = keysetCondition(page, 3);
    const rows = await this.database.query<Row<SectionUse>>({
      text: `SELECT id, type, name FROM (
               SELECT id, 'broadcast' AS type, name FROM published_broadcast_documents
               WHERE team_id = $1 AND status IN ('draft', 'scheduled') AND ${hasSection}
               UNION ALL
               SELECT t.id, 'template', t.name
               FROM published_template_documents v JOIN published_templates t ON t.current_version_id = v.id
               WHERE v.team_id = $1 AND t.team_id = $1 AND ${hasSection}
             ) AS used WHERE true ${condition} ${order}`,
      values: [teamId, id, ...values],
    });
    return pageOf(page, rows);
  }
}

@Injectable()
export class PostgresStyleRepository extends StyleRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async find(teamId: string): Promise<GivenStyles> {
    const [row] = await this.database.query<{ styles: GivenStyles }>({
      text: 'SELECT styles FROM editor_styles WHERE team_id = $1',
      values: [teamId],
    });
    return row?.styles ?? {};
  }

  async save(teamId: string, styles: GivenStyles, now: Date): Promise<void> {
    await this.database.execute({
      text: `INSERT INTO editor_styles (team_id, styles, updated_at) VALUES ($1, $2::jsonb, $3)
             ON CONFLICT (team_id) DO UPDATE SET styles = excluded.styles, updated_at = excluded.updated_at`,
      values: [teamId, JSON.stringify(styles), now],
    });
  }
}

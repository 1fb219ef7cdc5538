import { isUuid } from '#kernel';
import { Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { ContentState, ContentStates } from '../../application/ports/contents.port.js';
import { ContentRef } from '../../domain/content.js';

@Injectable()
export class PostgresContentStates extends ContentStates {
  constructor(private readonly database: Database) {
    super();
  }

  async find(teamId: string, { type, id }: ContentRef): Promise<ContentState | undefined> {
    if (type === 'broadcast' && !isUuid(id)) return undefined;
    const text =
      type === 'broadcast'
        ? `SELECT id, content_revision AS revision, status IN ('draft', 'scheduled') AS "isEditable"
           FROM published_broadcast_documents WHERE team_id = $1 AND id = $2`
        : `SELECT t.id, v.content_revision AS revision, true AS "isEditable"
           FROM published_templates t JOIN published_template_documents v ON v.id = t.current_version_id
           WHERE t.team_id = $1 AND ${isUuid(id) ? 't.id = $2' : 't.alias = $2'}`;
    const [row] = await this.database.query<Row<Omit<ContentState, 'ref'> & { readonly id: string }>>({
      text,
      values: [teamId, id],
    });
    return row === undefined
      ? undefined
      : { ref: { type, id: row.id }, revision: row.revision, isEditable: row.isEditable };
  }
}

import { Injectable } from '@nestjs/common';
import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, lockName, longLimits, Row } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Purge, PurgeMoment, Purges } from '#postgres/retention';
import { ImageLibrary } from '../../application/image-library.use-case.js';
import { ImageRepository, RemovedImages } from '../../application/ports/images.port.js';
import { imageLimits, ImageTexts, StoredImage } from '../../domain/image.js';

const columns = 'id, team_id AS "teamId", name, alt, type, width, height, size, created_at AS "createdAt"';
/** The scan of all contents of a team: retention waits for it. */
const scanLimits = { ...longLimits, statementMs: 120_000 };

@Injectable()
export class PostgresImageRepository extends ImageRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add({ id, teamId, name, alt, type, width, height, size, createdAt }: StoredImage): Promise<boolean> {
    const added = await this.database.run(async (transaction) => {
      await lockName(`images ${teamId}`, transaction);
      return transaction.execute({
        text: `INSERT INTO images (id, team_id, name, alt, type, width, height, size, created_at, removed_at)
             SELECT $1, $2, $3, $4, $5, $6::int, $7::int, $8::int, $9::timestamptz, $9
             FROM (SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM images WHERE team_id = $2) stored
             WHERE count < $10 AND bytes + $8 <= $11`,
        values: [
          id,
          teamId,
          name,
          alt,
          type,
          width,
          height,
          size,
          createdAt,
          imageLimits.maxImages,
          imageLimits.quotaBytes,
        ],
      });
    });
    return added > 0;
  }

  async publish(id: string): Promise<void> {
    await this.database.execute({ text: 'UPDATE images SET removed_at = NULL WHERE id = $1', values: [id] });
  }

  async list(teamId: string, page: PageRequest, search: string | undefined): Promise<Page<StoredImage>> {
    const { condition, order, values } = keysetCondition(page, search === undefined ? 2 : 3);
    const searched = search === undefined ? '' : `AND (name ILIKE $2 OR alt ILIKE $2)`;
    const rows = await this.database.query<Row<StoredImage>>({
      text: `SELECT ${columns} FROM images WHERE team_id = $1 AND removed_at IS NULL ${searched} ${condition} ${order}`,
      values: [teamId, ...(search === undefined ? [] : [`%${search.replace(/[\\%_]/g, '\\$&')}%`]), ...values],
    });
    return pageOf(page, rows);
  }

  async find(teamId: string, id: string): Promise<StoredImage | undefined> {
    const [row] = await this.database.query<Row<StoredImage>>({
      text: `SELECT ${columns} FROM images WHERE team_id = $1 AND id = $2 AND removed_at IS NULL`,
      values: [teamId, id],
    });
    return row;
  }

  async findShown(id: string): Promise<StoredImage | undefined> {
    const [row] = await this.database.query<Row<StoredImage>>({
      name: 'shown-image',
      text: `SELECT ${columns} FROM images WHERE id = $1`,
      values: [id],
    });
    return row;
  }

  async describe(teamId: string, id: string, { name, alt }: ImageTexts): Promise<StoredImage | undefined> {
    const [row] = await this.database.query<Row<StoredImage>>({
      text: `UPDATE images SET name = coalesce($3, name), alt = coalesce($4, alt)
             WHERE team_id = $1 AND id = $2 AND removed_at IS NULL RETURNING ${columns}`,
      values: [teamId, id, name ?? null, alt ?? null],
    });
    return row;
  }

  async remove(teamId: string, id: string, at: Date): Promise<boolean> {
    const removed = await this.database.execute({
      text: 'UPDATE images SET removed_at = $3 WHERE team_id = $1 AND id = $2 AND removed_at IS NULL',
      values: [teamId, id, at],
    });
    return removed > 0;
  }

  async removed(cutoff: Date, checkedBefore: Date, limit: number): Promise<RemovedImages | undefined> {
    const isDue = 'removed_at < $1 AND (checked_at IS NULL OR checked_at < $2)';
    const rows = await this.database.query<{ id: string; teamId: string }>({
      text: `SELECT id, team_id AS "teamId" FROM images
             WHERE ${isDue} AND team_id = (
               SELECT team_id FROM images WHERE ${isDue} ORDER BY checked_at NULLS FIRST, id LIMIT 1
             ) ORDER BY checked_at NULLS FIRST, id LIMIT $3`,
      values: [cutoff, checkedBefore, limit],
    });
    const [first] = rows;
    return first === undefined ? undefined : { teamId: first.teamId, ids: rows.map(({ id }) => id) };
  }

  async markChecked(ids: readonly string[], at: Date): Promise<void> {
    await this.database.execute({
      text: 'UPDATE images SET checked_at = $2 WHERE id = ANY ($1::uuid[])',
      values: [ids, at],
    });
  }

  /** Contents are read once for all images: what follows each `i/` in them is compared with the ids. Separators must not overlap. */
  async unused({ teamId, ids }: RemovedImages): Promise<readonly string[]> {
    const named = await this.database.query<{ id: string }>({
      text: `SELECT DISTINCT left(part, 36) AS id
             FROM (SELECT html FROM published_broadcast_contents WHERE team_id = $1
                   UNION ALL SELECT html FROM published_template_contents WHERE team_id = $1
                   UNION ALL SELECT coalesce(document, html) FROM published_editor_versions WHERE team_id = $1
                   UNION ALL SELECT document FROM published_editor_sections WHERE team_id = $1
                   UNION ALL SELECT styles::text FROM published_editor_styles WHERE team_id = $1) AS contents (written),
                  unnest(string_to_array(written, 'i/')) AS part
             WHERE left(part, 36) = ANY ($2::text[])`,
      values: [teamId, ids],
      limits: scanLimits,
    });
    const used = new Set(named.map(({ id }) => id));
    return ids.filter((id) => !used.has(id));
  }

  async forget(ids: readonly string[]): Promise<void> {
    await this.database.execute({ text: 'DELETE FROM images WHERE id = ANY ($1::uuid[])', values: [ids] });
  }
}

@Injectable()
export class ImagesPurge extends Purge {
  constructor(
    purges: Purges,
    private readonly images: ImageLibrary,
    private readonly logger: Logger,
  ) {
    super(purges);
  }

  /** What fails for one team stops neither the others nor the rest of retention. */
  override async removeOld({ cutoff }: PurgeMoment): Promise<void> {
    for (const { teamId, error } of await this.images.purge(cutoff)) {
      this.logger.error({ teamId, error }, 'removed images of a team could not be purged');
    }
  }
}

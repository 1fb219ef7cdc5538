import { isUuid } from '#kernel';
import { Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { PublishedTemplates } from '../../application/ports/published-templates.port.js';
import { PublishedTemplate, publishedTemplate } from '../../domain/published-template.js';
import { contentColumns, contentOf, ContentRow } from './template-rows.js';
import { VersionCache } from './version-cache.js';

interface Wanted {
  readonly teamId: string;
  readonly idOrAlias: string;
}

interface Pointer extends Wanted {
  readonly templateId: string;
  readonly versionId: string | null;
}

type Found = PublishedTemplate | 'draft' | undefined;

/** How many contents are read with one statement: a team's largest templates together have some megabytes. */
const maxContentsAtOnce = 8;

/** Which version is published is read each time, once for all calls of a turn of the event loop. Contents are cached. */
@Injectable()
export class PostgresPublishedTemplates extends PublishedTemplates {
  private readonly cache = new VersionCache();
  /** Calls of this turn, by what they ask for. */
  private waiting: Map<string, Wanted> | undefined;
  private reading: Promise<ReadonlyMap<string, Found>> | undefined;

  constructor(private readonly database: Database) {
    super();
  }

  async find(teamId: string, idOrAlias: string): Promise<Found> {
    const key = keyOf(teamId, idOrAlias);
    if (this.waiting === undefined) {
      const waiting = (this.waiting = new Map<string, Wanted>());
      this.reading = new Promise((resolve, reject) => {
        setImmediate(() => {
          this.waiting = undefined;
          this.read([...waiting.values()]).then(resolve, reject);
        });
      });
    }
    this.waiting.set(key, { teamId, idOrAlias });
    return (await (this.reading as Promise<ReadonlyMap<string, Found>>)).get(key);
  }

  private async read(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Found>> {
    const pointers = await this.pointers(wanted);
    const versions = await this.versions(pointers);
    return new Map(
      pointers.map(({ teamId, idOrAlias, versionId }) => [
        keyOf(teamId, idOrAlias),
        versionId === null ? 'draft' : versions.get(versionId),
      ]),
    );
  }

  private pointers(wanted: readonly Wanted[]): Promise<Row<Pointer>[]> {
    const ids = wanted.filter(({ idOrAlias }) => isUuid(idOrAlias));
    const aliases = wanted.filter(({ idOrAlias }) => !isUuid(idOrAlias));
    return this.database.query<Row<Pointer>>({
      name: 'published-templates',
      text: `SELECT t.team_id AS "teamId", w.id AS "idOrAlias", t.id AS "templateId", t.published_version_id AS "versionId"
             FROM unnest($1::uuid[], $2::text[]) AS w (team_id, id) JOIN templates t ON t.id = w.id::uuid AND t.team_id = w.team_id
             UNION ALL
             SELECT t.team_id, t.alias, t.id, t.published_version_id
             FROM unnest($3::uuid[], $4::text[]) AS w (team_id, alias) JOIN templates t USING (team_id, alias)`,
      values: [
        ids.map(({ teamId }) => teamId),
        ids.map(({ idOrAlias }) => idOrAlias),
        aliases.map(({ teamId }) => teamId),
        aliases.map(({ idOrAlias }) => idOrAlias),
      ],
    });
  }

  private async versions(pointers: readonly Pointer[]): Promise<ReadonlyMap<string, PublishedTemplate>> {
    const versions = new Map<string, PublishedTemplate>();
    const missing = new Map<string, Pointer>();
    for (const pointer of pointers) {
      if (pointer.versionId === null) continue;
      const known = this.cache.get(pointer.versionId);
      if (known !== undefined) versions.set(pointer.versionId, known);
      else missing.set(pointer.versionId, pointer);
    }
    const ids = [...missing.keys()];
    for (let at = 0; at < ids.length; at += maxContentsAtOnce) {
      for (const template of await this.readContents(ids.slice(at, at + maxContentsAtOnce), missing)) {
        versions.set(template.versionId, template);
      }
    }
    return versions;
  }

  /** A version that was removed between the two reads is absent, as if its template had not been found. */
  private async readContents(
    ids: readonly string[],
    pointers: ReadonlyMap<string, Pointer>,
  ): Promise<readonly PublishedTemplate[]> {
    const rows = await this.database.query<Row<ContentRow & { versionId: string }>>({
      name: 'published-contents',
      text: `SELECT v.id AS "versionId", ${contentColumns} FROM template_versions v
             WHERE v.id = ANY ($1::uuid[]) AND v.published_at IS NOT NULL`,
      values: [ids],
    });
    return rows.map((row) => {
      const { versionId } = row;
      const { teamId, templateId } = pointers.get(versionId) as Pointer;
      // Another read may have cached it in the meantime, and emails compile one object once.
      const known = this.cache.get(versionId);
      if (known !== undefined) return known;
      const template = publishedTemplate({ id: templateId, versionId, teamId }, contentOf(row));
      this.cache.add(template);
      return template;
    });
  }
}

function keyOf(teamId: string, idOrAlias: string): string {
  return `${teamId} ${idOrAlias}`;
}

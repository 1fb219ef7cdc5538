import { DomainError, FairBudget, isUuid, Slots } from '#kernel';
import { Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { PublishedTemplates } from '../../application/ports/template-repository.port.js';
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

type VersionIds = Pick<PublishedTemplate, 'id' | 'versionId' | 'teamId'>;
type Found = PublishedTemplate | 'draft' | undefined;

/** Contents that are read and compiled at once, of at most a megabyte each: of all teams, and of one team. */
const maxReadings = 16;
const maxTeamReadings = 4;
/** How long a content waits for its turn. */
const maxWaitMs = 20_000;

class TemplatesBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many large templates are being read. Please try again later.');
  }
}

/**
 * Which version is published is read each time, once for all calls of a turn of the event loop. Contents are cached.
 * Each that is not is read by itself, and given to its callers before the next one of its team: what they make of it
 * is smaller.
 */
@Injectable()
export class PostgresPublishedTemplates extends PublishedTemplates {
  private readonly cache = new VersionCache();
  /** Calls of this turn, by what they ask for. */
  private waiting: Map<string, Wanted> | undefined;
  private reading: Promise<ReadonlyMap<string, Pointer>> | undefined;
  private readonly readings = new FairBudget({ total: maxReadings, maxPerOwner: maxTeamReadings });
  /** Contents that are being read or wait for it, by version: all who want one share it. */
  private readonly pending = new Map<string, Promise<PublishedTemplate | undefined>>();
  /** A large content takes some 10 ms to compile, so that others get their turn after each. */
  private readonly compiling = new Slots(1);

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
          this.pointers([...waiting.values()]).then(resolve, reject);
        });
      });
    }
    this.waiting.set(key, { teamId, idOrAlias });
    const pointer = (await (this.reading as Promise<ReadonlyMap<string, Pointer>>)).get(key);
    if (pointer === undefined) return undefined;
    const { versionId, templateId } = pointer;
    return versionId === null
      ? 'draft'
      : (this.cache.get(versionId) ?? this.versionOf({ id: templateId, versionId, teamId }));
  }

  private async pointers(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Pointer>> {
    const ids = wanted.filter(({ idOrAlias }) => isUuid(idOrAlias));
    const aliases = wanted.filter(({ idOrAlias }) => !isUuid(idOrAlias));
    const pointers = await this.database.query<Row<Pointer>>({
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
    return new Map(pointers.map((pointer) => [keyOf(pointer.teamId, pointer.idOrAlias), pointer]));
  }

  private versionOf(ids: VersionIds): Promise<PublishedTemplate | undefined> {
    const { versionId } = ids;
    const known = this.pending.get(versionId);
    if (known !== undefined) return known;
    const content = this.readInTurn(ids).finally(() => this.pending.delete(versionId));
    this.pending.set(versionId, content);
    return content;
  }

  private async readInTurn(ids: VersionIds): Promise<PublishedTemplate | undefined> {
    const patience = { maxWaitMs, refusal: () => new TemplatesBusyError() };
    const share = await this.readings.hold([ids.teamId], 1, patience);
    try {
      return await this.read(ids);
    } finally {
      // Not before its callers have gone on with it.
      setImmediate(() => share.release());
    }
  }

  /** A version that was removed between the two reads is absent, as if its template had not been found. */
  private async read(ids: VersionIds): Promise<PublishedTemplate | undefined> {
    const [row] = await this.database.query<Row<ContentRow>>({
      name: 'published-content',
      text: `SELECT ${contentColumns} FROM template_versions v WHERE v.id = $1 AND v.published_at IS NOT NULL`,
      values: [ids.versionId],
    });
    if (row === undefined) return undefined;
    await this.compiling.take();
    try {
      const template = publishedTemplate(ids, contentOf(row));
      this.cache.add(template);
      return template;
    } finally {
      setImmediate(() => this.compiling.release());
    }
  }
}

function keyOf(teamId: string, idOrAlias: string): string {
  return `${teamId} ${idOrAlias}`;
}

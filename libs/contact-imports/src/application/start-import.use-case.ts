import { ImportTargets } from '#audience';
import { Principal, TeamTurns } from '#identity';
import { Clock, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ColumnMap, ColumnMapping } from '../domain/column-mapping.js';
import { ContactImport, noCounts, OnConflict, TopicChoice } from '../domain/contact-import.js';
import { importLimits } from '../domain/import-limits.js';
import { TooManyImportsError } from '../domain/import-errors.js';
import { ImportRepository } from './ports/import-repository.port.js';
import { ReadHeader } from './read-header.query.js';
import { StoredUpload } from './store-upload.use-case.js';

export interface ImportRequest {
  readonly columnMap: ColumnMap;
  readonly onConflict: OnConflict;
  readonly segmentIds: readonly string[];
  readonly topics: readonly TopicChoice[];
}

/** Makes an import of a stored file. From its commit on, the file is imported whatever happens. */
@Injectable()
export class StartImport {
  constructor(
    private readonly header: ReadHeader,
    private readonly targets: ImportTargets,
    private readonly imports: ImportRepository,
    private readonly turns: TeamTurns,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute(principal: Principal, upload: StoredUpload, request: ImportRequest): Promise<ContactImport> {
    const { teamId } = principal;
    const known = await this.targets.propertyTypes(teamId);
    const { format, mapping, position } = await this.header.execute(upload, request.columnMap, known);
    const contactImport: ContactImport = {
      id: upload.id,
      teamId,
      actor: principal.actor,
      status: 'queued',
      format,
      mapping,
      onConflict: request.onConflict,
      segmentIds: request.segmentIds,
      topics: request.topics,
      size: upload.size,
      position,
      counts: noCounts,
      failure: null,
      createdAt: this.clock.now(),
      completedAt: null,
    };
    await this.work.run(async (transaction) => {
      await this.turns.take(teamId, transaction);
      if ((await this.imports.countUnfinished(teamId, transaction)) >= importLimits.maxUnfinished) {
        throw new TooManyImportsError();
      }
      await this.targets.prepare(teamId, targetsOf(mapping, request), transaction);
      await this.imports.insert(contactImport, transaction);
    });
    return contactImport;
  }
}

function targetsOf(
  mapping: ColumnMapping,
  { segmentIds, topics }: ImportRequest,
): Parameters<ImportTargets['prepare']>[1] {
  return {
    // Contacts have texts and numbers: a truth value becomes the text `true` or `false`.
    properties: mapping.properties.map(({ key, type }) => ({ key, type: type === 'number' ? 'number' : 'string' })),
    segmentIds,
    topicIds: topics.map(({ id }) => id),
  };
}

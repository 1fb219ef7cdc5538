/**
 * How contacts are imported from a CSV file.
 *
 * `StartImports` runs in the process that answers the request:
 *
 * 1. `store`: the file is stored in chunks while it arrives, before any of it is read.
 * 2. `start`: its header says what each column holds (`ReadHeader`). The import is inserted, and from that commit on the file is imported.
 *    The insert wakes the workers.
 *
 * `ImportContacts` runs in every worker (`ImportWorker`), on an import that it has leased:
 *
 * 1. `work`: cut the rest of the file into slices (`ImportSlices`). While one is written, the next one is read and prepared.
 * 2. `write`: one transaction per slice holds the lease, writes the contacts and the position behind them. After a crash another worker goes
 *    on from that position, and no row is written twice.
 * 3. A turn ends after a while if imports of other teams wait. An import is worked on by one process, and a team has one import at a time.
 * 4. `end`: the import is `completed`, or `failed` at a line that is not CSV, with the rows before it kept. The file is removed.
 */
import { ImportedContacts, ImportTargets, PreparedContacts } from '#audience';
import { Principal, TeamRepository } from '#identity';
import { Clock, isDatabaseTrouble, newId, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ColumnMap, ColumnMapping } from '../domain/column-mapping.js';
import { ContactImport, ImportCounts, ImportedTopic, noCounts, OnConflict } from '../domain/contact-import.js';
import { importLimits, TooManyImportsError } from '../domain/import-errors.js';
import { ImportedRow, Refusal, tooLargeTogether } from '../domain/row.js';
import { TextChunks } from '../domain/text/text-chunks.js';
import { ImportSlice, ImportSlices } from './import-slices.js';
import { BrokenCsvError, CsvReader } from './ports/csv-reader.port.js';
import { ImportFiles, ImportLease, ImportRepository } from './ports/import-repository.port.js';
import { ReadHeader, StoredUpload } from './read-header.query.js';

export interface ImportRequest {
  readonly columnMap: ColumnMap;
  readonly onConflict: OnConflict;
  readonly segmentIds: readonly string[];
  readonly topics: readonly ImportedTopic[];
}

/** Takes files, and makes imports of them. */
@Injectable()
export class StartImports {
  // oxlint-disable-next-line max-params -- One story: a file is stored, read and becomes an import.
  constructor(
    private readonly files: ImportFiles,
    private readonly header: ReadHeader,
    private readonly targets: ImportTargets,
    private readonly imports: ImportRepository,
    private readonly teams: TeamRepository,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Stores the file of an import. If the bytes throw, it throws the same error and stores nothing. */
  async store(teamId: string, bytes: AsyncIterable<Uint8Array>, fileName: string | null = null): Promise<StoredUpload> {
    this.files.requireRoom();
    // The check that counts follows when the import is made; this one saves a useless upload.
    if ((await this.imports.countUnfinished(teamId)) >= importLimits.maxUnfinished) throw new TooManyImportsError();
    const id = newId();
    const chunks = new TextChunks();
    const size = await this.files.write(id, chunks.of(bytes));
    return { id, fileName, size, encoding: chunks.encoding };
  }

  discard({ id }: StoredUpload): Promise<void> {
    return this.files.remove(id);
  }

  /** Makes an import of a stored file. */
  async start(principal: Principal, upload: StoredUpload, request: ImportRequest): Promise<ContactImport> {
    const { teamId } = principal;
    const known = await this.targets.propertyTypes(teamId);
    const { format, mapping, position } = await this.header.read(upload, request.columnMap, known);
    const contactImport: ContactImport = {
      id: upload.id,
      teamId,
      actor: principal.actor,
      fileName: upload.fileName,
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
      await this.teams.lock(teamId, transaction);
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

/** How long an import is worked on while imports of other teams wait. */
const turnMs = 2_000;
/** Unexpected errors in a row after which an import has failed. */
const maxTroubles = 10;

/** Another worker has the import, because this one did not renew its lease in time. */
class LostLeaseError extends Error {}

interface PreparedSlice extends ImportSlice {
  readonly contacts: PreparedContacts;
}

/** Imports the files that were accepted. */
@Injectable()
export class ImportContacts {
  constructor(
    private readonly imports: ImportRepository,
    private readonly files: ImportFiles,
    private readonly csv: CsvReader,
    private readonly contacts: ImportedContacts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Leases the import whose turn it is. */
  claim(): Promise<ImportLease | undefined> {
    return this.imports.claim(newId());
  }

  /** Works on an import until it ends, until its turn is over and others wait, or until the signal. */
  async work(lease: ImportLease, stopping: AbortSignal): Promise<void> {
    try {
      await this.importFile(lease, stopping);
    } catch (error) {
      if (error instanceof LostLeaseError) return;
      await this.setAside(lease, error);
      throw error;
    }
  }

  private async importFile(lease: ImportLease, stopping: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const slices = new ImportSlices(lease.import, this.files, this.csv);
    // A slice is read and prepared while the one before it is written, so that PostgreSQL does not wait for this process.
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const slice of slices.all()) {
        const prepared = await this.prepare(lease, slice);
        await writing;
        if (stopping.aborted || (await this.isTurnOver(lease, startedAt))) return await this.imports.release(lease);
        writing = this.write(lease, prepared);
        // It is awaited before the next slice is written. Until then a rejection must not count as unhandled.
        writing.catch(() => undefined);
      }
      await writing;
    } catch (error) {
      await writing;
      if (!(error instanceof BrokenCsvError)) throw error;
      await this.write(lease, await this.prepare(lease, slices.rest()));
      return this.end(lease, `Line ${error.line}: ${error.message}`);
    }
    await this.end(lease, null);
  }

  private async isTurnOver({ import: { teamId } }: ImportLease, startedAt: number): Promise<boolean> {
    return performance.now() - startedAt > turnMs && (await this.imports.othersWait(teamId));
  }

  private async prepare({ import: of }: ImportLease, slice: ImportSlice): Promise<PreparedSlice> {
    const contacts = await this.contacts.prepare({
      importId: of.id,
      teamId: of.teamId,
      actor: of.actor,
      rows: slice.rows,
      onConflict: of.onConflict,
      segmentIds: of.segmentIds,
      topics: of.topics,
      now: this.clock.now(),
    });
    return { ...slice, contacts };
  }

  private write(lease: ImportLease, { contacts, rows, refusals, position }: PreparedSlice): Promise<void> {
    const { id } = lease.import;
    return this.unitOfWork.runPipelined(async (transaction) => {
      // Sent together. What was written without the lease is rolled back.
      const [hold, write] = await Promise.allSettled([
        this.imports.hold(lease, transaction),
        contacts.write(transaction),
      ]);
      if (hold.status === 'rejected') throw hold.reason;
      if (!hold.value) throw new LostLeaseError();
      if (write.status === 'rejected') throw write.reason;
      const { refused, ...written } = write.value;
      const all = refused.length === 0 ? refusals : [...refusals, ...refused.map((no) => tooLarge(rows[no]))];
      const counts: ImportCounts = { ...written, total: rows.length + refusals.length, failed: all.length };
      return {
        // How many refusals are kept depends on the number of the earlier ones, for which they wait.
        mayRefuse: all.length > 0,
        send: () => this.imports.advance(id, { position, counts, refusals: all }, transaction),
      };
    });
  }

  private async end(lease: ImportLease, failure: string | null): Promise<void> {
    const { id } = lease.import;
    await this.unitOfWork.run(async (transaction) => {
      if (!(await this.imports.hold(lease, transaction))) throw new LostLeaseError();
      await this.imports.end(id, this.clock.now(), failure, transaction);
    });
    // If this fails, the file goes with those that belong to no import.
    await this.files.remove(id);
  }

  /** An import that cannot go on must not hold up the others. */
  private async setAside(lease: ImportLease, error: unknown): Promise<void> {
    if (isDatabaseTrouble(error)) return void (await this.imports.release(lease).catch(() => undefined));
    if ((await this.imports.postpone(lease)) < maxTroubles) return;
    await this.unitOfWork.run(async (transaction) => {
      await this.imports.end(lease.import.id, this.clock.now(), 'An unexpected fault of the service.', transaction);
    });
    await this.files.remove(lease.import.id);
  }
}

/** The row alone may have few values: those that its contact already has count too. */
function tooLarge(row: ImportedRow | undefined): Refusal {
  return { line: row?.line ?? 0, column: '', value: row?.email ?? '', reason: tooLargeTogether };
}

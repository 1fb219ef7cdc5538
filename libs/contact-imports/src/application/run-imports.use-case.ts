import { ImportedContacts, PreparedContacts } from '#audience';
import { Clock, isDatabaseTrouble, newId, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ImportCounts } from '../domain/contact-import.js';
import { ImportSlice, ImportSlices } from './import-slices.js';
import { BrokenCsvError, CsvReader } from './ports/csv-reader.port.js';
import { ImportFiles } from './ports/import-files.port.js';
import { ImportLease, ImportRepository } from './ports/import-repository.port.js';

/** How long an import is worked on while imports of other teams wait. */
const turnMs = 2_000;
/** Unexpected errors in a row after which an import has failed. */
const maxTroubles = 10;

/** Another worker has the import, because this one did not renew its lease in time. */
class LostLeaseError extends Error {}

interface PreparedSlice extends ImportSlice {
  readonly contacts: PreparedContacts;
}

/** Imports the files that were accepted, in slices that each are one transaction with the position that follows them. */
@Injectable()
export class RunImports {
  private isStopping = false;

  constructor(
    private readonly imports: ImportRepository,
    private readonly files: ImportFiles,
    private readonly csv: CsvReader,
    private readonly contacts: ImportedContacts,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Works on one import until it ends, or until its turn is over and others wait. False where no import waits. */
  async step(): Promise<boolean> {
    if (this.isStopping) return false;
    const lease = await this.imports.claim(newId());
    if (lease === undefined) return false;
    try {
      await this.take(lease);
    } catch (error) {
      if (error instanceof LostLeaseError) return true;
      await this.setAside(lease, error);
      throw error;
    }
    return true;
  }

  /** The running turns end after their present slice. */
  stop(): void {
    this.isStopping = true;
  }

  private async take(lease: ImportLease): Promise<void> {
    const startedAt = performance.now();
    const slices = new ImportSlices(lease.import, this.files, this.csv);
    // A slice is read and prepared while the one before it is written, so that PostgreSQL does not wait for this process.
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const slice of slices.all()) {
        const prepared = await this.prepare(lease, slice);
        await writing;
        if (await this.isOver(lease, startedAt)) return await this.imports.release(lease);
        writing = this.write(lease, prepared);
        // It is awaited before the next slice is written, and must not be unhandled until then.
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

  private async isOver({ import: { teamId } }: ImportLease, startedAt: number): Promise<boolean> {
    if (this.isStopping) return true;
    return performance.now() - startedAt > turnMs && (await this.imports.othersWait(teamId));
  }

  private async prepare({ import: of }: ImportLease, slice: ImportSlice): Promise<PreparedSlice> {
    const { id, teamId, actor, onConflict, segmentIds, topics } = of;
    const { rows } = slice;
    const now = this.clock.now();
    const contacts = await this.contacts.prepare({
      importId: id,
      teamId,
      actor,
      rows,
      onConflict,
      segmentIds,
      topics,
      now,
    });
    return { ...slice, contacts };
  }

  private write(lease: ImportLease, { contacts, rows, refusals, position }: PreparedSlice): Promise<void> {
    const { id } = lease.import;
    return this.work.run(async (transaction) => {
      // Sent together. What was written without the lease is rolled back.
      const [hold, write] = await Promise.allSettled([
        this.imports.hold(lease, transaction),
        contacts.write(transaction),
      ]);
      if (hold.status === 'rejected') throw hold.reason;
      if (!hold.value) throw new LostLeaseError();
      if (write.status === 'rejected') throw write.reason;
      const counts: ImportCounts = { ...write.value, total: rows.length + refusals.length, failed: refusals.length };
      await this.imports.advance(id, { position, counts, refusals }, transaction);
    });
  }

  private async end(lease: ImportLease, failure: string | null): Promise<void> {
    const { id } = lease.import;
    await this.work.run(async (transaction) => {
      if (!(await this.imports.hold(lease, transaction))) throw new LostLeaseError();
      await this.imports.end(id, this.clock.now(), failure, transaction);
    });
    // Where this fails, the file goes with those that belong to no import.
    await this.files.remove(id);
  }

  /** An import that cannot go on must not hold up the others. */
  private async setAside(lease: ImportLease, error: unknown): Promise<void> {
    if (isDatabaseTrouble(error)) return void (await this.imports.release(lease).catch(() => undefined));
    if ((await this.imports.postpone(lease)) < maxTroubles) return;
    await this.work.run(async (transaction) => {
      await this.imports.end(lease.import.id, this.clock.now(), 'An unexpected fault of the service.', transaction);
    });
    await this.files.remove(lease.import.id);
  }
}

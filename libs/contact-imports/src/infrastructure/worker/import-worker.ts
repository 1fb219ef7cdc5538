import { LeasedWork, WorkHost } from '#queue/leases';
import { Injectable } from '@nestjs/common';
import { ImportContacts } from '../../application/import-contacts.use-case.js';
import { ImportLease, importQueued } from '../../application/ports/import-repository.port.js';

/**
 * Works on imports until none waits, in every worker. The import whose turn it is comes first, and each slice renews
 * the lease.
 */
@Injectable()
export class ImportWorker extends LeasedWork<ImportLease> {
  constructor(
    host: WorkHost,
    private readonly imports: ImportContacts,
  ) {
    // A third of the work is in this process, the rest in PostgreSQL, so two imports of different teams run at once.
    super(host, {
      task: 'importing contacts',
      found: '(SELECT team_id FROM contact_imports WHERE completed_at IS NULL ORDER BY team_id LIMIT 1) IS NOT NULL',
      everyMs: 1_000,
      wokenBy: importQueued,
      maxLeases: 2,
    });
  }

  protected async claim(): Promise<readonly ImportLease[]> {
    const lease = await this.imports.claim();
    return lease === undefined ? [] : [lease];
  }

  protected work(lease: ImportLease, stopping: AbortSignal): Promise<void> {
    return this.imports.work(lease, stopping);
  }
}

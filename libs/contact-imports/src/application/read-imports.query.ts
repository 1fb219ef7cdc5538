import { found, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ContactImport, ImportStatus } from '../domain/contact-import.js';
import { importLimits } from '../domain/import-errors.js';
import { reportEnd, reportHeader, reportLine } from '../domain/row.js';
import { ImportRepository } from './ports/import-repository.port.js';

/** Refused rows that are read at once. */
const rowsAtOnce = 1_000;

/** The imports of a team, and which rows of them were refused. */
@Injectable()
export class ReadImports {
  constructor(private readonly imports: ImportRepository) {}

  async find(teamId: string, id: string): Promise<ContactImport> {
    return found('Contact import', await this.imports.find(teamId, id));
  }

  list(teamId: string, page: PageRequest, status: ImportStatus | undefined): Promise<Page<ContactImport>> {
    return this.imports.list(teamId, page, status);
  }

  /** The refused rows of an import as CSV, in pieces: those that are known when it is read. */
  async *report({ id, counts }: ContactImport): AsyncGenerator<string> {
    yield reportHeader;
    let line = 0;
    for (;;) {
      const refusals = await this.imports.refusals(id, line, rowsAtOnce);
      yield refusals.map(reportLine).join('');
      line = refusals[refusals.length - 1]?.line ?? line;
      if (refusals.length < rowsAtOnce) break;
    }
    yield reportEnd(counts.failed - importLimits.maxKeptRefusals);
  }
}

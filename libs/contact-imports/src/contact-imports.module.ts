import { AudienceModule } from '#audience';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { ImportContacts, StartImports } from './application/import-contacts.use-case.js';
import { CsvReader } from './application/ports/csv-reader.port.js';
import { ImportFiles, ImportRepository } from './application/ports/import-repository.port.js';
import { ReadHeader } from './application/read-header.query.js';
import { ReadImports } from './application/read-imports.query.js';
import { CsvParseReader } from './infrastructure/csv/csv-parse-reader.js';
import { ContactImportsController } from './infrastructure/http/contact-imports.controller.js';
import { ImportsData } from './infrastructure/persistence/imports-data.js';
import { ImportsPurge } from './infrastructure/persistence/imports-purge.js';
import { PostgresImportFiles } from './infrastructure/persistence/postgres-import-files.js';
import { PostgresImportRepository } from './infrastructure/persistence/postgres-import-repository.js';
import { ImportWorker } from './infrastructure/worker/import-worker.js';

const adapters = [
  { provide: CsvReader, useClass: CsvParseReader },
  { provide: ImportFiles, useClass: PostgresImportFiles },
  { provide: ImportRepository, useClass: PostgresImportRepository },
];

/** What every process has. */
@Module({ providers: [ImportsData] })
class ContactImportsModule {}

/** Accepts files of contacts, and shows how far their imports are. */
@Module({
  imports: [ContactImportsModule, AudienceModule, IdentityModule],
  controllers: [ContactImportsController],
  providers: [...adapters, ReadHeader, ReadImports, StartImports],
})
export class ContactImportsHttpModule {}

/** Imports the files that were accepted. */
@Module({
  imports: [ContactImportsModule, AudienceModule],
  providers: [...adapters, ImportContacts, ImportWorker, ImportsPurge],
})
export class ContactImportsWorkerModule {}

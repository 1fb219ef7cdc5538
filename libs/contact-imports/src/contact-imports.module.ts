import { AudienceModule } from '#audience';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { CsvReader } from './application/ports/csv-reader.port.js';
import { ImportFiles } from './application/ports/import-files.port.js';
import { ImportRepository } from './application/ports/import-repository.port.js';
import { RoomForImports } from './application/ports/room-for-imports.port.js';
import { ReadHeader } from './application/read-header.query.js';
import { ReadImports } from './application/read-imports.query.js';
import { RunImports } from './application/run-imports.use-case.js';
import { StartImport } from './application/start-import.use-case.js';
import { StoreUpload } from './application/store-upload.use-case.js';
import { CsvParseReader } from './infrastructure/csv/csv-parse-reader.js';
import { ContactImportsController } from './infrastructure/http/contact-imports.controller.js';
import { DiskRoomForImports } from './infrastructure/persistence/disk-room-for-imports.js';
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

/** Files of contacts are accepted, and what became of them is shown. */
@Module({
  imports: [ContactImportsModule, AudienceModule, IdentityModule],
  controllers: [ContactImportsController],
  providers: [
    ...adapters,
    { provide: RoomForImports, useClass: DiskRoomForImports },
    ReadHeader,
    ReadImports,
    StartImport,
    StoreUpload,
  ],
})
export class ContactImportsHttpModule {}

/** The files that were accepted are imported. */
@Module({
  imports: [ContactImportsModule, AudienceModule],
  providers: [...adapters, RunImports, ImportWorker, ImportsPurge],
})
export class ContactImportsWorkerModule {}

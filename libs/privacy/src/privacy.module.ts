import { IdentityModule } from '#identity';
import { SuppressionsModule } from '#suppressions';
import { Module } from '@nestjs/common';
import { CarryOutErasures } from './application/carry-out-erasures.use-case.js';
import { ExportPersonalData } from './application/export-personal-data.query.js';
import { AddressHash } from './application/ports/address-hash.port.js';
import { DataHolders } from './application/ports/data-holders.port.js';
import { ErasureRepository } from './application/ports/erasure-repository.port.js';
import { RequestErasure } from './application/request-erasure.use-case.js';
import { PrivacyController } from './infrastructure/http/privacy.controller.js';
import { PostgresErasureRepository } from './infrastructure/persistence/postgres-erasure-repository.js';
import { RegisteredDataHolders } from './infrastructure/registered-data-holders.js';
import { SuppressionAddressHash } from './infrastructure/suppression-address-hash.js';
import { PrivacyWorker } from './infrastructure/worker/privacy-worker.js';

const adapters = [
  { provide: AddressHash, useClass: SuppressionAddressHash },
  { provide: DataHolders, useClass: RegisteredDataHolders },
  { provide: ErasureRepository, useClass: PostgresErasureRepository },
];

/** Exports and erases what the program stores about an address. */
@Module({
  imports: [IdentityModule, SuppressionsModule],
  controllers: [PrivacyController],
  providers: [...adapters, ExportPersonalData, RequestErasure],
})
export class PrivacyHttpModule {}

@Module({ imports: [SuppressionsModule], providers: [...adapters, CarryOutErasures, PrivacyWorker] })
export class PrivacyWorkerModule {}

import { IdentityModule } from '#identity';
import { SuppressionsModule } from '#suppressions';
import { Module } from '@nestjs/common';
import { CarryOutErasures } from './application/carry-out-erasures.use-case.js';
import { PersonalRecords } from './application/personal-records.use-case.js';
import { DataHolders, ErasureRepository } from './application/ports/erasure-repository.port.js';
import { PrivacyController } from './infrastructure/http/privacy.controller.js';
import { PostgresErasureRepository } from './infrastructure/persistence/postgres-erasure-repository.js';
import { RegisteredDataHolders } from './infrastructure/registered-data-holders.js';
import { ErasureWorker } from './infrastructure/worker/erasure-worker.js';

const adapters = [
  { provide: DataHolders, useClass: RegisteredDataHolders },
  { provide: ErasureRepository, useClass: PostgresErasureRepository },
];

/** Exports and erases what the program stores about an address. */
@Module({
  imports: [IdentityModule, SuppressionsModule],
  controllers: [PrivacyController],
  providers: [...adapters, PersonalRecords],
})
export class PrivacyHttpModule {}

@Module({ providers: [...adapters, CarryOutErasures, ErasureWorker] })
export class PrivacyWorkerModule {}

import { CellsModule } from '#cells';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { AddressHashes, SuppressionRepository } from './application/ports/suppression-repository.port.js';
import { SuppressedAddresses } from './application/suppressed-addresses.query.js';
import { Suppressions } from './application/suppressions.use-case.js';
import { SuppressionsController } from './infrastructure/http/suppressions.controller.js';
import { SuppressionsData } from './infrastructure/persistence/suppressions-data.js';
import { SealedAddressHashes } from './infrastructure/persistence/sealed-address-hashes.js';
import { PostgresSuppressionRepository } from './infrastructure/persistence/postgres-suppression-repository.js';

/** The addresses to which a team sends nothing. */
@Module({
  imports: [CellsModule],
  providers: [
    { provide: SuppressionRepository, useClass: PostgresSuppressionRepository },
    { provide: AddressHashes, useClass: SealedAddressHashes },
    SuppressedAddresses,
    Suppressions,
    SuppressionsData,
  ],
  exports: [SuppressedAddresses, Suppressions],
})
export class SuppressionsModule {}

@Module({ imports: [SuppressionsModule, IdentityModule], controllers: [SuppressionsController] })
export class SuppressionsHttpModule {}

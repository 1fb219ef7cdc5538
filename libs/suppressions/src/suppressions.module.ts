import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { AddSuppression } from './application/add-suppression.use-case.js';
import { ManageSuppressions } from './application/manage-suppressions.use-case.js';
import { SuppressionRepository } from './application/ports/suppression-repository.port.js';
import { SuppressedAddresses } from './application/suppressed-addresses.query.js';
import { SuppressionsController } from './infrastructure/http/suppressions.controller.js';
import { PostgresSuppressionRepository } from './infrastructure/persistence/postgres-suppression-repository.js';

/** The addresses to which a team sends nothing. */
@Module({
  providers: [
    { provide: SuppressionRepository, useClass: PostgresSuppressionRepository },
    AddSuppression,
    ManageSuppressions,
    SuppressedAddresses,
  ],
  exports: [AddSuppression, ManageSuppressions, SuppressedAddresses],
})
export class SuppressionsModule {}

@Module({ imports: [SuppressionsModule, IdentityModule], controllers: [SuppressionsController] })
export class SuppressionsHttpModule {}

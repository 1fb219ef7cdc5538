import { IdentityModule } from '#identity';
import { Config } from '#platform/config';
import { Module } from '@nestjs/common';
// oxlint-disable-next-line house/global-interceptor -- only where there are several cells, whose requests it passes on
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Cells } from './domain/cells.js';
import { CellPrincipals } from './infrastructure/http/cell-principals.js';
import { CellRequests } from './infrastructure/http/cell-requests.js';
import { CellSignatures } from './infrastructure/http/cell-signatures.js';
import { HomeRequests } from './infrastructure/http/home-requests.js';
import { MailRequests } from './infrastructure/http/mail-requests.interceptor.js';

/** Which cell sends the mail of a domain. */
@Module({
  providers: [
    { provide: Cells, inject: [Config], useFactory: ({ values }: Config) => new Cells(values.cell, values.cells) },
  ],
  exports: [Cells],
})
export class CellsModule {}

/** Passes requests on to the cell that they concern. Only where there are several. */
@Module({
  imports: [CellsModule, IdentityModule],
  providers: [
    CellPrincipals,
    CellRequests,
    CellSignatures,
    HomeRequests,
    // oxlint-disable-next-line house/global-interceptor -- see above
    { provide: APP_INTERCEPTOR, useClass: MailRequests },
  ],
})
export class CellsHttpModule {}

import { Module } from '@nestjs/common';
import { ImportProviderReports } from './application/import-provider-reports.use-case.js';
import { NetworkData, PostmasterTools, ProviderReports } from './application/ports/provider-reports.port.js';
import { ReadProviderReports } from './application/read-provider-reports.query.js';
import { HttpPostmasterTools } from './infrastructure/google/http-postmaster-tools.js';
import { HttpNetworkData } from './infrastructure/microsoft/http-network-data.js';
import { PostgresProviderReports } from './infrastructure/persistence/postgres-provider-reports.js';
import { ProviderReportsPurge } from './infrastructure/persistence/provider-reports-purge.js';
import { ProviderReportsWorker } from './infrastructure/worker/provider-reports-worker.js';

const sources = [
  { provide: PostmasterTools, useClass: HttpPostmasterTools },
  { provide: NetworkData, useClass: HttpNetworkData },
  { provide: ProviderReports, useClass: PostgresProviderReports },
];

/** What Google and Microsoft say about our mail, for those who show it. */
@Module({ providers: [...sources, ReadProviderReports], exports: [ReadProviderReports] })
export class ProviderReportsModule {}

/** The daily import. */
@Module({ providers: [...sources, ImportProviderReports, ProviderReportsWorker, ProviderReportsPurge] })
export class ProviderReportsWorkerModule {}

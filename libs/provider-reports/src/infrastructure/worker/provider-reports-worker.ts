import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ImportProviderReports } from '../../application/import-provider-reports.use-case.js';

/** How often it is looked whether a source is due. */
const everyMs = 10 * 60_000;
const firstMs = 5_000;

/** Imports what providers say. Every worker looks; one of them imports. */
@Injectable()
export class ProviderReportsWorker implements OnApplicationBootstrap {
  constructor(
    private readonly timers: Timers,
    private readonly imports: ImportProviderReports,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.imports.isConfigured) return;
    this.timers.every(everyMs, 'importing what providers say', () => this.run(), firstMs);
  }

  private async run(): Promise<void> {
    for (const { source, trouble } of await this.imports.run()) {
      this.logger.warn({ source }, `what a provider says could not be imported; it is tried again: ${trouble}`);
    }
  }
}

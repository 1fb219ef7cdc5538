import { Logger } from '#platform/logging';
import { Injectable, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { ApiKeyUse } from '../application/api-key-use.js';
import { ApiKeyRepository } from '../application/ports/api-key-repository.port.js';

const flushMs = 3_000;

/** Stores every few seconds which keys were used, in one statement for any number of requests. */
@Injectable()
export class ApiKeyUseWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly use: ApiKeyUse,
    private readonly apiKeys: ApiKeyRepository,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.writing = this.flush();
    }, flushMs);
  }

  /** Runs after the HTTP server has sent its last response. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await this.flush();
  }

  private async flush(): Promise<void> {
    try {
      await this.use.flush((uses) => this.apiKeys.recordUse(uses));
    } catch (error) {
      this.logger.warn({ error }, 'could not store when API keys were last used; trying again');
    }
  }
}

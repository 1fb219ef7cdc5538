import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { ApiKeyUse } from '../application/api-key-use.js';
import { ApiKeyRepository } from '../application/ports/teams-and-api-keys.port.js';

const flushMs = 3_000;

/** Stores every few seconds which keys were used, in one statement for any number of requests. */
@Injectable()
export class ApiKeyUseWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly use: ApiKeyUse,
    private readonly apiKeys: ApiKeyRepository,
    private readonly timers: Timers,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(flushMs, 'writing the last uses of API keys', () => this.flush());
  }

  /** Runs after the HTTP server has sent its last response. */
  async onApplicationShutdown(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      this.logger.warn({ error }, 'the last uses of API keys could not be written');
    }
  }

  private flush(): Promise<void> {
    return this.use.flush((uses) => this.apiKeys.recordUse(uses));
  }
}

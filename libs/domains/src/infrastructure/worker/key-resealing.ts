import { Config } from '#platform/config';
import { Logger } from '#platform/logging';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ResealKeys } from '../../application/reseal-keys.use-case.js';

/** Seals the private keys anew at a start with a new SECRET_KEY. The start does not wait for it. */
@Injectable()
export class KeyResealing implements OnApplicationBootstrap {
  constructor(
    private readonly reseal: ResealKeys,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.values.secretKeyPrevious.length > 0) void this.resealKeys();
  }

  private async resealKeys(): Promise<void> {
    try {
      const keys = await this.reseal.execute();
      if (keys > 0) this.logger.info({ keys }, 'private keys were sealed again with the current SECRET_KEY');
    } catch (error) {
      this.logger.error(
        { error },
        'private keys could not be sealed with the current SECRET_KEY; keep SECRET_KEY_PREVIOUS',
      );
    }
  }
}

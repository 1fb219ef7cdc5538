import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { DomainRepository } from '../../application/ports/domain-repository.port.js';

/**
 * Seals every private key with the current secret after a start with a new SECRET_KEY, so that earlier secrets are no
 * longer needed. The start does not wait for it.
 */
@Injectable()
export class KeyResealing implements OnApplicationBootstrap {
  constructor(
    private readonly domains: DomainRepository,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.values.secretKeyPrevious.length > 0) void this.resealKeys();
  }

  private async resealKeys(): Promise<void> {
    try {
      const keys = await this.domains.resealKeys();
      if (keys > 0) this.logger.info({ keys }, 'private keys were sealed again with the current SECRET_KEY');
    } catch (error) {
      this.logger.error(
        { error },
        'private keys could not be sealed with the current SECRET_KEY; keep SECRET_KEY_PREVIOUS',
      );
    }
  }
}

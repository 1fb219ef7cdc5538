import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { CallSecretRepository } from '../../application/ports/step-calls.port.js';

/**
 * At a start with an earlier SECRET_KEY, encrypts the secrets of calls with the present one, so that the operator can
 * remove the earlier key.
 */
@Injectable()
export class SecretResealing implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private resealing: Promise<void> | undefined;

  constructor(
    private readonly secrets: CallSecretRepository,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.values.secretKeyPrevious.length === 0) return;
    this.resealing = this.secrets
      .reseal()
      .catch((error: unknown) =>
        this.logger.warn({ error }, 'encrypting the secrets of automations with the present key failed'),
      );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.resealing;
  }
}

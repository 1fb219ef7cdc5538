import { SecretBox } from '#platform/secrets';
import { SigningSecrets } from '../../application/ports/webhook-repository.port.js';

export interface SealedSecrets {
  readonly sealedSecret: Buffer;
  readonly sealedPreviousSecret: Buffer | null;
  readonly previousSecretUntil: Date | null;
}

/** Binds an encrypted secret to its webhook: it cannot be decrypted in the row of another. */
export function secretContext(webhookId: string): string {
  return `webhook:${webhookId}`;
}

export function openSecrets(box: SecretBox, webhookId: string, sealed: SealedSecrets, now: Date): SigningSecrets {
  const { sealedSecret, sealedPreviousSecret, previousSecretUntil } = sealed;
  const overlaps = sealedPreviousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now;
  return {
    current: box.open(sealedSecret, secretContext(webhookId)),
    previous: overlaps ? box.open(sealedPreviousSecret, secretContext(webhookId)) : undefined,
  };
}

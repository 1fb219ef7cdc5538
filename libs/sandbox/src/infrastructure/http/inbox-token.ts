import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';

const purpose = 'sandbox inbox page';
const subject = 'everything';

/**
 * The token in the link to the inbox page. It stays the same as long as SECRET_KEY does, so that a bookmark keeps
 * working. It opens this page only: it is not an API key, and signatures made for other purposes are not accepted.
 */
@Injectable()
export class InboxToken {
  constructor(private readonly secrets: SecretBox) {}

  /** The link that a person opens, given the base URL of the HTTP API. */
  link(baseUrl: string): string {
    return `${baseUrl}/sandbox?token=${this.token()}`;
  }

  token(): string {
    return this.secrets.sign(purpose, subject);
  }

  accepts(token: unknown): token is string {
    return typeof token === 'string' && this.secrets.verify(purpose, subject, token);
  }
}

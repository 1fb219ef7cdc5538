import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { OwnerLinks } from '../application/ports/sign-in.port.js';

const purpose = 'link of the first owner';
const subject = 'owner';

@Injectable()
export class SignedOwnerLinks extends OwnerLinks {
  constructor(private readonly secrets: SecretBox) {
    super();
  }

  token(): string {
    return this.secrets.sign(purpose, subject);
  }

  accepts(token: string): boolean {
    return this.secrets.verify(purpose, subject, token);
  }
}

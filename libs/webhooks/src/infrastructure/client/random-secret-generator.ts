import { Injectable } from '@nestjs/common';
import { SecretGenerator } from '../../application/ports/secret-generator.port.js';
import { newSigningSecret } from './standard-webhooks.js';

@Injectable()
export class RandomSecretGenerator extends SecretGenerator {
  generate(): string {
    return newSigningSecret();
  }
}

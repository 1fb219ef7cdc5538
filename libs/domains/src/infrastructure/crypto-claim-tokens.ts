import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ClaimTokens } from '../application/ports/claim-tokens.port.js';

@Injectable()
export class CryptoClaimTokens extends ClaimTokens {
  generate(): string {
    return randomBytes(20).toString('hex');
  }
}

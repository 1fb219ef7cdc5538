import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LinkTokens } from '../application/ports/invitations.port.js';

@Injectable()
export class CryptoLinkTokens extends LinkTokens {
  generate(): string {
    return randomBytes(32).toString('base64url');
  }

  hash(token: string): Buffer {
    return createHash('sha256').update(token).digest();
  }
}

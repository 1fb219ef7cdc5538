import { hash, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiKeyTokens } from '../application/ports/api-key-tokens.port.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

@Injectable()
export class CryptoApiKeyTokens extends ApiKeyTokens {
  generate(): string {
    return `re_${characters(8)}_${characters(24)}`;
  }

  hash(token: string): Buffer {
    return hash('sha256', token, 'buffer');
  }
}

function characters(count: number): string {
  return Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');
}

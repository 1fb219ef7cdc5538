import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DkimKeyGenerator, KeyPair } from '../application/ports/dkim-key-generator.port.js';
import { DkimAlgorithm } from '../domain/domain.js';

const generate = promisify(generateKeyPair);

@Injectable()
export class NodeDkimKeyGenerator extends DkimKeyGenerator {
  async generate(algorithm: DkimAlgorithm): Promise<KeyPair> {
    switch (algorithm) {
      case 'rsa-sha256': {
        const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
        return {
          publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
          privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        };
      }
      case 'ed25519-sha256': {
        const { publicKey, privateKey } = await generate('ed25519', {});
        // RFC 8463 section 4 publishes the raw 32 bytes of the key, which are the last ones of the
        // SubjectPublicKeyInfo.
        return {
          publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'),
          privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        };
      }
    }
  }
}

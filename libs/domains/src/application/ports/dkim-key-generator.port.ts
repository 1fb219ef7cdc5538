import { DkimAlgorithm } from '../../domain/domain.js';

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Generates DKIM key pairs: RSA with 2048 bits (RFC 8301) or Ed25519 (RFC 8463). */
export abstract class DkimKeyGenerator {
  abstract generate(algorithm: DkimAlgorithm): Promise<KeyPair>;
}

import { SecretBox } from '#platform/secrets';
import { KeyAndChain } from '../../domain/host-certificate.js';

/** Name of the broadcast that says that the certificate of a host changed, or that there is work for it. Its payload is the host. */
export const certificatesChanged = 'certificates';

const contextOf = (host: string): string => `certificate of ${host}`;
const orderContextOf = (host: string): string => `certificate order of ${host}`;

export function sealCertificate(box: SecretBox, host: string, { key, chain }: KeyAndChain): Buffer {
  return box.seal(JSON.stringify({ key, chain }), contextOf(host));
}

export function openCertificate(box: SecretBox, host: string, sealed: Buffer): KeyAndChain {
  return JSON.parse(box.open(sealed, contextOf(host))) as KeyAndChain;
}

export function sealOrderKey(box: SecretBox, host: string, key: string): Buffer {
  return box.seal(key, orderContextOf(host));
}

export function openOrderKey(box: SecretBox, host: string, sealed: Buffer): string {
  return box.open(sealed, orderContextOf(host));
}

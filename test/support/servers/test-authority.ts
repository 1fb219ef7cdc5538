import { createHash, generateKeyPairSync, KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { contextual, der, oid, pem, sequence, tag, utcTime } from '../../../libs/http/src/tls/der.js';

export interface IssuedCertificate {
  /** In PEM: the certificate, followed by that of the authority. */
  readonly cert: string;
  readonly key: string;
}

const day = 86_400_000;
const basicConstraints = Buffer.from('0603551d13', 'hex');
const isAuthority = Buffer.from('30030101ff', 'hex');
const boolean = 0x01;

/** A certificate authority that is only trusted by explicit configuration. */
export class TestAuthority {
  readonly cert: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(private readonly name = 'Test Authority') {
    const limits = sequence(basicConstraints, der(boolean, Buffer.from([0xff])), der(tag.octetString, isAuthority));
    this.cert = this.#sign(name, this.#keys.publicKey, [limits], new Date(Date.now() + day));
  }

  issue(hostName: string, until = new Date(Date.now() + day)): IssuedCertificate {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const names = sequence(der(tag.dnsName, Buffer.from(hostName)));
    const cert = this.#sign(hostName, publicKey, [sequence(oid.subjectAltName, der(tag.octetString, names))], until);
    return { cert: cert + this.cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
  }

  #sign(subject: string, key: KeyObject, extensions: readonly Buffer[], until: Date): string {
    const algorithm = sequence(oid.ecdsaWithSha256);
    const serial = randomBytes(16);
    serial[0] = 0x40 | ((serial[0] as number) & 0x3f);
    const content = sequence(
      contextual(0, der(tag.integer, Buffer.from([2]))),
      der(tag.integer, serial),
      algorithm,
      nameOf(this.name),
      sequence(utcTime(new Date(Date.now() - 2 * day)), utcTime(until)),
      nameOf(subject),
      key.export({ type: 'spki', format: 'der' }),
      contextual(3, sequence(...extensions)),
    );
    const signature = sign('sha256', content, this.#keys.privateKey);
    return pem('CERTIFICATE', sequence(content, algorithm, der(tag.bitString, Buffer.from([0]), signature)));
  }
}

/** The data of a TLSA record for a certificate (RFC 6698 section 2.1). */
export function tlsaDataOf(cert: string, selector: 0 | 1, matchingType: 0 | 1 | 2): Buffer {
  const certificate = new X509Certificate(cert);
  const selected = selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' });
  if (matchingType === 0) return selected;
  return createHash(matchingType === 1 ? 'sha256' : 'sha512')
    .update(selected)
    .digest();
}

function nameOf(commonName: string): Buffer {
  return sequence(der(tag.set, sequence(oid.commonName, der(tag.utf8String, Buffer.from(commonName)))));
}

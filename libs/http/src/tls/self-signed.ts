import { generateKeyPair, KeyObject, randomBytes, sign } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Certificate } from './certificate.js';
import { contextual, der, oid, pem, sequence, tag, utcTime } from './der.js';

const tenYearsMs = 10 * 365 * 24 * 3_600_000;
const hourMs = 3_600_000;
const maxCommonNameLength = 64;

/**
 * A self-signed certificate (RFC 5280 section 4.1), which allows encryption but proves no identity: for the time before
 * there is a real one. Written by hand because node:crypto cannot create X.509, and the packages that can are larger
 * than this.
 */
export async function selfSigned(hostName: string, now = new Date()): Promise<Certificate> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const signatureAlgorithm = sequence(oid.ecdsaWithSha256);
  const content = toBeSigned(hostName, publicKey, signatureAlgorithm, now);
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, signatureAlgorithm, der(tag.bitString, Buffer.from([0]), signature));
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** Stores the certificate for the next start. The key is written first, so that a stored certificate always has its key. */
export async function keepCertificate({ cert, key }: Certificate, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await replace(join(directory, 'key.pem'), key, 0o600);
  await replace(join(directory, 'cert.pem'), cert, 0o644);
}

function toBeSigned(hostName: string, publicKey: KeyObject, signatureAlgorithm: Buffer, now: Date): Buffer {
  const version3 = contextual(0, der(tag.integer, Buffer.from([2])));
  // The first octet is from 0x40 to 0x7f, so that the number is positive and has no leading zero.
  const serial = randomBytes(16);
  serial[0] = 0x40 | ((serial[0] as number) & 0x3f);
  const commonName = Buffer.from(hostName.slice(0, maxCommonNameLength));
  const name = sequence(der(tag.set, sequence(oid.commonName, der(tag.utf8String, commonName))));
  const validity = sequence(utcTime(new Date(now.getTime() - hourMs)), utcTime(new Date(now.getTime() + tenYearsMs)));
  const alternativeNames = sequence(
    der(tag.dnsName, Buffer.from(hostName)),
    der(tag.dnsName, Buffer.from('localhost')),
    der(tag.ipAddress, Buffer.from([127, 0, 0, 1])),
  );
  const extensions = contextual(3, sequence(sequence(oid.subjectAltName, der(tag.octetString, alternativeNames))));
  return sequence(
    version3,
    der(tag.integer, serial),
    signatureAlgorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
}

async function replace(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  await writeFile(temporary, text, { mode });
  await rename(temporary, path);
}

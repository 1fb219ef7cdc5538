import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Certificate } from './certificate.js';

const tenYearsMs = 10 * 365 * 24 * 3_600_000;
const hourMs = 3_600_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A certificate that encrypts and proves nothing: for a first start, before there is a real one. */
export async function selfSigned(hostName: string): Promise<Certificate> {
  // Loaded only here: a start that has its certificate needs none of it.
  const { cryptoProvider, SubjectAlternativeNameExtension, X509CertificateGenerator } = await import('@peculiar/x509');
  cryptoProvider.set(webcrypto as unknown as Parameters<typeof cryptoProvider.set>[0]);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [hostName.slice(0, 64)] }],
    notBefore: new Date(now - hourMs),
    notAfter: new Date(now + tenYearsMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: hostName },
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { cert: `${certificate.toString('pem')}\n`, key: pem('PRIVATE KEY', key) };
}

/** Keeps it for the next start. The key is there before the certificate, so a pair that can be found is complete. */
export async function keepCertificate({ cert, key }: Certificate, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await replace(join(directory, 'key.pem'), key, 0o600);
  await replace(join(directory, 'cert.pem'), cert, 0o644);
}

async function replace(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  await writeFile(temporary, text, { mode });
  await rename(temporary, path);
}

function pem(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;
}

import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { selfSigned } from './self-signed.js';

describe('a self-signed certificate', () => {
  it('matches its key, names the host and is valid for ten years', async () => {
    const { cert, key } = await selfSigned('mail.example.test');

    const parsed = new X509Certificate(cert);

    expect(() => createSecureContext({ cert, key })).not.toThrow();
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.subject).toBe('CN=mail.example.test');
    expect(parsed.checkHost('mail.example.test')).toBe('mail.example.test');
    expect(parsed.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(Date.parse(parsed.validTo) - Date.now()).toBeGreaterThan(9 * 365 * 86_400_000);
  });

  it('is different each time', async () => {
    const [one, other] = await Promise.all([selfSigned('a.test'), selfSigned('a.test')]);

    expect(one.key).not.toBe(other.key);
    expect(new X509Certificate(one.cert).serialNumber).not.toBe(new X509Certificate(other.cert).serialNumber);
  });
});

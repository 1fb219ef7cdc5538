import { generateKeyPairSync } from 'node:crypto';
import { afterEach, expect, it, jest } from '@jest/globals';
import { authenticate } from 'mailauth';
import { parse } from './seal.parser.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('a seal is intact although a second begins while it is made', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => (now += 1_000));
  const message = Buffer.from('From: Ada <ada@customer.test>\r\nSubject: Question\r\n\r\nHello.\r\n');
  const seal = await parse(message, {
    signingDomain: 'acme.test',
    selector: 's1',
    privateKey,
    authResults: 'mail.acme.test; spf=pass smtp.mailfrom=customer.test',
    cv: 'none',
  });
  jest.restoreAllMocks();
  const { arc } = await authenticate(Buffer.concat([seal, message]), {
    ip: '192.0.2.1',
    sender: '',
    disableBimi: true,
    resolver: (name, type) =>
      name === 's1._domainkey.acme.test' && type === 'TXT'
        ? Promise.resolve([[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]])
        : Promise.reject(Object.assign(new Error('No such name'), { code: 'ENOTFOUND' })),
  });
  expect(arc).toMatchObject({ i: 1, status: { result: 'pass' } });
});

import { afterAll, expect, it } from '@jest/globals';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { PasswordHashes, TooManySignInsError } from './password-hashes.js';

const hashes = new PasswordHashes();
const password = 'correct ｈorse battery';

afterAll(() => hashes.onApplicationShutdown());

it('hashes are those of better-auth', async () => {
  expect(await verifyPassword({ hash: await hashes.hash(password), password })).toBe(true);
  const theirs = await hashPassword(password);
  expect(await hashes.verify(theirs, password)).toBe(true);
  expect(await hashes.verify(theirs, `${password}.`)).toBe(false);
  await expect(hashes.verify('unknown', password)).rejects.toThrow('unknown format');
});

it('a /48 of IPv6 takes turns with others, however many networks it has, and waits in a bounded queue', async () => {
  const hash = await hashes.hash(password);
  let ended = 0;
  const flood = Array.from({ length: 60 }, (_, at) =>
    hashes.chargedTo(`2001:db8:1:${at.toString(16)}::1`, () => hashes.verify(hash, 'wrong')).finally(() => ended++),
  );
  const outcomes = Promise.allSettled(flood);
  expect(await hashes.chargedTo('192.0.2.7', () => hashes.verify(hash, password))).toBe(true);
  expect(ended).toBeLessThan(10);
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  for (const one of refused) expect((one as PromiseRejectedResult).reason).toBeInstanceOf(TooManySignInsError);
}, 60_000);

it('hashes of one user wait for nobody else', async () => {
  const hash = await hashes.hash(password);
  const flood = Promise.allSettled(
    Array.from({ length: 12 }, () => hashes.chargedToUser('ada', () => hashes.verify(hash, 'wrong'))),
  );
  expect(await hashes.chargedToUser('bob', () => hashes.verify(hash, password))).toBe(true);
  const refused = (await flood).filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(12);
}, 60_000);

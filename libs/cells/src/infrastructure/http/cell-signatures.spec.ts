import { expect, it, jest } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { SecretBox } from '#platform/secrets';
import type { FastifyRequest } from 'fastify';
import { CellSignatures, signatureHeader } from './cell-signatures.js';

const secrets = new SecretBox(Buffer.alloc(32, 1).toString('base64'));
const signatures = new CellSignatures(secrets);
const principal = Principal.ofService(newId());
const signed = signatures.sign('GET', '/emails?limit=1', principal);

function request(header: unknown, method = 'GET', url = '/emails?limit=1'): FastifyRequest {
  return { method, headers: { [signatureHeader]: header }, raw: { url } } as unknown as FastifyRequest;
}

it('the next cell acts for the principal whom the first one has authenticated', () => {
  expect(signatures.principalOf(request(signed))?.teamId).toBe(principal.teamId);
});

const [said = '', signature = ''] = signed.split('.');
const changed = (change: (text: string) => string): string =>
  `${Buffer.from(change(Buffer.from(said, 'base64url').toString())).toString('base64url')}.${signature}`;
const foreign = new CellSignatures(new SecretBox(Buffer.alloc(32, 2).toString('base64')));

it.each<[string, FastifyRequest]>([
  ['of another installation', request(foreign.sign('GET', '/emails?limit=1', principal))],
  ['for another method', request(signed, 'DELETE')],
  ['for another path', request(signed, 'GET', '/logs?limit=1')],
  ['for another query', request(signed, 'GET', '/emails?limit=100')],
  ['for another team', request(changed((text) => text.replace(principal.teamId, newId())))],
  ['at another time', request(changed((text) => text.replace(/"at":\d+/, '"at":9999999999999')))],
  ['that moves the line between path and statement', request(signed, 'GET\n', '/emails?limit=1')],
  ['without a signature', request(said)],
  ['with an empty signature', request(`${said}.`)],
  ['with a longer signature', request(`${signed}A`)],
  ['given twice', request([signed, signed])],
  ['given twice in one line', request(`${signed}, ${signed}`)],
  ['that is no text', request(`${'\u0000'.repeat(10)}.${signature}`)],
  ['of other values', request('__proto__.constructor')],
])('a statement %s is nobody', (_, forged) => {
  expect(signatures.isPassedOn(forged)).toBe(false);
  expect(signatures.principalOf(forged)).toBeUndefined();
});

it('a statement is not repeated after a minute', () => {
  const old = request(signed);
  jest.useFakeTimers({ now: Date.now() + 61_000 });
  expect(signatures.isPassedOn(old)).toBe(false);
  jest.useRealTimers();
});

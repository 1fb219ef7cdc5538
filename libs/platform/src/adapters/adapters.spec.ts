import { expect, it } from '@jest/globals';
import { Adapters } from './adapters.js';

abstract class Port {
  abstract name: string;
}
abstract class Unknown {}

const own: Port = { name: 'own' };

it('chooses the adapter that the program provides, or makes the configured one', () => {
  const configured: Port = { name: 'configured' };
  expect(new Adapters().use(Port, own).choose(Port, () => configured)).toBe(own);
  expect(new Adapters().choose(Port, () => configured)).toBe(configured);
});

it('refuses an adapter for a port that no module asks for', () => {
  const adapters = new Adapters().use(Port, own).use(Unknown, {});
  adapters.choose(Port, () => own);
  expect(() => adapters.refuseUnused()).toThrow('Nothing takes an adapter for Unknown. Replaceable ports: Port');
});

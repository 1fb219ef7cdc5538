import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { SignedReturnPaths } from './signed-return-paths.js';

const paths = new SignedReturnPaths(new SecretBox('ab'.repeat(32)));
const owner = { emailId: newId(), recipientNo: 300 };
const address = paths.of(owner, 'send.acme.test');

it('a return path leads back to its recipient, in any case', () => {
  expect(address).toMatch(/^bounces\+[a-z2-7]{45}@send\.acme\.test$/);
  expect(paths.ownerOf(address)).toEqual(owner);
  expect(paths.ownerOf(address.toUpperCase())).toEqual(owner);
});

it('every recipient has a different return path', () => {
  expect(paths.of({ ...owner, recipientNo: 301 }, 'send.acme.test')).not.toBe(address);
});

it('a forged or altered return path has no owner', () => {
  const foreign = new SignedReturnPaths(new SecretBox('cd'.repeat(32)));
  expect(foreign.ownerOf(address)).toBeUndefined();
  for (let at = 'bounces+'.length; at < address.indexOf('@'); at++) {
    const changed = address[at] === 'a' ? 'b' : 'a';
    expect(paths.ownerOf(`${address.slice(0, at)}${changed}${address.slice(at + 1)}`)).toBeUndefined();
  }
});

it.each(['', '@', 'bounces+@x.test', 'bounces+abc@x.test', 'someone@x.test', 'bounces+!!!@x.test', 'bounces+'])(
  '%p has no owner',
  (text) => {
    expect(paths.ownerOf(text)).toBeUndefined();
  },
);

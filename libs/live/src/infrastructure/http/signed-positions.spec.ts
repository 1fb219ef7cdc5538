import { expect, it } from '@jest/globals';
import { SecretBox } from '#platform/secrets';
import { positionId } from '../../domain/live-event.js';
import { SignedPositions } from './signed-positions.js';

const positions = new SignedPositions(new SecretBox('a'.repeat(64)));
const position = { at: 1_763_850_000_000, snapshot: '10:20:11,15' };

it('an id that was signed leads back to its position, in another process too', () => {
  const signed = positions.sign(positionId(position));
  expect(positions.read(signed)).toEqual(position);
  expect(new SignedPositions(new SecretBox('b'.repeat(64), ['a'.repeat(64)])).read(signed)).toEqual(position);
  expect(positions.sign(positionId({ ...position, at: position.at + 1 }))).not.toBe(signed);
});

it('an id that somebody made up is no position', () => {
  const signed = positions.sign(positionId(position));
  const forged = new SignedPositions(new SecretBox('c'.repeat(64))).sign(positionId(position));
  const id = positionId({ ...position, snapshot: '9000000000:9000000000:' });
  const other = `${id}${signed.slice(signed.lastIndexOf('.'))}`;
  for (const bad of [undefined, '', '.', 'x', id, other, forged, `${signed}x`, 'x'.repeat(9_000)]) {
    expect(positions.read(bad)).toBeUndefined();
  }
});

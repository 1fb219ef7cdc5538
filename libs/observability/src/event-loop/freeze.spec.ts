import { describe, expect, it } from '@jest/globals';
import { beatMs, FreezeDetector } from './freeze.js';

function looks(detector: FreezeDetector, beats: readonly number[], everyMs = beatMs): string[] {
  return beats.map((beat, index) => detector.look(beat, (index + 1) * everyMs));
}

describe('FreezeDetector', () => {
  it('recognises an event loop that is running', () => {
    expect(new Set(looks(new FreezeDetector(), [1, 2, 3, 3, 4, 5]))).toEqual(new Set(['turns']));
  });

  it('reports the beginning and the end of a freeze once each', () => {
    const seen = looks(new FreezeDetector(), [1, 1, 1, 1, 1, 1, 1, 1, 2, 3]);
    expect(seen.slice(5)).toEqual(['freezes', 'is frozen', 'is frozen', 'thaws', 'turns']);
  });

  it('does not report a freeze when the machine was suspended', () => {
    const detector = new FreezeDetector();
    detector.look(1, 200);
    expect(detector.look(1, 3_600_000)).toBe('turns');
    expect(detector.look(2, 3_600_200)).toBe('turns');
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseBroadcastFilter } from './broadcast-filter.js';

describe('the filters of a list of broadcasts', () => {
  it('are none where nothing is given', () => {
    expect([{}, { q: ' ', status: '' }, { status: ',', limit: '5' }].map(parseBroadcastFilter)).toEqual(
      Array.from({ length: 3 }),
    );
  });

  it('are states and a part of the name or subject', () => {
    expect(parseBroadcastFilter({ status: ['sent, draft', 'sent'], q: ' News ' })).toEqual({
      statuses: ['sent', 'draft'],
      text: 'news',
    });
  });

  it.each([
    { status: 'gone' },
    { status: [{}] },
    { status: { $ne: '' } },
    { q: 'a'.repeat(201) },
    { q: ['a'] },
    { q: '\0' },
  ])('refuse %j', (query) => {
    expect(() => parseBroadcastFilter(query)).toThrow(/`(?:status|q)`/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { eventTypes } from '#events';
import { isWholeAddress, lastEvents, parseEmailFilter } from './email-filter.js';

const id = '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57';

describe('the filters of a list of emails', () => {
  it('know each event that an email may have as its last', () => {
    const words = Object.entries(eventTypes).flatMap(([type, traits]) =>
      traits.of === 'email' ? [type.slice(6)] : [],
    );
    expect([...lastEvents].sort()).toEqual(['queued', ...words].sort());
  });

  it('are none where nothing is given', () => {
    expect(parseEmailFilter({ limit: '10', recipient: '', audience_id: id })).toBeUndefined();
  });

  it('read what a search box holds: an id, a recipient, or words of the subject', () => {
    expect(parseEmailFilter({ q: ` ${id.toUpperCase()} ` })).toEqual({ id });
    expect(parseEmailFilter({ q: 'Ann@Example.org' })).toEqual({ recipient: 'Ann@example.org' });
    expect(parseEmailFilter({ q: '@example' })).toEqual({ recipient: '@example' });
    expect(parseEmailFilter({ q: 'Your  order order' })).toEqual({ subjectWords: ['your', 'order'] });
  });

  it('read lists, tags and times', () => {
    expect(
      parseEmailFilter({
        status: ['bounced,failed', 'bounced'],
        domain_id: id,
        tag: 'plan:a:b',
        created_after: '2026-11-30',
        created_before: '2026-12-01T08:00:00+01:00',
      }),
    ).toEqual({
      statuses: ['bounced', 'failed'],
      domainIds: [id],
      tag: { name: 'plan', value: 'a:b' },
      from: new Date('2026-11-30T00:00:00Z'),
      to: new Date('2026-12-01T07:00:00Z'),
    });
    expect(parseEmailFilter({ tag: 'plan' })).toEqual({ tag: { name: 'plan' } });
    expect(parseEmailFilter({ broadcast_id: id.toUpperCase() })).toEqual({ broadcastId: id });
  });

  it.each([
    { status: 'lost' },
    { domain_id: 'acme' },
    { broadcast_id: 'news' },
    { broadcast_id: `${id},${id}` },
    { created_after: 'yesterday' },
    { created_after: '2026-13-01' },
    { created_before: '2026-11-30T08:00:00' },
    { q: 'a'.repeat(321) },
    { subject: 'a b c d e f g h i' },
    { q: ['a', 'b'] },
    { status: { $ne: '' } },
    { domain_id: Array.from({ length: 51 }, (_, index) => String(index)).join() },
  ])('refuse %j', (query) => {
    expect(() => parseEmailFilter(query)).toThrow(/`|search/);
  });

  it('know a whole address from a part of one', () => {
    expect(['a@b.co', 'ä@ö.test', '@b.co', 'a@b', 'a@', 'a b@c.de'].map(isWholeAddress)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

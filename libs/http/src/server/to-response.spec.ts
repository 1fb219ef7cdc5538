import { expect, it } from '@jest/globals';
import { Always, Deleted, Id, Instant, InstantOrNull, Moment, OptionalField, ReferenceTo, Text } from '#http/openapi';
import { toResponse } from './to-response.js';

class VisitResponse {
  @Id('Id.', '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31') id!: string;
  @Text('Title of the page.', 'Home') title!: string;
  @Moment('When it began.') started_at!: string;
  @InstantOrNull('When it ended.') ended_at!: string | null;
  @OptionalField('Who came before.') came_from?: string;
  @Always('visit') object!: 'visit';
}

const source = { id: 'a', pageTitle: 'Home', startedAt: new Date(0), endedAt: undefined, secret: 'kept' };

it('takes the fields of a response from the properties with their names in camel case', () => {
  expect(JSON.stringify(toResponse(VisitResponse, source, { title: source.pageTitle }))).toBe(
    '{"object":"visit","id":"a","title":"Home","started_at":"1970-01-01 00:00:00+00","ended_at":null}',
  );
});

it('prefers the given fields, and leaves out optional ones that nothing has', () => {
  const given = { title: 'Start', started_at: 'then', came_from: undefined };
  expect(toResponse(VisitResponse, source, given)).toEqual({
    object: 'visit',
    id: 'a',
    title: 'Start',
    started_at: 'then',
    ended_at: null,
  });
});

it('writes a time in the format of its field', () => {
  class Written {
    @Instant('When.') at!: string;
  }
  expect(toResponse(Written, { at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});

it('fills in what is the same in every response', () => {
  class RemovedVisit extends Deleted(ReferenceTo('visit', 'Id.', 'a')) {}
  expect(toResponse(RemovedVisit, { id: 'b', object: 'other' })).toEqual({ object: 'visit', id: 'b', deleted: true });
});

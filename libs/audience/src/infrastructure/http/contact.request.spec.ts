import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { decodeNewContact } from './contact.request.js';

const email = 'ada@customer.test';

it('segments are given by their ids, as objects, and by the old name', () => {
  const [first, second, third] = [newId(), newId(), newId()];
  const body = { email, segments: [first, { id: second.toUpperCase() }], audience_id: third };
  expect(decodeNewContact(body).segmentIds).toEqual([first, second, third]);
});

it.each([
  [{ segments: ['news'] }, 'The `segments` field must be an array of ids of segments.'],
  [{ audience_id: 'news' }, 'The `audience_id` must be a valid UUID.'],
])('the segments of %j are refused with the name of their field', (fields, message) => {
  expect(() => decodeNewContact({ email, ...fields })).toThrow(message);
});

import { expect, it } from '@jest/globals';
import { actionOf } from './audit-entry-response.js';

it.each([
  ['POST', '/domains', true, 'domains.create'],
  ['POST', '/domains/:id/verify', false, 'domains.verify'],
  ['PATCH', '/domains/:id', true, 'domains.update'],
  ['DELETE', '/contacts/:id/segments/:segmentId', false, 'contacts.segments.delete'],
  ['POST', '/team/invitations', true, 'team.invitations.create'],
  ['POST', '/suppressions/batch/add', false, 'suppressions.batch.add'],
  ['PATCH', '/team', true, 'team.update'],
])('%s %s is an action', (method, path, isCollection, action) => {
  expect(actionOf(method, path, isCollection)).toBe(action);
});

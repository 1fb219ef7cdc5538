import { describe, expect, it } from '@jest/globals';
import { MissingFieldError } from '#kernel';
import { decodeNewRoute, decodeRouteChanges } from './route.request.js';

describe('the request of a route', () => {
  const action = { type: 'drop' };
  const recipient = '*@acme.test';

  it.each([{}, { action }, { recipient }, { recipient: '', action }, { recipient, action: null }])(
    'is refused without a recipient or an action: %j',
    (body) => {
      expect(() => decodeNewRoute(body)).toThrow(MissingFieldError);
    },
  );

  it('may leave both out where it changes a route', () => {
    expect(decodeRouteChanges({ enabled: false })).toMatchObject({ enabled: false, recipient: undefined });
  });
});

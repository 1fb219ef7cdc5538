import { expect, it } from '@jest/globals';
import { decodeBody } from '#http/server';
import { CreateUserRequest, PutMemberRequest } from './operator.request.js';
import { InviteRequest } from './team.request.js';

const person = { name: 'Grace', password: 'correct horse battery staple', role: 'viewer' };

it.each([CreateUserRequest, PutMemberRequest, InviteRequest])(
  'an address that is too long is refused for its length: %p',
  (shape: new () => object) => {
    const decode = (email: unknown) => () => decodeBody(shape, { ...person, email });
    expect(decode(`${'g'.repeat(320)}@example.com`)).toThrow('The `email` field may have at most 320 characters.');
    expect(decode(7)).toThrow('The `email` field must be a string.');
    expect(decode('grace@example.com')).not.toThrow();
  },
);

import { expect, it } from '@jest/globals';
import { contactMergeValues } from './contact-merge-values.js';

const ada = {
  email: 'ada@x.test',
  firstName: 'Ada',
  lastName: null,
  properties: { Plan: 'free', seats: 3, city: null, email: 'hidden', __proto__: 'x' },
  lacking: new Set(['Plan', 'city']),
};

it('a value of the contact, else the stored fallback, else nothing, under the names of merges', () => {
  expect(
    contactMergeValues(ada, new Set(['plan', 'seats', 'city', 'email', 'first_name', 'last_name', 'other'])),
  ).toEqual({
    plan: { value: 'free', fallback: true },
    seats: '3',
    city: { value: '', fallback: true },
    email: 'ada@x.test',
    first_name: 'Ada',
    last_name: '',
  });
});

it('only the names that are asked for have values', () => {
  expect(contactMergeValues(ada, new Set(['seats', 'constructor']))).toEqual({ seats: '3' });
});

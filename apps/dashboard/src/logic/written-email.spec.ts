import { expect, it } from '@jest/globals';
import { bodyOfWritten, emptyEmail, isComplete, readWritten, RepeatKey } from './written-email.js';

const written = { ...emptyEmail, from: 'Acme <hello@acme.test>', to: 'ada@x.test; "B, b" <b@x.test>', subject: ' Hi ' };

it('the request has what was typed, and only the body of the chosen kind', () => {
  const body = bodyOfWritten({ ...written, text: 'Hello', html: '<p>' }, {});
  expect(body).toEqual({
    from: 'Acme <hello@acme.test>',
    to: ['ada@x.test', '"B, b" <b@x.test>'],
    subject: 'Hi',
    text: 'Hello',
  });
  const template = bodyOfWritten(
    { ...written, kind: 'template', templateId: 'welcome', cc: 'c@x.test' },
    { NAME: 'Ada' },
  );
  expect(template).toMatchObject({ cc: ['c@x.test'], template: { id: 'welcome', variables: { NAME: 'Ada' } } });
  expect(template).not.toHaveProperty('text');
});

it('a template may have the sender and the subject, anything else needs them', () => {
  expect(isComplete({ ...written, text: 'Hello' })).toBe(true);
  expect(isComplete({ ...written, text: ' ' })).toBe(false);
  expect(isComplete({ ...written, text: 'Hello', subject: '' })).toBe(false);
  expect(isComplete({ ...emptyEmail, to: 'ada@x.test', kind: 'template', templateId: 'welcome' })).toBe(true);
  expect(isComplete({ ...emptyEmail, kind: 'template', templateId: 'welcome' })).toBe(false);
});

it('a request that is repeated has the same key, and another one has another', () => {
  const keys = new RepeatKey();
  const first = keys.of('a');
  expect(keys.of('a')).toBe(first);
  expect(keys.of('b')).not.toBe(first);
});

it('what was kept is read again, and anything else is an empty email', () => {
  expect(readWritten(JSON.stringify({ ...written, templateId: 'welcome' }))).toEqual({
    ...written,
    templateId: 'welcome',
  });
  for (const kept of [null, '', '[]', '7', '{"to":7,"other":1}']) expect(readWritten(kept)).toEqual(emptyEmail);
});

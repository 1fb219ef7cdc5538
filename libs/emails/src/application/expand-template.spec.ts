import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { publishedTemplate } from '#templates';
import { InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { RecipientValues } from './expand-template.js';

const names = new Set(['first_name']);

it('emails of one turn share a read for each team, of at most 1,000 contacts', async () => {
  const sending = new InMemorySending();
  const values = new RecipientValues(sending.contactValues);
  sending.firstNames.set('7@x.test', 'Ada');
  const found = await Promise.all(Array.from({ length: 1_100 }, (_, no) => values.of('team', `${no}@x.test`, names)));
  expect(found[7]).toEqual({ first_name: 'Ada' });
  expect(found[1_099]).toEqual({ first_name: '' });
  await values.of('team', 'later@x.test', names);
  expect(sending.contactReads.map(({ length }) => length)).toEqual([1_000, 100, 1]);
});

it('an email has the values of the one contact in `to`, and of none where it has several', async () => {
  const sending = new InMemorySending();
  sending.firstNames.set('ada@sink.test', 'Ada');
  const html = '{{{FIRST_NAME|you}}} {{{contact.plan}}} {{{contact.email|-}}}';
  const content = { html, text: null, subject: 'Hi {{{FIRST_NAME}}}', from: null, replyTo: null, variables: [] };
  const id = newId();
  sending.templates.byName.set(id, publishedTemplate({ id, versionId: newId(), teamId: sending.teamId }, content));
  const template = { id, variables: {} };
  const compose = (to: string | string[]) => sending.compose({ to, subject: undefined, text: undefined, template });
  const one = await compose('Ada <ada@sink.test>');
  expect(one.email.mergeValues).toEqual({
    first_name: 'Ada',
    plan: { value: 'free', fallback: true },
    email: 'ada@sink.test',
  });
  expect(one.email.subject).toBe('Hi Ada');
  expect((await compose(['ada@sink.test', 'eve@sink.test'])).email.mergeValues).toEqual({});
  expect(sending.contactReads).toEqual([['ada@sink.test']]);
});

import { expect, it } from '@jest/globals';
import type { MergeFields } from '#audience';
import { ComposeEmail } from './compose-email.js';
import { OutgoingEmails } from './outgoing-emails.js';
import { PreviewEmail } from './preview-email.use-case.js';

const contact: MergeFields = {
  email: 'ada@sink.test',
  firstName: 'Ada',
  lastName: null,
  properties: {},
  lacking: new Set<string>(),
};

it('shows an email with the values of somebody, and without its content if that is not wanted', async () => {
  const asked: unknown[] = [];
  const accepted = {
    email: { from: 'a@b.test', subject: 'Hello', mergeValues: null, topicId: null },
    body: { html: '<p>Hello</p>', text: null },
    attachmentContents: [],
  };
  const compose = {
    fetching: (_team: string, work: (fetches: object) => unknown) => work({}),
    rehearsed: async (_principal: unknown, request: unknown, _fetches: unknown, fields: unknown) => {
      asked.push([request, fields]);
      return accepted;
    },
  } as unknown as ComposeEmail;
  const emails = { personal: (outgoing: unknown) => outgoing } as unknown as OutgoingEmails;
  const preview = new PreviewEmail(compose, emails);
  const request = { to: 'ada@sink.test' };
  expect(await preview.preview('team', request, contact, { hasContent: true })).toEqual({
    from: 'a@b.test',
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: null,
  });
  expect(await preview.preview('team', request, contact, { hasContent: false })).toMatchObject({ html: null });
  expect(asked[0]).toEqual([request, contact]);
});

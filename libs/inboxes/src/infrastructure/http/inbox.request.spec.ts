import { describe, expect, it } from '@jest/globals';
import {
  decodeAgentChanges,
  decodeInboxChanges,
  decodeLabelChanges,
  decodeNewInbox,
  decodeNewLabel,
} from './inbox.request.js';

describe('a new inbox', () => {
  it('has its address in lower case, and names only if they are given', () => {
    expect(decodeNewInbox({ email_address: ' Support@ACME.test ', name: null, from_name: '' })).toMatchObject({
      address: { address: 'support@acme.test', domain: 'acme.test' },
      name: null,
      fromName: null,
      forwarding: false,
    });
    for (const email_address of ['support', 'Ada <a@acme.test>', 'a\0@acme.test', 'a\ud800@acme.test', 'x@'])
      expect(() => decodeNewInbox({ email_address })).toThrow('Invalid `email_address`');
    expect(() => decodeNewInbox({})).toThrow('Missing `email_address`');
    expect(() => decodeNewInbox({ email_address: 'a@acme.test', forwarding: 'yes' })).toThrow('boolean');
  });

  it('has short names of one line', () => {
    const named = (fields: object) => () => decodeNewInbox({ email_address: 'a@acme.test', ...fields });
    for (const name of ['x'.repeat(65), 'a\nb', 'a\0', '\ud800', ' ']) expect(named({ name })).toThrow('`name`');
    for (const from_name of ['x'.repeat(79), 'a:b', '<a', 'a>', 'a\r\nBcc: b', 'a\u2028b'])
      expect(named({ from_name })).toThrow('`from_name`');
    expect(named({ name: 'x'.repeat(64), from_name: 'Müller & Söhne, "Support" 🎉' })()).toMatchObject({
      fromName: 'Müller & Söhne, "Support" 🎉',
    });
  });
});

it('changes name at least one field, and null clears it', () => {
  expect(decodeInboxChanges({ name: null })).toEqual({ name: null });
  expect(decodeInboxChanges({ from_name: 'Acme' })).toEqual({ fromName: 'Acme' });
  for (const body of [{}, { name: '' }, { email_address: 'b@acme.test' }])
    expect(() => decodeInboxChanges(body)).toThrow('At least one of `name`, `from_name`');
  for (const body of [{}, { name: null }]) expect(() => decodeLabelChanges(body)).toThrow('At least one of');
  expect(() => decodeAgentChanges({ actions: null })).toThrow('At least one of');
});

it('a label has a name, and a colour of six digits', () => {
  expect(decodeNewLabel({ name: ' Urgent ', color: '#e5484d' })).toEqual({ name: 'Urgent', color: '#e5484d' });
  expect(decodeNewLabel({ name: 'Urgent' })).toEqual({ name: 'Urgent' });
  expect(() => decodeNewLabel({ color: '#E5484D' })).toThrow('Missing `name`');
  for (const color of ['red', '#fff', '#E5484DFF', 'E5484D']) {
    expect(() => decodeNewLabel({ name: 'x', color })).toThrow('#RRGGBB');
    expect(() => decodeLabelChanges({ color })).toThrow('#RRGGBB');
  }
});

it('settings of an agent are of the lists, under either name', () => {
  expect(decodeAgentChanges({ actions: ['archive', 'draft_reply', 'archive'] })).toEqual({
    actions: ['draft_reply', 'archive'],
  });
  expect(decodeAgentChanges({ enabled_actions: [] })).toEqual({ actions: [] });
  expect(decodeAgentChanges({ actions: ['archive'], enabled_actions: [] })).toEqual({ actions: ['archive'] });
  expect(decodeAgentChanges({ instructions: 'Two\nlines', tone: null })).toEqual({
    instructions: 'Two\nlines',
    tone: null,
  });
  for (const body of [{ tone: 'kind' }, { actions: ['delete_thread'] }, { actions: [1] }])
    expect(() => decodeAgentChanges(body)).toThrow('must be one of');
  for (const instructions of ['x'.repeat(4_001), 'a\0', '\udfff'])
    expect(() => decodeAgentChanges({ instructions })).toThrow('`instructions`');
});

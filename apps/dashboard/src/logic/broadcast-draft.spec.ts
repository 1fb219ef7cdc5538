import { describe, expect, it } from '@jest/globals';
import {
  fieldOfRefusal,
  hasUnsubscribeLink,
  leftOf,
  percentOf,
  waitOf,
  withUnsubscribeLink,
} from './broadcast-draft.js';

const texts = { subject: 'Hi {{{NICK}}}', previewText: '{{{CITY}}}', html: '<p>{{{PLAN}}}</p>' };

describe('fieldOfRefusal', () => {
  it.each([
    [422, 'The `html` of the broadcast has no link to unsubscribe. Put `{{{X}}}` there.', 'html'],
    [422, 'The `first_share.percent` must be a whole number from 1 to 99.', 'options'],
    [422, 'Only one of `first_share`, `local_time` and `subject_test` can be used in a broadcast.', 'options'],
    [422, 'Invalid `from` field. The email address needs…', 'from'],
    [403, 'The acme.test domain is not verified.', 'from'],
    [422, 'The segment `1` does not exist.', 'segment_id'],
    [422, 'The topic `1` does not exist.', 'topic_id'],
    [422, 'The tag `nick` may have no value: give a fallback', 'subject'],
    [422, 'The tags `CITY`, `X` may have no value', 'preview_text'],
    [422, 'The tag `PLAN` may have no value', 'html'],
    [422, 'The tag `OTHER` may have no value', 'text'],
    [500, 'Something else', undefined],
  ])('%d %s', (status, message, field) => {
    expect(fieldOfRefusal(status, message, texts)).toBe(field);
  });
});

it('knows the link to unsubscribe in what people read, and adds one', () => {
  const tag = '{{{RESEND_UNSUBSCRIBE_URL}}}';
  expect(hasUnsubscribeLink({ html: '', text: `no more: ${tag}` })).toBe(true);
  expect(hasUnsubscribeLink({ html: '<p>Hi</p>', text: tag })).toBe(false);
  const html = withUnsubscribeLink('<body><p>Hi</p></body>');
  expect(html.endsWith('</body>')).toBe(true);
  expect(hasUnsubscribeLink({ html, text: '' })).toBe(true);
  expect(hasUnsubscribeLink({ html: withUnsubscribeLink('<p>Hi</p>'), text: '' })).toBe(true);
});

it('says why contacts wait', () => {
  const counts = { planned: 10, accepted: 3, skipped: 1 };
  expect(leftOf(counts)).toBe(6);
  expect(waitOf('queued', counts, { throttle_per_hour: 5 })).toBe('throttle');
  expect(waitOf('queued', counts, { throttle_per_hour: 5, subject_test: {} })).toBe('subject_test');
  expect(waitOf('queued', counts, null)).toBeUndefined();
  expect(waitOf('queued', { planned: 0, accepted: 0, skipped: 0 }, null)).toBe('audience');
  expect(waitOf('queued', { planned: 4, accepted: 3, skipped: 1 }, { throttle_per_hour: 5 })).toBeUndefined();
  expect(waitOf('paused', counts, { throttle_per_hour: 5 })).toBeUndefined();
  expect([percentOf(1, 4), percentOf(0, 0)]).toEqual([25, 0]);
});

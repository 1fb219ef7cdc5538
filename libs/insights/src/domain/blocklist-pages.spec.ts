import { expect, it } from '@jest/globals';
import { pageOf } from './blocklist-pages.js';

it('knows the pages of large lists, and the document for all others', () => {
  expect(pageOf('dbl.spamhaus.org').url).toBe('https://check.spamhaus.org/');
  expect(pageOf('notspamhaus.org').url).toBe('https://www.rfc-editor.org/rfc/rfc5782');
});

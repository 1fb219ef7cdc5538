import { expect, it } from '@jest/globals';
import { curlOf } from './curl.js';

it('repeats a request, and a quote in its body ends no string', () => {
  const text = curlOf({ method: 'POST', path: '/emails', body: { subject: "Ann's" } }, 'https://mail.test');
  expect(text).toBe(
    [
      "curl 'https://mail.test/emails' \\",
      '  -X POST \\',
      '  -H "Authorization: Bearer $POSTRIDER_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      "  -d '{",
      '  "subject": "Ann\'\\\'\'s"',
      "}'",
    ].join('\n'),
  );
  expect(curlOf({ method: 'GET', path: '/emails', body: {} }, 'http://a.test')).not.toContain('-d');
});

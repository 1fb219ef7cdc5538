import fc from 'fast-check';

/** A request, written to the server as it is. */
export interface MalformedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string;
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 2_000 }),
  fc.constantFrom('', 'a@b.test', 'A <a@b.test>', '\r\nBcc: x@y.test', '\u0000', '\ud800', '1e999', '../..', 'null'),
);
const anyValue = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom(...([null, true, -1, 1e300, [], {}, [[]], [{}], [null]] as unknown[])) },
);

/** An otherwise valid email with one wrong field, which passes the first check and reaches later ones. */
const fields = [
  ...['from', 'to', 'cc', 'bcc', 'reply_to', 'subject', 'html', 'text', 'headers', 'tags', 'attachments'],
  ...['scheduled_at', 'topic_id', 'template', '__proto__', 'constructor', 'toString'],
];
const valid = { from: 'me@sandbox.postrider.test', to: 'you@example.test', subject: 'Fuzz', text: 'x' };
const oneFieldWrong = fc
  .tuple(fc.constantFrom(...fields), anyValue)
  .map(([field, value]) => ({ ...valid, ...Object.fromEntries([[field, value]]) }));
const attachment = fc
  .record({ filename: anyValue, content: anyValue, path: anyValue, content_type: anyValue, content_id: anyValue })
  .map((item) => ({ ...valid, attachments: [item] }));
const tagged = fc.record({ name: anyValue, value: anyValue }).map((tag) => ({ ...valid, tags: [tag, tag] }));
const withHeaders = fc.dictionary(text, anyValue).map((headers) => ({ ...valid, headers }));
const email = fc.oneof(oneFieldWrong, attachment, tagged, withHeaders, fc.dictionary(text, anyValue));
const parsedBody = fc.oneof(
  { weight: 6, arbitrary: email },
  { weight: 3, arbitrary: fc.array(fc.oneof(email, anyValue), { maxLength: 4 }) },
  { weight: 1, arbitrary: anyValue },
);
const body = fc.oneof(
  { weight: 8, arbitrary: parsedBody.map((value) => JSON.stringify(value) ?? '') },
  { weight: 1, arbitrary: parsedBody.map((value) => (JSON.stringify(value) ?? '').slice(0, -1)) },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)) },
);

const id = fc.constantFrom(
  '1',
  '01890000-0000-7000-8000-000000000001',
  '%2e%2e',
  '%00',
  'é',
  "' OR 1=1",
  'x'.repeat(900),
);
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/emails', '/emails/batch') },
  { weight: 2, arbitrary: id.map((value) => `/emails/${encodeURI(value)}`) },
  { weight: 1, arbitrary: id.map((value) => `/emails/${encodeURI(value)}/cancel`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('limit', 'after', 'before', 'x', '__proto__'), text)
      .map(([name, value]) => `/emails?${name}=${encodeURIComponent(value.toWellFormed())}&${name}=1`),
  },
  { weight: 1, arbitrary: text.map((value) => `/${encodeURIComponent(value.toWellFormed())}`) },
);

const headerText = fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{0,300}$/);
const headers = fc.array(
  fc.oneof(
    headerText.map((value) => `Idempotency-Key: ${value}`),
    headerText.map((value) => `x-batch-validation: ${value}`),
    headerText.map((value) => `Content-Type: ${value}`),
    headerText.map((value) => `X-Other: ${value}`),
    fc.constantFrom(
      'x-batch-validation: permissive',
      'Content-Type: application/json',
      'Content-Type: application/json; charset=utf-16',
      'Content-Type: multipart/form-data',
      'Accept: text/html',
      'Expect: 200-maybe',
    ),
  ),
  { maxLength: 3 },
);

export const malformedRequest: fc.Arbitrary<MalformedRequest> = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'PATCH', 'GET', 'DELETE', 'PUT'),
  path,
  headers,
  body,
});

import { describe, expect, it } from '@jest/globals';
import { LargeText } from '#kernel';
import { parseBody } from './parse-body.js';

const parse = (body: unknown): unknown => parseBody(Buffer.from(JSON.stringify(body)), JSON.parse);
const long = 'äöü€😀\n'.repeat(5_000);

describe('a parsed body', () => {
  it('has the long html and text of an email, or of those of a batch, as bytes', () => {
    const email = { subject: long, html: long, text: 'short', headers: { text: long } };
    const parsed = { subject: long, html: LargeText.from(long), text: 'short', headers: { text: long } };

    expect(parse(email)).toEqual(parsed);
    expect(parse([email, 1, null, email])).toEqual([parsed, 1, null, parsed]);
  });

  it('has their beginning without the rest of them', () => {
    const { html } = parse({ html: long }) as { html: LargeText };

    expect(html.toString()).toBe(long);
    expect(html.length).toBe(long.length);
    expect(html.beginning(1_000).slice(0, 1_000)).toBe(long.slice(0, 1_000));
  });
});

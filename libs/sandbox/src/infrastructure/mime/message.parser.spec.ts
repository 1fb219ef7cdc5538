import { describe, expect, it } from '@jest/globals';
import { parse, ParsedMessage } from './message.parser.js';

function parsed(...lines: string[]): object {
  return shown(parse(Buffer.from(lines.join('\r\n')), 'parts'));
}

function shown({ html, text, ...rest }: ParsedMessage): object {
  const decoded = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString());
  return { html: decoded(html), text: decoded(text), ...rest };
}

describe('the parts of a message', () => {
  it('are found, without a line break that the sender did not write', () => {
    const message = parsed(
      'Content-Type: multipart/alternative; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain',
      '',
      'Hello',
      '--x',
      'Content-Type: text/html',
      '',
      '<p>Hello</p>',
      '--x--',
      '',
    );
    expect(message).toMatchObject({ text: 'Hello', html: '<p>Hello</p>', attachments: [] });
  });

  it('are null if there are none', () => {
    expect(parsed('Subject: x', 'Content-Type: text/html', '', '<p>x</p>')).toMatchObject({
      text: null,
      html: '<p>x</p>',
      headers: [
        { name: 'Subject', value: 'x' },
        { name: 'Content-Type', value: 'text/html' },
      ],
    });
  });

  it('are null for an oversized header, with a reason', () => {
    const message = parse(Buffer.alloc(5_000_000, 'a: b\r\n'), 'parts');
    expect(message).toMatchObject({ html: null, text: null, unreadable: expect.stringContaining('header') });
  });
});

import { describe, expect, it } from '@jest/globals';
import { finishMessage } from './finish-message.js';

const always = 'Date: Tue, 01 Dec 2026 02:00:00 +0000\r\nMessage-ID: <a@x.test>\r\n';

function finished(message: string, encoding: BufferEncoding = 'utf8'): string {
  const options = { isDropped: () => false, messageId: '<own@x.test>', date: new Date(0) };
  return Buffer.from(finishMessage(Buffer.from(message, encoding), options)).toString(encoding);
}

describe('a message that is finished', () => {
  it('says that its text is UTF-8 if it does not say what it is', () => {
    const label = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n';
    expect(finished(`${always}\r\nGrüße`)).toBe(`MIME-Version: 1.0\r\n${label}${always}\r\nGrüße`);
    const version = `${always}Mime-Version: 1.0\r\n`;
    expect(finished(`${version}\r\nGrüße`)).toBe(`${label}${version}\r\nGrüße`);
  });

  it.each([
    ['of ASCII', `${always}\r\nHello`],
    ['in another charset', `${always}\r\nGr\xfc\xdfe`],
    ['with a type', `${always}Content-Type: text/html\r\n\r\nGr\xc3\xbc\xc3\x9fe`],
    ['with a signature of its own', `DKIM-Signature: v=1\r\n${always}\r\nGr\xc3\xbc\xc3\x9fe`],
  ])('does not say so of a text %s', (_, message) => expect(finished(message, 'latin1')).toBe(message));

  it('has each field once that may stand there once, as servers require', () => {
    const twice = `Subject: One\r\n${always}subject : Two\r\nDate: Thu, 03 Dec 2026 02:00:00 +0000\r\nMessage-Id: <b@x.test>\r\n\r\n`;
    expect(finished(twice)).toBe(`Subject: One\r\n${always}\r\n`);
    const lists = `To: a@x.test\r\n${always}To:b@x.test,\r\n c@x.test\r\nCc: \r\nCc: d@x.test\r\nTo: e@x.test\r\n\r\n`;
    expect(finished(lists)).toBe(
      `To: a@x.test,\r\n b@x.test,\r\n c@x.test,\r\n e@x.test\r\n${always}Cc: d@x.test\r\n\r\n`,
    );
    const signed = `DKIM-Signature: v=1\r\n${twice}`;
    expect(finished(signed)).toBe(signed);
  });

  it('has no line of its header that servers would cut', () => {
    const many = (separator: string): string =>
      Array.from({ length: 400 }, (_, no) => `someone-${no}@x.test`).join(separator);
    const unfolded = (text: string): string => text.replaceAll('\r\n', '');
    for (const field of [`References: ${many(' ')}`, `To: ${many(', ')}`, `To: ${many(',')}`, `X-Long: ${many(' ')}`]) {
      const header = finished(`${field}\r\n${always}\r\n`);
      expect(Math.max(...header.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
      expect(unfolded(header).replaceAll(' ', '')).toBe(unfolded(`${field}${always}`).replaceAll(' ', ''));
    }
    const subject = finished(`Subject: ${'x'.repeat(2_000)}\r\n${always}\r\n`);
    expect(subject).toMatch(/^Subject: =\?UTF-8\?/);
    const token = `X-Token: ${'x'.repeat(2_000)}\r\n${always}\r\n`;
    expect(finished(token)).toBe(token);
  });
});

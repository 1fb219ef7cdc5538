import { expect, it } from '@jest/globals';
import type { ReadableEmail } from '../../application/read-emails.query.js';
import type { Attachment } from '../../domain/email.js';
import { emailPreview } from './email-preview.js';

const attachments = ['a', 'ab', null].map((contentId) => ({ contentId }) as Attachment);
const linkOf = ({ contentId }: Attachment): string =>
  `/shared/attachments/${contentId}?expires=1&signature=${'s'.repeat(100)}`;

async function shown(html: string): Promise<string> {
  const email = { body: { html, text: null, release: () => undefined } } as unknown as ReadableEmail;
  let text = '';
  for await (const piece of emailPreview(email, attachments, linkOf)) text += String(piece);
  return text;
}

it('an image is found by its whole id, in attributes and in styles', async () => {
  const text = await shown(
    `<img src="cid:ab"><img src=cid:a><p style="background:url(&quot;cid:a&quot;)">url(cid:ab) cid:unknown cid:null</p>`,
  );
  expect([...text.matchAll(/attachments\/(\w+)\?/g)].map(([, id]) => id)).toEqual(['ab', 'a', 'a', 'ab']);
  expect(text).toContain('cid:unknown cid:null');
});

it('addresses without end do not make the document many times as long', async () => {
  const html = 'cid:a '.repeat(300_000);
  expect((await shown(html)).length).toBeLessThan(html.length + 200_000);
});

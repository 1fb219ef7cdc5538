import { expect, it } from '@jest/globals';
import { parse } from './received-body.parser.js';
import { parse as parseReply } from './reply-text.parser.js';

const line = 'On Tue, Dec 8, 2026 at 2:30 PM Ada &lt;a@b.test&gt; wrote:';

function replyIn(html: string): Promise<string | null> {
  const message = Buffer.from(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`);
  const { textOfReply } = parse(message, { wanted: 'body', format: 'cid' });
  return parseReply(Buffer.from(textOfReply ?? ''));
}

it.each([
  ['Yahoo', `<div>Yes</div><div id="ydp1yahoo_quoted_7" class="yahoo_quoted"><div>${line}</div><p>Old</p></div>`],
  [
    'Apple Mail',
    `<div>Yes</div><br><div>${line}</div><blockquote type="cite"><div>Old <blockquote>a</blockquote> b</div></blockquote>`,
  ],
  [
    'Gmail',
    `<div>Yes</div><br><div class="gmail_quote"><div class="gmail_attr">${line}<br></div><blockquote>Old</blockquote></div>`,
  ],
  [
    'Thunderbird',
    `<p>Yes</p><div class="moz-cite-prefix">${line}<br></div><blockquote type="cite" cite="mid:x"><p>Old</p></blockquote>`,
  ],
  [
    'Outlook',
    '<div>Yes</div><hr style="width:98%"><div id="divRplyFwdMsg"><b>From:</b> Ada &lt;a@b.test&gt;<br><b>Subject:</b> Re</div><div>Old</div>',
  ],
])('the reply of %s in HTML has no quotation', async (_, html) => {
  expect(await replyIn(`<html><body>${html}</body></html>`)).toBe('Yes');
});

it('answers between quotations are kept, and so is what is only indented', async () => {
  const quoted = '<blockquote type="cite">Old</blockquote>';
  const reply = await replyIn(`<p>Hi</p>${quoted}<p>One</p>${quoted}<p>Two</p><blockquote>Poem</blockquote>`);
  for (const kept of ['Hi', 'One', 'Two', 'Poem']) expect(reply).toContain(kept);
  expect(reply).not.toContain('Old');
});

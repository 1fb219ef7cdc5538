import { Check, sources } from '../check.js';
import { flaw, good, listed, notMeasured } from '../finding.js';
import { isUnspaced, widthOf } from '../text-measures.js';

const plainText: Check = {
  id: 'plain_text',
  source: sources.rfc(2046, '5.1.4', 'Alternative subtype'),
  of: ({ message: { html, text } }) => {
    if (text !== null && text.trim() !== '') return good('There is a plain-text part.');
    return html === null
      ? flaw('problem', 'The message is empty.', 'Add `text` or `html`.')
      : flaw(
          'warning',
          'There is an html part and no plain-text part.',
          'Leave `text` out: it is then generated from the html.',
        );
  },
};

const minShared = 0.5;

const plainTextMatches: Check = {
  id: 'plain_text_matches',
  source: sources.m3aawg,
  of: ({ message: { html, text } }) => {
    if (html === null || text === null) return notMeasured('There is only one of html and plain text.');
    if (isUnspaced(html.text)) return notMeasured('The text is written without spaces between words.');
    const inText = new Set(wordsOf(text));
    const words = wordsOf(html.text);
    if (words.length < 10) return notMeasured('The html has too few words to compare.');
    const shared = words.filter((word) => inText.has(word)).length / words.length;
    const percent = Math.round(shared * 100);
    return shared < minShared
      ? flaw(
          'warning',
          `The plain-text part contains ${percent}% of the words in the html.`,
          'Say the same in both, or leave `text` out: it is then generated from the html.',
        )
      : good(`The plain-text part contains ${percent}% of the words in the html.`);
  },
};

/** Gmail shows the first 102 KB, and a link to the rest, where an unsubscribe link often stands. */
const clipBytes = 102 * 1024;

const clipping: Check = {
  id: 'html_size',
  source: sources.gmail,
  of: ({ message: { html } }) => {
    if (html === null) return notMeasured('There is no html.');
    const size = `The html is ${kilobytes(html.bytes)}, including ${kilobytes(html.styleBytes)} of styles`;
    if (html.bytes > clipBytes) {
      return flaw('warning', `${size}. Gmail shows only the first 102 KB.`, 'Shorten it, or move styles into classes.');
    }
    return html.bytes > clipBytes * 0.8
      ? flaw('advice', `${size}. Above 102 KB, Gmail cuts it off.`, 'Shorten it: tracked links make it longer.')
      : good(`${size}.`);
  },
};

const largeBytes = 10 * 1024 * 1024;

const messageSize: Check = {
  id: 'message_size',
  source: sources.rfc(5321, '4.5.3.1.7', 'Message content'),
  of: ({ message: { size } }) =>
    size > largeBytes
      ? flaw(
          'warning',
          `The message is ${kilobytes(size)}. Many mail servers accept 10 MB at most.`,
          'Host large files on a server, and send links.',
        )
      : good(`The message is ${kilobytes(size)}.`),
};

const activeContent: Check = {
  id: 'active_content',
  source: sources.gmail,
  of: ({ message: { html } }) => {
    if (html === null) return notMeasured('There is no html.');
    return html.activeElements.length === 0
      ? good('The html has no scripts, forms or embedded pages.')
      : flaw(
          'problem',
          `The html contains ${listed(html.activeElements)}, which mail clients remove or warn about.`,
          'Link to a page that contains them.',
        );
  },
};

const minPreview = 16;

const previewText: Check = {
  id: 'preview_text',
  source: sources.yahoo,
  of: ({ message: { html, text } }) => {
    const start = (html?.preview ?? text ?? '').trim().slice(0, 120);
    if (start === '') return notMeasured('There is no text.');
    if (/^(?:view|open|read|see)\b.{0,40}\bbrowser/i.test(start)) {
      return flaw(
        'advice',
        `Inboxes show "${start}" next to the subject.`,
        'Begin with a sentence that says what the email is about.',
      );
    }
    return widthOf(start) < minPreview
      ? flaw('advice', `Inboxes have only "${start}" to show next to the subject.`, 'Begin with a sentence.')
      : good(`Inboxes show "${start.slice(0, 60)}" next to the subject.`);
  },
};

/** Files that Gmail refuses, by their endings. */
const refused = new Set(
  (
    'ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta img ins iso isp jar jnlp js jse lib ' +
    'lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vhd vxd wsc wsf wsh xll'
  ).split(' '),
);

const attachmentTypes: Check = {
  id: 'attachment_types',
  source: sources.gmailBlocked,
  of: ({ message: { files } }) => {
    const names = files.flatMap(({ filename }) => filename ?? []);
    const bad = names.filter((name) => refused.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase()));
    return bad.length === 0
      ? good(files.length === 0 ? 'There are no attachments.' : 'Gmail accepts all attachments.')
      : flaw('problem', `Gmail refuses ${listed(bad)}.`, 'Host the file on a server, and send a link.');
  },
};

export const contentChecks = [
  plainText,
  plainTextMatches,
  clipping,
  messageSize,
  activeContent,
  previewText,
  attachmentTypes,
];

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
}

export function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024).toLocaleString('en')} KB`;
}

import { InboxDkimResult } from '../../../domain/inbox-message.js';
import { ParsedAttachment, ParsedMessage } from '../../mime/message.parser.js';
import { ShownMessage } from '../shown-messages.js';
import { layout } from './layout.js';
import { html, inboxLink, Markup, messageLink, moment } from './markup.js';

/** Maximum characters of a part shown on the page. The download has all of it. */
const maxShown = 256 * 1024;

export interface MessageView {
  readonly token: string;
  readonly shown: ShownMessage;
  readonly verdict: InboxDkimResult;
}

export function messagePage({ token, shown, verdict }: MessageView): Markup {
  const { message, parsed } = shown;
  const subject = message.subject === '' ? '(no subject)' : message.subject;
  return layout({
    title: subject,
    bar: html`<a class="button" href="${inboxLink(token)}">Inbox</a>
      <a class="button" href="${messageLink(token, message.id, '/raw')}">Download .eml</a>`,
    main: html`<article class="message">
      <h1>${subject}</h1>
      ${badge(verdict)}
      <dl class="envelope">
        <dt>From</dt>
        <dd>${message.from === '' ? '(no sender)' : message.from}</dd>
        <dt>To</dt>
        <dd>${message.to.join(', ')}</dd>
        <dt>Received</dt>
        <dd>${moment(message.receivedAt)}</dd>
        <dt>Size</dt>
        <dd>${message.size.toLocaleString('en')} bytes</dd>
        ${parsed.attachments.map(attachment)}
      </dl>
      ${parsed.unreadable === null ? html`` : html`<p class="quiet">${parsed.unreadable}</p>`} ${parts(token, shown)}
    </article>`,
  });
}

const verdicts: Record<InboxDkimResult, string> = {
  pass: 'DKIM pass',
  fail: 'DKIM fail',
  none: 'Not signed',
};

function badge(verdict: InboxDkimResult): Markup {
  return html`<p><span class="badge ${verdict}">${verdicts[verdict]}</span></p>`;
}

function attachment({ filename, contentType, size }: ParsedAttachment): Markup {
  return html`<dt>Attached</dt>
    <dd>${filename ?? '(no name)'} <span class="quiet">${contentType}, ${size.toLocaleString('en')} bytes</span></dd>`;
}

interface Part {
  readonly name: string;
  readonly content: Markup;
}

/** Tabs without a script: a radio button per part, and a style that shows the part whose button is checked. */
function parts(token: string, { message, raw, parsed }: ShownMessage): Markup {
  const shown: Part[] = [
    ...(parsed.html === null ? [] : [{ name: 'HTML', content: frame(messageLink(token, message.id, '/html')) }]),
    ...(parsed.text === null ? [] : [{ name: 'Text', content: verbatim(parsed.text) }]),
    { name: 'Headers', content: headers(parsed) },
    { name: 'Raw', content: verbatim(raw) },
  ];
  return html`<div class="tabs">
    ${shown.map(
      ({ name, content }, at) =>
        html`<input type="radio" name="part" id="part-${name}" ${at === 0 ? html`checked` : html``} /><label
            for="part-${name}"
            >${name}</label
          >
          <section>${content}</section>`,
    )}
  </div>`;
}

function frame(address: string): Markup {
  return html`<iframe sandbox="" referrerpolicy="no-referrer" title="The message as html" src="${address}"></iframe>`;
}

function headers({ headers: fields }: ParsedMessage): Markup {
  return html`<table>
    ${fields.map(
      ({ name, value }) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td>${value}</td>
        </tr>`,
    )}
  </table>`;
}

function verbatim(bytes: Uint8Array): Markup {
  const text = new TextDecoder().decode(bytes.subarray(0, maxShown * 4));
  if (bytes.length <= maxShown * 4 && text.length <= maxShown) return html`<pre>${text}</pre>`;
  return html`<pre>${text.slice(0, maxShown)}</pre>
    <p class="quiet">Cut here: the rest is in the download.</p>`;
}

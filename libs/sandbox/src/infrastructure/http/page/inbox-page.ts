import { Page } from '#kernel';
import { InboxMessage } from '../../../domain/inbox-message.js';
import { layout } from './layout.js';
import { html, inboxLink, Markup, messageLink, moment, olderLink } from './markup.js';

const refreshSeconds = 4;

export interface InboxView {
  readonly token: string;
  readonly page: Page<InboxMessage>;
  /** Whether this is the first page. Only this page shows new mail, so only it reloads itself. */
  readonly isNewest: boolean;
}

export function inboxPage({ token, page, isNewest }: InboxView): Markup {
  return layout({
    title: 'Inbox',
    bar: html`<a class="brand" href="${inboxLink(token)}">Postrider <span class="quiet">Inbox</span></a>
      ${isNewest ? html`<span class="live">Live</span>` : html`<a class="button" href="${inboxLink(token)}">Newest</a>`}`,
    main: page.items.length === 0 ? empty : list(token, page),
    refreshSeconds: isNewest ? refreshSeconds : undefined,
  });
}

const empty = html`<section class="notice">
  <h1>No mail yet</h1>
  <p>Mail sent by this server is delivered here instead of to its recipients. Send an email to see it.</p>
</section>`;

function list(token: string, { items, hasMore }: Page<InboxMessage>): Markup {
  const last = items[items.length - 1];
  const older =
    hasMore && last !== undefined ? html`<a class="button" href="${olderLink(token, last.id)}">Older</a>` : html``;
  return html`<ol class="list">
      ${items.map((message) => row(token, message))}
    </ol>
    <nav class="pager">${older}</nav>`;
}

function row(token: string, { id, from, to, subject, receivedAt }: InboxMessage): Markup {
  return html`<li>
    <a href="${messageLink(token, id)}">
      <span class="from">${from === '' ? '(no sender)' : from}</span>
      <span class="subject">${subject === '' ? '(no subject)' : subject}</span>
      <span class="to">to ${to.join(', ')}</span>
      <span class="when">${moment(receivedAt)}</span>
    </a>
  </li>`;
}

import { layout } from './layout.js';
import { html, inboxLink, Markup } from './markup.js';

const brand = html`<span class="brand">Postrider <span class="quiet">Inbox</span></span>`;

export function lockedPage(): Markup {
  return layout({
    title: 'Inbox',
    bar: brand,
    main: html`<section class="notice">
      <h1>Open this inbox with its link</h1>
      <p>Postrider prints the link when it starts, on the line that starts with <code>Inbox</code>.</p>
    </section>`,
  });
}

/** Shown also for a message that was removed because newer ones arrived. */
export function missingPage(token: string): Markup {
  return layout({
    title: 'Message not found',
    bar: brand,
    main: html`<section class="notice">
      <h1>This message no longer exists</h1>
      <p>The inbox keeps only the newest messages.</p>
      <p><a href="${inboxLink(token)}">Back to the inbox</a></p>
    </section>`,
  });
}

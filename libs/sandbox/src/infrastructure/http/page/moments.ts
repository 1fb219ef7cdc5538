import { html, Markup } from './markup.js';

/** A time in UTC, to the second, because the server does not know the reader's time zone. */
export function moment(at: Date): Markup {
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

import { html, Markup } from './markup.js';

/** A moment in UTC, to the second: the server does not know where its reader is. */
export function moment(at: Date): Markup {
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

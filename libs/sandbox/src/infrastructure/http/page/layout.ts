import { html, Markup } from './markup.js';
import { pageStyle } from './page-style.js';

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' " +
  "rx='8' fill='%234f46e5'/%3E%3Cpath d='M7 11h18v11H7zl9 7 9-7' fill='none' stroke='white' stroke-width='2.2' " +
  "stroke-linejoin='round'/%3E%3C/svg%3E";

/** Byte for byte: the Content-Security-Policy has the hash of the text between the tags. */
const style = new Markup(`<style>${pageStyle}</style>`);

export interface Layout {
  readonly title: string;
  readonly bar: Markup;
  readonly main: Markup;
  /** Interval in seconds after which the page reloads itself. */
  readonly refreshSeconds?: number;
}

export function layout({ title, bar, main, refreshSeconds }: Layout): Markup {
  const refresh =
    refreshSeconds === undefined ? html`` : html`<meta http-equiv="refresh" content="${refreshSeconds}" />`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${refresh}
        <title>${title}</title>
        <link rel="icon" href="${icon}" />
        ${style}
      </head>
      <body>
        <header class="bar">${bar}</header>
        <main>${main}</main>
      </body>
    </html> `;
}

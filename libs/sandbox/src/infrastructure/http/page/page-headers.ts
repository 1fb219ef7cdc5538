import { createHash } from 'node:crypto';
import { pageStyle } from './page-style.js';

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

const always = {
  'cache-control': 'no-store',
  // The URL contains the token, which must not be passed on by a click.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Our own pages have one style sheet and no script, and frame only pages of this server. */
export const pageHeaders = {
  ...always,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    'img-src data:',
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/**
 * The mail's HTML can run nothing and load nothing, whether it is framed or opened directly: `sandbox` gives it an
 * origin of its own without scripts, forms and pop-ups, and only its own styles and embedded images may be used.
 */
export const mailHeaders = {
  ...always,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    'sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
};

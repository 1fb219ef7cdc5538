import { createHash } from 'node:crypto';
import { pageStyle } from './page-style.js';

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

const always = {
  'cache-control': 'no-store',
  // The address holds the token, and must not travel on with a click.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Our own pages have one style sheet and no script, and frame nothing but this server. */
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
 * The mail's html runs nothing and loads nothing, whether framed or opened by itself: `sandbox` gives it an origin of
 * its own without scripts, forms and pop-ups, and nothing but its own styles and embedded images may be used.
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

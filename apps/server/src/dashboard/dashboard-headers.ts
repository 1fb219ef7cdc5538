/**
 * The page runs only scripts of this server, talks only to this server, and cannot be framed. Styles may be inline,
 * because the components compute sizes. Images may be `data:` and `blob:` for QR codes and exported charts. The preview
 * of an email is a frame with an empty `sandbox`, which inherits this policy: nothing in it runs, and nothing is loaded
 * from elsewhere.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** `logos`: images of other servers that the sign-in page shows, because the operator has named them. */
export const dashboardHeaders = (logos: readonly string[]): Record<string, string> => ({
  'content-security-policy': policy.replace(' blob:', [' blob:', ...logos].join(' ')),
  // Asked for again each time, and answered with 304 while it is the same.
  'cache-control': 'no-cache',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // Links of the dashboard contain ids, and those of a sign-in contain tokens.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});

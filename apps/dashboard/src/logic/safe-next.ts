/** The question whether a tool may act for the user. The server shows it, not the dashboard. */
const consent = /^\/oauth\/consent\?[\w\-=&%.~+@:,/]*$/;

const fallback = '/app/emails';

export function isConsent(next: string): boolean {
  return consent.test(next);
}

/** Where a sign-in leads: only to a page of this service, whatever the link says. */
export function safeNext(next: string | undefined): string {
  if (next === undefined) return fallback;
  if (isConsent(next)) return next;
  if (!/^\/app\/[\w\-/?=&%.~+@:,]*$/.test(next)) return fallback;
  // As a browser resolves it: `/app/../..//evil.test` is no page of the dashboard.
  const { pathname } = new URL(next, 'http://own.invalid');
  return pathname.startsWith('/app/') && !pathname.startsWith('/app/sign-in') ? next : fallback;
}

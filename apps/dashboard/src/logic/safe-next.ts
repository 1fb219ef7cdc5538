/** The question whether a tool may act for the user. The server shows it, not the dashboard. */
const consent = /^\/oauth\/consent\?[\w\-=&%.~+@:,/]*$/;

export function isConsent(next: string): boolean {
  return consent.test(next);
}

/** Where a sign-in leads: only to a page of this service, whatever the link says. */
export function safeNext(next: string | undefined): string {
  if (next !== undefined && isConsent(next)) return next;
  return next !== undefined && /^\/app\/[\w\-/?=&%.~+@:,]*$/.test(next) && !next.startsWith('/app/sign-in')
    ? next
    : '/app/emails';
}

/** Where a sign-in leads: only to a page of this dashboard, whatever the link says. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/app\/[\w\-/?=&%.~+@:,]*$/.test(next) && !next.startsWith('/app/sign-in')
    ? next
    : '/app/emails';
}

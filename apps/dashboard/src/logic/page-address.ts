export function isIpAddress(hostname: string): boolean {
  return /^\[|^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname);
}

/** The same page by a name, if the address is of this machine; other names only the operator knows. */
export function namedUrl({ hostname, href }: { readonly hostname: string; readonly href: string }): string | undefined {
  if (!/^127\.|^\[::1\]$/.test(hostname)) return undefined;
  const url = new URL(href);
  url.hostname = 'localhost';
  return url.href;
}

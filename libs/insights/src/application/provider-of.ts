import { getDomain } from 'tldts';
import { largeProviderOf, otherSites } from '../domain/mailbox-provider.js';

/** Longest name that is kept. */
const maxName = 100;

/**
 * The mailbox provider behind a mail host (`mx1.example.net`), or behind the domain of a recipient (`@example.net`) where no host is
 * known: one of the large ones, or the registered domain of the name.
 */
export function providerOf(receiver: string): string {
  const name = receiver.toLowerCase();
  const large = largeProviderOf(name);
  if (large !== undefined) return large;
  const host = name.replace(/^@/, '');
  const site = getDomain(host, { allowPrivateDomains: false, validateHostname: false }) ?? host;
  const isName = /^[a-z0-9._-]+$/.test(site) && /[a-z]/.test(site) && site.includes('.');
  return isName && site.length <= maxName ? site : otherSites;
}

import { parseDomainName } from './domain-name.js';

/** The text of a search with its domain as addresses are stored: `@bücher.test` becomes `@xn--bcher-kva.test`. */
export function searchedAddress(text: string): string {
  const at = text.lastIndexOf('@');
  const domain = at < 0 ? undefined : parseDomainName(text.slice(at + 1));
  return domain === undefined ? text : `${text.slice(0, at + 1)}${domain}`;
}

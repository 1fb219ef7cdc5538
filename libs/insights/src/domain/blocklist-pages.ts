/** Where a list says why it has somebody, and how to be removed. */
interface BlocklistPage {
  readonly title: string;
  readonly url: string;
}

const pages: Readonly<Record<string, BlocklistPage>> = {
  'spamhaus.org': { title: 'Spamhaus: IP and domain reputation checker', url: 'https://check.spamhaus.org/' },
  'spamcop.net': { title: 'SpamCop: Blocking list', url: 'https://www.spamcop.net/bl.shtml' },
  'barracudacentral.org': {
    title: 'Barracuda Central: Lookups',
    url: 'https://www.barracudacentral.org/lookups/lookup-reputation',
  },
  'surbl.org': { title: 'SURBL: Lookup', url: 'https://surbl.org/surbl-analysis' },
  'uribl.com': { title: 'URIBL: Lookup', url: 'https://admin.uribl.com/' },
};

const unknown: BlocklistPage = {
  title: 'RFC 5782: DNS blacklists and whitelists',
  url: 'https://www.rfc-editor.org/rfc/rfc5782',
};

/** The page of a list; for a list that is not known, the document that says what an answer means. */
export function pageOf(list: string): BlocklistPage {
  const known = Object.keys(pages).find((name) => list === name || list.endsWith(`.${name}`));
  return known === undefined ? unknown : (pages[known] ?? unknown);
}

/** What to do about a listing. */
export const fixOf = (kind: 'domain' | 'address'): string =>
  kind === 'domain'
    ? 'Find and stop what led to it: bought addresses, links to sites that were broken into, somebody else who sends as the domain. Then ask the list to remove it.'
    : 'Tell the operator of this service: all who send from the address are concerned.';

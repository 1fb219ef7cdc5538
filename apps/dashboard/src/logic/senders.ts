import { bareAddress, isWholeAddress, nameIn } from './mail-addresses.js';
import { domainOf } from './mail-hosts.js';

/** What a team has to send from. */
export interface SenderSources {
  readonly defaultFrom: string | null;
  /** Addresses of its inboxes, with their names. */
  readonly inboxes: readonly {
    readonly email_address: string;
    readonly from_name: string | null;
    readonly name: string | null;
  }[];
  /** Domains that may send. */
  readonly domains: readonly string[];
  /** The name beside an address that has none of its own. */
  readonly name: string;
}

const maxSuggestions = 20;

/** An address with a name, which is quoted only where it must be. */
export function mailboxOf(name: string, address: string): string {
  if (name.trim() === '') return address;
  const quoted = /["(),.:;<>@[\]\\]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
  return `${quoted} <${address}>`;
}

/** The senders to choose from: that of the team, those of its inboxes, then one at each domain. */
export function sendersOf({ defaultFrom, inboxes, domains, name }: SenderSources): readonly string[] {
  const known = defaultFrom === null ? [] : [defaultFrom];
  const ofInboxes = inboxes
    .filter(({ email_address: address }) => domains.includes(domainOf(address)))
    .map(({ email_address: address, from_name: own, name: title }) => mailboxOf(own ?? title ?? name, address));
  const ofDomains = domains.map((domain) => mailboxOf(name, `hello@${domain}`));
  const seen = new Set<string>();
  return [...known, ...ofInboxes, ...ofDomains].filter((sender) => {
    const address = bareAddress(sender).toLowerCase();
    return !seen.has(address) && seen.add(address);
  });
}

/** What somebody who has typed this may mean: a sender, a name beside one, or the beginning of an address at a domain. */
export function suggestedSenders(
  typed: string,
  senders: readonly string[],
  { domains, name }: Pick<SenderSources, 'domains' | 'name'>,
): readonly string[] {
  const text = typed.trim();
  if (text === '' || senders.includes(text)) return senders.slice(0, maxSuggestions);
  if (isWholeAddress(text) && domains.includes(domainOf(bareAddress(text)).toLowerCase())) return [];
  const found = senders.filter((sender) => sender.toLowerCase().includes(text.toLowerCase()));
  const open = text.indexOf('<');
  const own = open > 0 ? nameIn(`${text.slice(0, open)}<x>`) : open === 0 ? '' : name;
  const [local = '', domain = ''] = text
    .slice(open + 1)
    .replace('>', '')
    .split('@');
  const completed = /^[^\s<>@"(),:;]+$/.test(local)
    ? domains.filter((each) => each.startsWith(domain.toLowerCase())).map((each) => mailboxOf(own, `${local}@${each}`))
    : [];
  // Without a beginning of an address it is a name.
  const named =
    open === text.length - 1 || (open < 0 && /\s/.test(text))
      ? senders.map((sender) => mailboxOf(open < 0 ? text : own, bareAddress(sender)))
      : [];
  return [...new Set([...found, ...completed, ...named])].slice(0, maxSuggestions);
}

/** What keeps an address from being a sender. `domains` is undefined while it is not known. */
export function senderTrouble(typed: string, domains: readonly string[] | undefined): 'address' | 'domain' | undefined {
  if (typed.trim() === '') return undefined;
  if (!isWholeAddress(typed.trim())) return 'address';
  return domains === undefined || domains.includes(domainOf(bareAddress(typed)).toLowerCase()) ? undefined : 'domain';
}

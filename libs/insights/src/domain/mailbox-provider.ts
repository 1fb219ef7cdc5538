/** Large mailbox providers, whose domains and hosts have many names. All other mail is grouped by the domain of its mail host. */
export const largeProviders = ['google', 'microsoft', 'yahoo', 'apple'] as const;
type LargeProvider = (typeof largeProviders)[number];

/** Mail of a domain and day to sites beyond the first `maxSites`. */
export const otherSites = 'others';

/** Sites of one domain and day that are counted for themselves. */
export const maxSites = 50;

/** Where mail of test addresses goes. It never leaves the machine and says nothing about a reputation. */
export const testProvider = 'test-addresses';

interface NamesOfProvider {
  readonly provider: LargeProvider;
  /** Domains of mail hosts: all hosts at and below them. */
  readonly hosts: readonly string[];
  /** Domains of mailboxes, for mail whose host is not known. */
  readonly mailboxes: readonly string[];
}

const names: readonly NamesOfProvider[] = [
  { provider: 'google', hosts: ['google.com', 'googlemail.com'], mailboxes: ['gmail.com', 'googlemail.com'] },
  {
    provider: 'microsoft',
    hosts: ['protection.outlook.com', 'mx.microsoft', 'hotmail.com', 'outlook.com'],
    mailboxes: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'hotmail.co.uk', 'hotmail.fr', 'outlook.de'],
  },
  {
    provider: 'yahoo',
    hosts: ['yahoodns.net', 'yahoo.com'],
    mailboxes: ['yahoo.com', 'ymail.com', 'rocketmail.com', 'aol.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.fr'],
  },
  { provider: 'apple', hosts: ['icloud.com', 'apple.com'], mailboxes: ['icloud.com', 'me.com', 'mac.com'] },
];

const byMailbox = new Map(names.flatMap(({ provider, mailboxes }) => mailboxes.map((name) => [name, provider])));

/** The large provider that this mail host or mailbox domain (`@gmail.com`) belongs to. */
export function largeProviderOf(receiver: string): LargeProvider | undefined {
  if (receiver.startsWith('@')) return byMailbox.get(receiver.slice(1));
  return names.find(({ hosts }) => hosts.some((host) => receiver === host || receiver.endsWith(`.${host}`)))?.provider;
}

/** Whether it is a site: the domain of a mail host. Names of providers have no dot. */
export function isSite(provider: string): boolean {
  return provider.includes('.');
}

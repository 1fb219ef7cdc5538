import { isSite, maxSites, otherSites, testProvider } from './mailbox-provider.js';

/** Equal events of what became of mail, as the log of events and the attempts have them. */
export interface CountedOutcome {
  readonly teamId: string;
  readonly domainId: string;
  /** Beginning of the hour. Complaints and late bounces belong to the hour of the delivery. */
  readonly hour: Date;
  /** The mail host, or `@` and the domain of the recipient where no host is known. */
  readonly receiver: string;
  readonly event: 'delivered' | 'deferred' | 'bounced' | 'complained' | 'opened' | 'unsubscribed';
  /** Of deferrals and bounces. */
  readonly category: string | null;
  /** Of deliveries: the level at which the connection was protected; null if that is not known, as behind a relay. */
  readonly tls: string | null;
  /** Of deliveries: number of the class of its time to deliver, see `timeLimits`. */
  readonly time: number | null;
  readonly isTest: boolean;
  readonly count: number;
  /** One of the replies, and the email that got it. */
  readonly reply: string | null;
  readonly emailId: string | null;
}

/** A counter of one day. Kinds are `delivered`, `complained`, `opened`, `unsubscribed`, and those that `kindsOf` makes. */
export interface ProviderCount {
  readonly domainId: string;
  /** `yyyy-mm-dd`, in UTC. */
  readonly day: string;
  readonly provider: string;
  readonly kind: string;
  readonly count: number;
  readonly reply: string | null;
  readonly emailId: string | null;
}

export const hourlyKinds = ['delivered', 'deferred', 'bounced', 'badAddresses', 'refusedAsSpam', 'complained'] as const;
export type HourlyCounts = Readonly<Record<(typeof hourlyKinds)[number], number>>;

/** What the guard of reputations looks at, of one hour. */
export interface ProviderHour extends HourlyCounts {
  readonly teamId: string;
  readonly domainId: string;
  readonly hour: Date;
  readonly provider: string;
}

export interface AddedCounts {
  readonly days: readonly ProviderCount[];
  readonly hours: readonly ProviderHour[];
}

/** Categories of replies that are about the sender or take the mail for spam. */
export const spamCategories: readonly string[] = ['content', 'reputation'];

/** Sites that have counters of their own already, by `siteKey`. */
export type KnownSites = ReadonlyMap<string, ReadonlySet<string>>;

export const siteKey = (domainId: string, day: string): string => `${domainId} ${day}`;

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Adds outcomes up by provider. Beyond `maxSites` of a domain and day, further sites are counted together. */
export function countsOf(
  outcomes: readonly CountedOutcome[],
  providerOf: (receiver: string) => string,
  known: KnownSites,
): AddedCounts {
  const sites = new SitePlaces(known);
  const days = new Map<string, ProviderCount>();
  const hours = new Map<string, ProviderHour>();
  for (const outcome of outcomes) {
    const { domainId, teamId, hour } = outcome;
    const day = dayOf(hour);
    const provider = outcome.isTest ? testProvider : sites.placeOf(domainId, day, providerOf(outcome.receiver));
    for (const kind of kindsOf(outcome)) {
      const isExample = kind.includes('/') && outcome.reply !== null;
      const count: ProviderCount = {
        domainId,
        day,
        provider,
        kind,
        count: outcome.count,
        reply: isExample ? withoutAddresses(outcome.reply) : null,
        emailId: isExample ? outcome.emailId : null,
      };
      add(days, `${domainId} ${day} ${provider} ${kind}`, count);
    }
    if (!outcome.isTest) addHour(hours, { teamId, domainId, hour, provider }, outcome);
  }
  return { days: [...days.values()], hours: [...hours.values()] };
}

/** The sites of domains and days that are counted for themselves. */
class SitePlaces {
  private readonly sites = new Map<string, Set<string>>();

  constructor(known: KnownSites) {
    for (const [key, sites] of known) this.sites.set(key, new Set(sites));
  }

  placeOf(domainId: string, day: string, provider: string): string {
    if (!isSite(provider)) return provider;
    const key = siteKey(domainId, day);
    const sites = this.sites.get(key) ?? new Set();
    this.sites.set(key, sites);
    if (sites.has(provider)) return provider;
    if (sites.size >= maxSites) return otherSites;
    sites.add(provider);
    return provider;
  }
}

/** Levels of protection, as attempts name them. All others verify the host. */
const tlsKinds: Readonly<Record<string, string>> = { none: 'none', opportunistic: 'opportunistic' };

function kindsOf({ event, category, tls, time }: CountedOutcome): string[] {
  switch (event) {
    case 'delivered':
      return [
        'delivered',
        ...(tls === null ? [] : [`tls/${tlsKinds[tls] ?? 'verified'}`]),
        ...(time === null ? [] : [`time/${time}`]),
      ];
    case 'deferred':
    case 'bounced':
      return [`${event}/${category ?? 'unknown'}`];
    default:
      return [event];
  }
}

function add(days: Map<string, ProviderCount>, key: string, added: ProviderCount): void {
  const count = days.get(key);
  if (count === undefined) days.set(key, added);
  else days.set(key, { ...count, count: count.count + added.count, ...(added.reply === null ? {} : example(added)) });
}

const example = ({ reply, emailId }: ProviderCount): Pick<ProviderCount, 'reply' | 'emailId'> => ({ reply, emailId });

const noHour: HourlyCounts = {
  delivered: 0,
  deferred: 0,
  bounced: 0,
  badAddresses: 0,
  refusedAsSpam: 0,
  complained: 0,
};

function addHour(
  hours: Map<string, ProviderHour>,
  key: Omit<ProviderHour, keyof HourlyCounts>,
  { event, category, count }: CountedOutcome,
): void {
  if (event === 'opened' || event === 'unsubscribed') return;
  // Refusals of the sender's address say nothing about the recipients that the mail went to.
  if (category === 'bad-sender') return;
  const name = `${key.domainId} ${key.hour.getTime()} ${key.provider}`;
  const hour = hours.get(name) ?? { ...key, ...noHour };
  const isBad = event === 'bounced' && category === 'bad-address';
  const isSpam = category !== null && spamCategories.includes(category);
  hours.set(name, {
    ...hour,
    [event]: hour[event] + count,
    badAddresses: hour.badAddresses + (isBad ? count : 0),
    refusedAsSpam: hour.refusedAsSpam + (isSpam ? count : 0),
  });
}

const maxReply = 300;

/** A reply for people to read: on one line, without control characters and addresses of recipients. */
export function withoutAddresses(reply: string | null): string | null {
  if (reply === null) return null;
  // Characters that are not shown, or turn the direction of text.
  const line = reply
    .slice(0, 2 * maxReply)
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, ' ');
  const words = line.split(' ').filter((word) => word !== '');
  return words
    .map((word) => (word.includes('@') ? '[address]' : word))
    .join(' ')
    .slice(0, maxReply);
}

/** Upper ends of the classes of times to deliver, in seconds. A last class has all that is beyond. */
export const timeLimits: readonly number[] = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 172_800,
];

/**
 * The time within which this part (0.5, 0.95) of the messages was delivered, in seconds, rounded up to a full second. Within a class times
 * count as spread evenly. Undefined if there are none.
 */
export function timeQuantile(counts: ReadonlyMap<number, number>, part: number): number | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let before = 0;
  for (let no = 0; no <= timeLimits.length; no++) {
    const count = counts.get(no) ?? 0;
    if (count === 0 || before + count < total * part) {
      before += count;
      continue;
    }
    const from = no === 0 ? 0 : (timeLimits[no - 1] as number);
    const to = timeLimits[no] ?? from;
    return Math.ceil(from + (to - from) * ((total * part - before) / count));
  }
  return timeLimits.at(-1);
}

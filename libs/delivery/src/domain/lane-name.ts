/** The parts of a lane's name. */
export interface LaneParts {
  /** The region of the sending domain. */
  readonly region: string;
  /** The pool of source addresses that the mail leaves from. */
  readonly pool: string;
  /** The destination. Mail to one site shares its limits. */
  readonly site: string;
}

/** The pool of senders without source addresses of their own. */
export const defaultPool = 'default';

/** The site of test addresses, whose mail never leaves the machine. */
export const testSite = 'test-addresses';

/** Characters that the `lane` column of the queue holds. */
export const maxLaneLength = 200;

/** For example `eu-west-1/default/mx:gmail.com`. Regions and pools contain no slash. */
export function laneName({ region, pool, site }: LaneParts): string {
  return `${region}/${pool}/${site}`;
}

/** The site in a lane's name. Older names consist of the site alone. */
export function siteOfLane(lane: string): string {
  return /^[^/:]*\/[^/]*\/(.*)$/s.exec(lane)?.[1] ?? lane;
}

/** The region in a lane's name; empty in an older name. */
export function regionOfLane(lane: string): string {
  return /^([^/:]*)\/[^/]*\//.exec(lane)?.[1] ?? '';
}

/** What a paced lane holds: the bulk mail of a sending domain to a mailbox provider, or all of its mail. */
export type PacedKind = 'bulk' | 'all';

/**
 * A lane for mail of one sending domain to one mailbox provider that must not go at the pace of its site. Mail is moved there when it is
 * claimed, so that it holds up no other.
 */
export interface PacedLane {
  readonly domainId: string;
  readonly provider: string;
  readonly kind: PacedKind;
}

/** For example `eu-west-1/default/paced:bulk:0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57:google`. In the region and pool of `lane`. */
export function pacedLaneName(lane: string, { domainId, provider, kind }: PacedLane): string {
  const [prefix = ''] = /^[^/:]*\/[^/]*\//.exec(lane) ?? [];
  return `${prefix}paced:${kind}:${domainId}:${provider}`;
}

/** Undefined for an ordinary lane. */
export function pacedLaneOf(lane: string): PacedLane | undefined {
  const [, kind, domainId, provider] = /^paced:(bulk|all):([0-9a-f-]{36}):(.+)$/.exec(siteOfLane(lane)) ?? [];
  if (kind === undefined || domainId === undefined || provider === undefined) return undefined;
  return { kind: kind as PacedKind, domainId, provider };
}

/** From which regions this process sends mail. */
export class ServedRegions {
  /**
   * `own` is undefined for a process that sends for all regions. `regions` are all that are configured, the default first.
   * After `patienceMs` without a worker of a region another one stands in for it.
   */
  constructor(
    readonly own: string | undefined,
    readonly regions: readonly string[],
    readonly patienceMs = 0,
  ) {}

  /** The default region also sends what is in no configured region: mail of domains that are gone, and of former regions. */
  serves(lane: string): boolean {
    if (this.own === undefined) return true;
    const region = regionOfLane(lane);
    return region === this.own || (this.own === this.regions[0] && !this.regions.includes(region));
  }
}

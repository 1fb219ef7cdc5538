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

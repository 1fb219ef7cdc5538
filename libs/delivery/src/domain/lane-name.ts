/** What a lane is named by. */
export interface LaneParts {
  /** The region of the sending domain. */
  readonly region: string;
  /** The source addresses that mail leaves from. */
  readonly pool: string;
  /** Where mail goes: what shares a site shares its limits. */
  readonly site: string;
}

/** The pool of mail whose sender has no source addresses of its own. */
export const defaultPool = 'default';

/** Mail to test addresses, which never leaves the machine. */
export const testSite = 'test-addresses';

/** Of the column in the queue. */
export const maxLaneLength = 200;

/** For example `eu-west-1/default/mx:gmail.com`. Regions and pools have no slash. */
export function laneName({ region, pool, site }: LaneParts): string {
  return `${region}/${pool}/${site}`;
}

/** Of a lane's name, older ones without region and pool included. */
export function siteOfLane(lane: string): string {
  return /^[^/:]*\/[^/]*\/(.*)$/s.exec(lane)?.[1] ?? lane;
}

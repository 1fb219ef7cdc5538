import { readFileSync, statSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import { parseDomainName } from '#kernel';
import { checkRelayUrl } from '#smtp-client';
import { defaultProfile, SiteProfiles } from '../sites/site-profiles.js';
import type { ProfileRule } from '../sites/site-profiles.js';
import type { MxRules, SourceHost, SourcePool, SourceTable } from '../sites/source-hosts.js';

/** Interval between two checks of the file. A check costs one system call. */
const everyMs = 1_000;

/**
 * Holds the rules of the routes file and reads them again when the file changes. An invalid file changes nothing and is
 * reported once.
 */
export class RoutesFile implements MxRules {
  #rules: OperatorRules;
  #stamp: string;
  #lookAt: number;

  /** Throws if the file is invalid at the start. */
  constructor(
    private readonly path: string,
    private readonly defaultRelay: string | undefined,
    private readonly onUnusable: (error: unknown) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#stamp = this.#stampOf();
    this.#rules = this.#read();
    this.#lookAt = this.now() + everyMs;
  }

  get table(): RouteTable {
    return this.#current().table;
  }

  get sources(): OperatorRules['sources'] {
    return this.#current().sources;
  }

  get profiles(): OperatorRules['profiles'] {
    return this.#current().profiles;
  }

  #current(): OperatorRules {
    if (this.now() >= this.#lookAt) this.#look();
    return this.#rules;
  }

  #look(): void {
    this.#lookAt = this.now() + everyMs;
    try {
      const stamp = this.#stampOf();
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#rules = this.#read();
    } catch (error) {
      this.onUnusable(error);
    }
  }

  #stampOf(): string {
    const { mtimeMs, size, ino } = statSync(this.path);
    return `${mtimeMs} ${size} ${ino}`;
  }

  #read(): OperatorRules {
    return parseOperatorRules(readFileSync(this.path, 'utf8'), this.defaultRelay);
  }
}

/**
 * The contents of the operator's routes file: `routes` (see `RouteTable`), and
 * `{"pools": {"acme": [{"helo": "out1.acme.net", "addresses": ["192.0.2.1", "2001:db8::1"]}]},
 *   "sources": [{"senders": "acme.com", "pool": "acme"}, {"pool": "others"}],
 *   "limits": [{"hosts": "*.example.net", "connections": 3, "messages_per_connection": 20, "messages_per_minute": 60}]}`.
 * Each part may be absent, and each figure of `limits` may be absent.
 */
interface OperatorRules {
  readonly table: RouteTable;
  readonly sources: SourceTable;
  readonly profiles: SiteProfiles;
}

type Fields = Readonly<Record<string, unknown>>;

/** Throws `RangeError` with a message for the operator. */
export function parseOperatorRules(text: string, defaultRelay: string | undefined): OperatorRules {
  const table = RouteTable.parse(text, defaultRelay);
  const file = JSON.parse(text) as Fields;
  const pools = poolsFrom(file.pools);
  return { table, sources: sourcesFrom(file.sources, pools), profiles: new SiteProfiles(limitsFrom(file.limits)) };
}

/** Every source host in the text of a routes file. */
export function sourceHostsIn(text: string): readonly SourceHost[] {
  return [...poolsFrom((JSON.parse(text) as Fields).pools).values()].flat();
}

/** The source hosts in the text of a routes file that the mail of a sender may leave from. */
export function sourceHostsOf(text: string, senderHost: string): readonly SourceHost[] {
  const { pools, sources } = JSON.parse(text) as Fields;
  return sourcesFrom(sources, poolsFrom(pools)).poolOf({ host: senderHost, teamId: '' })?.hosts ?? [];
}

function poolsFrom(value: unknown): Map<string, readonly SourceHost[]> {
  if (value === undefined) return new Map();
  return new Map(
    Object.entries(fieldsOf(value, 'pools')).map(([name, hosts]) => {
      const pool = listOf(hosts, `Pool ${name}`).map((host) => sourceHostFrom(host, `Pool ${name}`));
      if (pool.length === 0) throw new RangeError(`Pool ${name}: it has no hosts`);
      return [name, pool];
    }),
  );
}

function sourceHostFrom(value: unknown, name: string): SourceHost {
  const { helo, addresses } = fieldsOf(value, name);
  const heloName = typeof helo === 'string' ? parseDomainName(helo) : undefined;
  if (heloName === undefined) throw new RangeError(`${name}: helo must be a full host name`);
  const all = listOf(addresses, name);
  const [ipv4, ...moreIpv4] = all.filter((address) => typeof address === 'string' && isIPv4(address)) as string[];
  const [ipv6, ...moreIpv6] = all.filter((address) => typeof address === 'string' && isIPv6(address)) as string[];
  const known = [ipv4, ipv6].filter((address) => address !== undefined).length;
  if (known === 0 || known !== all.length || moreIpv4.length + moreIpv6.length > 0) {
    throw new RangeError(
      `${name}: the addresses of ${heloName} must be one IPv4 address, one IPv6 address, or one of each`,
    );
  }
  return { heloName, ipv4, ipv6 };
}

function sourcesFrom(value: unknown, pools: ReadonlyMap<string, readonly SourceHost[]>): SourceTable {
  const rules = listOf(value ?? [], 'sources').map((entry, index) => {
    const name = `Source ${index + 1}`;
    const { senders, pool } = fieldsOf(entry, name);
    const hosts = pools.get(String(pool));
    if (hosts === undefined) throw new RangeError(`${name}: there is no pool of that name`);
    if (senders !== undefined && (typeof senders !== 'string' || senders === '')) {
      throw new RangeError(`${name}: senders is a domain`);
    }
    return { senders: senders?.toLowerCase(), pool: { name: String(pool), hosts } satisfies SourcePool };
  });
  return {
    poolOf: ({ host }) =>
      rules.find(({ senders }) => senders === undefined || isWithin(senders, host.toLowerCase()))?.pool,
  };
}

function limitsFrom(value: unknown): ProfileRule[] {
  return listOf(value ?? [], 'limits').map((entry, index) => {
    const name = `Limit ${index + 1}`;
    const fields = fieldsOf(entry, name);
    const { hosts } = fields;
    if (typeof hosts !== 'string' || hosts === '') throw new RangeError(`${name}: hosts is a host name or *.domain`);
    const base = new SiteProfiles().profileOf(hosts.replace(/^\*/, 'any'));
    const figure = (field: string, fallback: number): number => {
      const given = fields[field];
      if (given === undefined) return fallback;
      if (Number.isInteger(given) && (given as number) >= 1 && (given as number) <= 1_000_000) return given as number;
      throw new RangeError(`${name}: ${field} must be a whole number from 1`);
    };
    return {
      name: base === defaultProfile ? hosts.toLowerCase() : `${base.name} (own)`,
      hosts: [hosts.toLowerCase()],
      connections: figure('connections', base.connections),
      messagesPerConnection: figure('messages_per_connection', base.messagesPerConnection),
      messagesPerMinute: figure('messages_per_minute', base.messagesPerMinute),
      source: 'the routes file',
    };
  });
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new RangeError(`${name}: this must be an object`);
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new RangeError(`${name}: this must be a list`);
}

/** `mx-or-relay`: uses the relay if no mail host can be connected to, for example because port 25 is blocked. */
type DeliveryRoute = { readonly via: 'mx' } | { readonly via: 'relay' | 'mx-or-relay'; readonly relay: string };

interface Rule {
  /** A domain, `*.domain` for its subdomains, absent for all. */
  readonly recipients?: string;
  /** A domain, which includes its subdomains; absent for all. */
  readonly senders?: string;
  readonly route: DeliveryRoute;
}

const direct: DeliveryRoute = { via: 'mx' };

/**
 * Chooses the route of mail. The first rule that matches decides; mail without a matching rule goes directly to its
 * hosts.
 */
export class RouteTable {
  constructor(private readonly rules: readonly Rule[] = []) {}

  /**
   * Reads `{"routes": [{"recipients": "*.example.com", "senders": "acme.com", "via": "mx-or-relay", "relay":
   * "smtp://…"}]}`. Throws `RangeError` with a message for the operator.
   */
  static parse(text: string, defaultRelay: string | undefined): RouteTable {
    let file: unknown;
    try {
      file = JSON.parse(text);
    } catch {
      throw new RangeError('The routes file is not JSON');
    }
    const isObject = typeof file === 'object' && file !== null;
    const routes = isObject ? ((file as { routes?: unknown }).routes ?? []) : undefined;
    if (!Array.isArray(routes)) throw new RangeError('The routes file has no list named routes');
    return new RouteTable(routes.map((entry, index) => ruleFrom(entry, `Route ${index + 1}`, defaultRelay)));
  }

  routeFor(recipientDomain: string, senderHost: string): DeliveryRoute {
    const rule = this.rules.find(
      ({ recipients, senders }) =>
        (recipients === undefined || matchesRecipient(recipients, recipientDomain.toLowerCase())) &&
        (senders === undefined || isWithin(senders, senderHost.toLowerCase())),
    );
    return rule?.route ?? direct;
  }
}

function ruleFrom(entry: unknown, name: string, defaultRelay: string | undefined): Rule {
  const { recipients, senders, via, relay = defaultRelay } = (entry ?? {}) as Record<string, unknown>;
  const domains = { recipients: domainFrom(recipients, name), senders: domainFrom(senders, name) };
  if (via === 'mx') return { ...domains, route: direct };
  if (via !== 'relay' && via !== 'mx-or-relay') throw new RangeError(`${name}: via must be mx, relay or mx-or-relay`);
  if (typeof relay !== 'string') throw new RangeError(`${name}: there is neither a relay nor RELAY_URL`);
  checkRelayUrl(relay);
  return { ...domains, route: { via, relay } };
}

function domainFrom(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw new RangeError(`${name}: recipients and senders are domains`);
  return value.toLowerCase();
}

function matchesRecipient(pattern: string, domain: string): boolean {
  return pattern.startsWith('*.') ? domain.endsWith(pattern.slice(1)) : domain === pattern;
}

/** Whether the host is the domain or one of its subdomains. */
function isWithin(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

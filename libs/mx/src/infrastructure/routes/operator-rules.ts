import { isIPv4, isIPv6 } from 'node:net';
import { parseDomainName } from '#kernel';
import { defaultProfile, SiteProfiles } from '../sites/site-profiles.js';
import type { ProfileRule } from '../sites/site-profiles.js';
import type { SourceHost, SourceTable } from '../sites/source-hosts.js';
import { isWithin, RouteTable } from './route-table.js';

/**
 * The contents of the operator's routes file: `routes` (see `RouteTable`), and
 * `{"pools": {"acme": [{"helo": "out1.acme.net", "addresses": ["192.0.2.1", "2001:db8::1"]}]},
 *   "sources": [{"senders": "acme.com", "pool": "acme"}, {"pool": "others"}],
 *   "limits": [{"hosts": "*.example.net", "connections": 3, "messages_per_connection": 20, "messages_per_minute": 60}]}`.
 * Each part may be absent, and each figure of `limits` may be absent.
 */
export interface OperatorRules {
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
    return { senders: senders?.toLowerCase(), hosts };
  });
  return {
    sourcesOf: (senderHost) =>
      rules.find(({ senders }) => senders === undefined || isWithin(senders, senderHost.toLowerCase()))?.hosts ?? [],
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

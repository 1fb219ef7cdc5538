import { isIP } from 'node:net';
import { parseDomainName } from '#kernel';

/** `host:port` with an optional `+tls` for implicit TLS; IPv6 hosts in brackets. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly implicitTls: boolean;
}

/** An address on which SMTP listens. */
export interface SmtpListenAddress extends ListenAddress {
  /** Other mail servers deliver here without a login: mail for the service itself and for domains that receive. */
  readonly isMx: boolean;
}

/** The port that other mail servers use (RFC 5321 section 4.5.4.2). */
const mxPort = 25;

/** Like `listenAddress`, with `+mx` for another port to which port 25 is forwarded. */
export function smtpListenAddress(value: string): SmtpListenAddress {
  const plain = value.replace(/\+mx$/i, '');
  const address = listenAddress(plain);
  return { ...address, isMx: !address.implicitTls && (plain !== value || address.port === mxPort) };
}

export function listenAddress(value: string): ListenAddress {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]*)):(\d{1,5})(\+tls)?$/i.exec(value);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) throw new Error(`"${value}" is not host:port, with +tls for implicit TLS`);
  return { host: match[1] ?? match[2] ?? '', port, implicitTls: match[4] !== undefined };
}

/** A fully qualified host name. */
export function parseHostName(value: string): string {
  const parsed = parseDomainName(value);
  if (parsed === undefined) throw new Error(`"${value}" is not a fully qualified host name`);
  return parsed;
}

export interface Region {
  readonly name: string;
  /** The region's own host, where it has one. */
  readonly host: string | undefined;
}

/** `name` or `name=host`. */
export function region(value: string): Region {
  const [name = '', host] = value.split('=', 2).map((part) => part.trim());
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
    throw new Error(`"${value}" is not a region: lower-case letters, digits and hyphens, with =host for its own host`);
  }
  return { name, host: host === undefined ? undefined : parseHostName(host) };
}

export interface CellAddress {
  readonly name: string;
  readonly url: string;
}

/** `name=url` */
export function cell(value: string): CellAddress {
  const isBaseUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return namedUrl(value, isBaseUrl, `"${value}" is not a cell: the name of its region, = and the base URL of its API`);
}

/** `name=postgres://…` */
export function cellDatabase(value: string): CellAddress {
  const isDatabase = (url: string): boolean => /^postgres(?:ql)?:\/\//.test(url);
  // Without the value: it has a password.
  return namedUrl(value, isDatabase, 'must be name=postgres://…,name=postgres://…');
}

function namedUrl(value: string, isValid: (url: string) => boolean, problem: string): CellAddress {
  const at = value.indexOf('=');
  const url = value.slice(at + 1).trim();
  if (at < 1 || !isValid(url)) throw new Error(problem);
  return { name: region(value.slice(0, at)).name, url };
}

/** The APIs of other providers that the program speaks as well (docs/coming-from.md). */
export const wireNames = ['mailgun', 'postmark', 'sendgrid', 'ses'] as const;
export type WireName = (typeof wireNames)[number];

export function wireName(value: string): WireName {
  const known = wireNames.find((name) => name === value);
  if (known === undefined) throw new Error(`takes ${wireNames.join(', ')}`);
  return known;
}

export interface WireHost {
  readonly wire: WireName;
  readonly host: string;
}

/** `wire=host` */
export function wireHost(value: string): WireHost {
  const at = value.indexOf('=');
  if (at < 1) throw new Error(`"${value}" is not wire=host`);
  return { wire: wireName(value.slice(0, at).trim()), host: parseHostName(value.slice(at + 1).trim()) };
}

/** One URL for each host that the URL of a database names. */
export function urlsOfHosts(databaseUrl: string): readonly string[] {
  const [authority = ''] = /(?<=^postgres(?:ql)?:\/\/)[^/?#]*/.exec(databaseUrl) ?? [];
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  return hosts.split(',').map((host) => databaseUrl.replace(hosts, () => host));
}

/** An IP address, or a network in CIDR notation. */
export function proxyNetwork(value: string): string {
  const [address = '', bits, ...more] = value.split('/');
  const maxBits = isIP(address) === 6 ? 128 : 32;
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits && more.length === 0);
  if (isIP(address) === 0 || !isNetwork)
    throw new Error(`"${value}" is not an IP address or a network like 10.0.0.0/8`);
  return value;
}

import type { RelayOptions } from './one-host-delivery-transport.js';
import type { SmtpCredentials, TlsRequirement } from './protocol/smtp-options.js';

type RelayAddress = Pick<RelayOptions, 'host' | 'port' | 'tls' | 'implicitTls' | 'credentials'>;

/**
 * Reads `smtp://user:password@host:port?tls=required|opportunistic|none`, or `smtps://` for TLS from the first byte.
 *
 * The default port is 465 for `smtps`, 587 with credentials, and 25 otherwise. `smtps` verifies the certificate unless
 * the URL has `tls=opportunistic`, because an operator who configures `smtps` expects to reach this relay and no other
 * host. Throws `RangeError` with a message for the operator. The message does not contain the URL, which may hold a
 * password.
 */
export function relayOptionsFromUrl(text: string): RelayAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new RangeError('The relay URL is not a URL; expected smtp://host:port or smtps://host:port');
  }
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') {
    throw new RangeError('The relay URL must start with smtp:// or smtps://');
  }
  if (url.hostname === '') throw new RangeError('The relay URL has no host');
  const implicitTls = url.protocol === 'smtps:';
  const tls = tlsPolicyOf(url.searchParams.get('tls') ?? (implicitTls ? 'required' : 'opportunistic'));
  if (implicitTls && tls === 'none') throw new RangeError('The relay URL asks for both smtps and tls=none');
  const credentials = credentialsOf(url);
  const defaultPort = credentials === undefined ? 25 : 587;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (implicitTls ? 465 : defaultPort) : Number(url.port),
    tls,
    implicitTls,
    credentials,
  };
}

function credentialsOf(url: URL): SmtpCredentials | undefined {
  if (url.username === '') return undefined;
  try {
    return { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    throw new RangeError('The user name or password in the relay URL is not percent-encoded correctly');
  }
}

function tlsPolicyOf(text: string): TlsRequirement {
  if (text === 'required' || text === 'opportunistic' || text === 'none') return text;
  throw new RangeError('The tls parameter of the relay URL must be required, opportunistic or none');
}

/** A module of Nodemailer, and what it is made with. */
export interface NodemailerAddress {
  /** Name of a package, or a path that begins with `./`, `../` or `/`. */
  readonly module: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Reads `nodemailer:module?name=value`; undefined for a URL of another kind. `true` and `false` are truth values, and everything
 * else is text. Throws `RangeError` with a message for the operator.
 */
export function nodemailerAddressFromUrl(
  text: string,
  options: Readonly<Record<string, unknown>> = {},
): NodemailerAddress | undefined {
  if (!/^nodemailer:/i.test(text)) return undefined;
  const [name = '', ...query] = text.slice('nodemailer:'.length).split('?');
  if (!/^[\w@./-]{1,300}$/.test(name)) throw new RangeError('The relay URL has no module; expected nodemailer:module');
  const given = [...new URLSearchParams(query.join('?'))].map(([key, value]) => [key, truthOf(value)] as const);
  return { module: name, options: { ...Object.fromEntries(given), ...options } };
}

/** Throws `RangeError` unless mail can go there. */
export function checkRelayUrl(text: string): void {
  if (nodemailerAddressFromUrl(text) === undefined) relayOptionsFromUrl(text);
}

function truthOf(value: string): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}

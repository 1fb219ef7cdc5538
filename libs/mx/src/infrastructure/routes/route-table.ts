import { relayOptionsFromUrl } from '#smtp-client';

/** `mx-or-relay`: uses the relay if no mail host can be connected to, for example because port 25 is blocked. */
export type Route = { readonly via: 'mx' } | { readonly via: 'relay' | 'mx-or-relay'; readonly relay: string };

interface Rule {
  /** A domain, `*.domain` for its subdomains, absent for all. */
  readonly recipients?: string;
  /** A domain, which includes its subdomains; absent for all. */
  readonly senders?: string;
  readonly route: Route;
}

const direct: Route = { via: 'mx' };

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

  routeFor(recipientDomain: string, senderHost: string): Route {
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
  relayOptionsFromUrl(relay);
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
export function isWithin(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

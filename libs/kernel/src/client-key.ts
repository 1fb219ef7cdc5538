/** The prefix of an IPv4 address on a socket that serves both address families (RFC 4291 section 2.5.5.2). */
const mapped = /^::ffff:(?=\d+\.)/i;

/** The address of a client, in IPv4 form if it is an IPv4 address. */
export function plainAddress(address: string): string {
  return address.replace(mapped, '');
}

/** The key of one client: its IPv4 address, or the /64 network of its IPv6 address, because one host has a whole /64. */
export function clientKey(address: string): string {
  const bare = plainAddress(address);
  return bare.includes(':') ? `${firstGroups(bare, 4)}::/64` : bare;
}

/** The network that usually belongs to one operator: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function clientNetwork(address: string): string {
  const bare = plainAddress(address);
  if (bare.includes(':')) return `${firstGroups(bare, 3)}::/48`;
  return `${bare.split('.').slice(0, 3).join('.')}.0/24`;
}

/** The first groups of an IPv6 address, with the zeros of `::` written out. */
function firstGroups(address: string, count: number): string {
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')];
  return full.slice(0, count).join(':');
}

const windowMs = 1_000;
const maxClients = 50_000;

/** Bounds the requests of one client without an API key, within this process. */
export class ClientBudget {
  private window = 0;
  private used = new Map<string, number>();

  /** @param maxPerSecond for each client network, see `clientKey` */
  constructor(private readonly maxPerSecond: number) {}

  /** False if the client has used up its requests of this second. */
  take(address: string, nowMs: number): boolean {
    const window = Math.floor(nowMs / windowMs);
    if (window !== this.window || this.used.size >= maxClients) {
      this.window = window;
      this.used = new Map();
    }
    const client = clientKey(address);
    const used = (this.used.get(client) ?? 0) + 1;
    this.used.set(client, used);
    return used <= this.maxPerSecond;
  }
}

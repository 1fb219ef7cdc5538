/** A network of addresses: those whose first `prefix` bits are its own. */
interface Network {
  readonly bits: 32 | 128;
  readonly value: bigint;
  readonly prefix: number;
}

/** The networks of a list, each an address or in CIDR notation. */
export class Networks {
  private readonly networks: readonly Network[];

  /** @param texts that `parseNetwork` accepts */
  constructor(texts: readonly string[]) {
    this.networks = texts.flatMap((text) => parsed(text) ?? []);
  }

  /** False for what is no address. */
  contain(address: string): boolean {
    const sought = parsed(address.split('%', 1)[0] ?? '');
    if (sought === undefined) return false;
    return this.networks.some(
      ({ bits, value, prefix }) =>
        bits === sought.bits && value >> BigInt(bits - prefix) === sought.value >> BigInt(bits - prefix),
    );
  }
}

/** `192.0.2.0/24`, `2001:db8::/32` or a single address, without spaces; undefined for anything else. */
export function parseNetwork(text: string): string | undefined {
  return parsed(text) === undefined ? undefined : text.toLowerCase();
}

function parsed(text: string): Network | undefined {
  const match = /^([\d.]{7,15}|[\da-f:.]{2,45})(?:\/(\d{1,3}))?$/i.exec(text);
  const [, address = '', prefixText] = match ?? [];
  const network = address.includes(':') ? ipv6(address) : ipv4(address);
  if (network === undefined) return undefined;
  const prefix = prefixText === undefined ? network.bits : Number(prefixText);
  if (prefix > network.bits) return undefined;
  return plain({ ...network, prefix });
}

function ipv4(address: string): Omit<Network, 'prefix'> | undefined {
  const parts = address.split('.');
  const areOctets =
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  if (!areOctets) return undefined;
  return { bits: 32, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) };
}

/** The URL parser writes every form of an address in the same way. */
function ipv6(address: string): Omit<Network, 'prefix'> | undefined {
  const url = `http://[${address}]`;
  if (!URL.canParse(url)) return undefined;
  const [head = '', tail = ''] = new URL(url).hostname.slice(1, -1).split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return { bits: 128, value: all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n) };
}

/** An IPv4 address that is written as an IPv6 address (RFC 4291 section 2.5.5.2) is an IPv4 address. */
function plain(network: Network): Network {
  const { bits, value, prefix } = network;
  if (bits === 32 || prefix < 96 || value >> 32n !== 0xffffn) return network;
  return { bits: 32, value: value & 0xffffffffn, prefix: prefix - 96 };
}

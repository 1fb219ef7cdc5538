export interface ZoneRecord {
  /** The whole name, without a dot at its end. */
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly priority?: number;
}

/** Characters of one string of a TXT record (RFC 1035 section 3.3). */
const maxString = 255;

/** Records in the form of RFC 1035 section 5, which DNS providers import. */
export function zoneFile(domain: string, records: readonly ZoneRecord[]): string {
  const lines = records.map(
    ({ host, type, value, priority }) => `${host}.\t3600\tIN\t${type}\t${dataOf(type, value, priority)}`,
  );
  return [`; DNS records of ${domain}`, ...lines, ''].join('\n');
}

function dataOf(type: string, value: string, priority: number | undefined): string {
  switch (type) {
    case 'TXT':
      return stringsOf(value);
    case 'MX':
      return `${priority ?? 10} ${absolute(value)}`;
    case 'CNAME':
      return absolute(value);
    default:
      return value;
  }
}

function stringsOf(value: string): string {
  const strings: string[] = [];
  for (let at = 0; at < value.length; at += maxString) strings.push(value.slice(at, at + maxString));
  return strings.map((text) => `"${text.replace(/[\\"]/g, '\\$&')}"`).join(' ');
}

function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/** How a domain wants mail to reach its hosts (MTA-STS, RFC 8461). */
export interface StsPolicy {
  /** `enforce`: only to these hosts, with a certificate that verifies. `testing`: failures are reported and no more. */
  readonly mode: 'enforce' | 'testing' | 'none';
  /** Host names, or `*.` and the name above theirs. */
  readonly mx: readonly string[];
  /** Seconds for which it holds from when it was fetched. */
  readonly maxAge: number;
}

/** RFC 8461 section 3.2: about a year. */
const maxAgeMs = 31_557_600;
const maxHosts = 100;
/** Section 3.3 suggests to read no more. */
const maxPolicyCharacters = 65_536;
const fieldName = /^[A-Za-z0-9_.-]{1,32}$/;
const blanks = ' \t';

/** The id of the policy that the TXT records of `_mta-sts` announce; undefined where they announce none (section 3.1). */
export function announcedPolicyId(records: readonly string[]): string | undefined {
  const announcements = records.filter((text) => /^v=STSv1\s*(?:;|$)/.test(text));
  if (announcements.length !== 1) return undefined;
  return /;\s*id\s*=\s*([A-Za-z0-9]{1,32})\s*(?:;|$)/.exec(announcements[0] as string)?.[1];
}

/**
 * Reads a policy file (section 3.2); undefined where it is none. Of a field that comes twice the first counts. Linear in
 * the length of the text.
 */
export function readStsPolicy(text: string): StsPolicy | undefined {
  const fields = new Map<string, string[]>();
  for (const line of text.slice(0, maxPolicyCharacters).split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = withoutBlanks(line.slice(0, Math.max(colon, 0)));
    // A name stands at the beginning of its line.
    if (!fieldName.test(name) || !line.startsWith(name)) continue;
    const values = fields.get(name);
    const value = withoutBlanks(line.slice(colon + 1));
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  const first = (name: string): string | undefined => fields.get(name)?.[0];
  const mode = first('mode');
  const maxAge = first('max_age') ?? '';
  const mx = (fields.get('mx') ?? []).map((host) => host.toLowerCase()).slice(0, maxHosts);
  if (first('version') !== 'STSv1' || !/^\d{1,10}$/.test(maxAge)) return undefined;
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none') return undefined;
  if (mode !== 'none' && mx.length === 0) return undefined;
  return { mode, mx, maxAge: Math.min(Number(maxAge), maxAgeMs) };
}

/** Whether the policy allows for the host (section 4.1): `*` stands for one label. */
export function namesHost({ mx }: StsPolicy, host: string): boolean {
  const name = host.toLowerCase();
  const parent = name.slice(name.indexOf('.') + 1);
  return mx.some((pattern) =>
    pattern.startsWith('*.') ? name !== parent && pattern.slice(2) === parent : pattern === name,
  );
}

function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blanks.includes(text.charAt(start))) start++;
  while (end > start && blanks.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

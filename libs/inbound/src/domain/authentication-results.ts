import { Verdicts } from './verdicts.js';

/** Who judged, and what was judged, for the text of the field. */
export interface ResultsContext {
  /** The authserv-id (RFC 8601 section 2.5): the name of this host. */
  readonly hostName: string;
  readonly mailFrom: string;
  readonly helo: string;
  readonly clientAddress: string;
}

/** The value of a property is written bare if it is a token, otherwise in quotes (RFC 8601 section 2.2). */
const token = /^[\w.@+=#$%&'*/?^`{|}~!:-]+$/;
const maxValueLength = 320;

/** The `Authentication-Results` field (RFC 8601), with CRLF. It never holds a line of the sender's. */
export function authenticationResults(verdicts: Verdicts, context: ResultsContext): string {
  const { spf, dkim, dmarc, arc, fcrdns } = verdicts;
  const { hostName, mailFrom, helo, clientAddress } = context;
  const spfProperty = mailFrom === '' ? `smtp.helo=${valueOf(helo)}` : `smtp.mailfrom=${valueOf(mailFrom)}`;
  const results = [
    `spf=${spf.result} ${spfProperty}`,
    ...(dkim.length === 0 ? ['dkim=none'] : dkim.map(dkimResult)),
    `dmarc=${dmarc.result}${dmarc.policy === undefined ? '' : ` (p=${dmarc.policy})`}${
      dmarc.domain === '' ? '' : ` header.from=${valueOf(dmarc.domain)}`
    }`,
    `arc=${arc.result}${arc.sets === 0 ? '' : ` (i=${arc.sets})`}`,
    `iprev=${fcrdns.result === 'none' ? 'fail' : fcrdns.result} policy.iprev=${valueOf(clientAddress)}`,
  ];
  return `Authentication-Results: ${hostName};\r\n ${results.join(';\r\n ')}\r\n`;
}

function dkimResult({ result, domain, selector, reason }: Verdicts['dkim'][number]): string {
  const why = reason === undefined ? '' : ` reason=${quoted(reason)}`;
  return `dkim=${result}${why} header.d=${valueOf(domain)} header.s=${valueOf(selector)}`;
}

function valueOf(text: string): string {
  return token.test(text) && text.length <= maxValueLength ? text : quoted(text);
}

function quoted(text: string): string {
  const safe = text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?').slice(0, maxValueLength);
  return `"${safe.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * Whether an `Authentication-Results` value claims to be from this host, so that a reader would take it for ours: section 5
 * requires its removal. A value whose authserv-id cannot be read is treated as such a claim.
 */
export function claimsToBeFrom(value: string, hostName: string): boolean {
  const start = afterComments(value);
  if (start === undefined) return true;
  const rest = value.slice(start, start + maxValueLength);
  const isQuoted = rest.startsWith('"');
  const [id = ''] = isQuoted ? rest.slice(1).split('"', 1) : rest.split(/[\s;(/]/, 1);
  const name = id.replaceAll('\\', '').trim().toLowerCase();
  return name === '' || withoutDot(name) === withoutDot(hostName.toLowerCase());
}

/** The position after white space and comments; undefined if a comment does not end. */
function afterComments(value: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    const character = value[at] as string;
    if (depth > 0 && character === '\\') at++;
    else if (character === '(') depth++;
    else if (character === ')' && depth > 0) depth--;
    else if (depth === 0 && !/\s/.test(character)) return at;
  }
  return depth > 0 ? undefined : value.length;
}

function withoutDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

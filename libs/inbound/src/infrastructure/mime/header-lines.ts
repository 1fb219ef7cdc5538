import { claimsToBeFrom } from '../../domain/authentication-results.js';

const resultsField = 'authentication-results';
const automaticFields = new Set(['content-type', 'auto-submitted']);
const signatureFields = ['dkim-signature', 'arc-message-signature', 'arc-seal'];

export interface InspectedHeader {
  /** The header without results that claim to be ours. The same bytes if there are none. */
  readonly kept: Uint8Array;
  /** The number of servers that the message has passed. */
  readonly hops: number;
  /** Whether it says that a program wrote it: a report, or an automatic answer (RFC 3834). */
  readonly isAutomatic: boolean;
  /** The number of `From` fields. */
  readonly authors: number;
  /** The number of DKIM and ARC signatures. */
  readonly signatures: number;
  /** Bytes of the signatures. */
  readonly signatureBytes: number;
}

/** Reads what the first look at a header needs. Takes linear time; all other bytes stay as they are. */
export function inspectHeader(header: Uint8Array, hostName: string): InspectedHeader {
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('latin1');
  const kept: string[] = [];
  let hops = 0;
  let authors = 0;
  let signatures = 0;
  let signatureBytes = 0;
  let isCut = false;
  let isAutomatic = false;
  for (const field of fieldsOf(text)) {
    const colon = field.indexOf(':');
    const name = colon < 0 ? '' : field.slice(0, colon).trimEnd().toLowerCase();
    if (name === 'received') hops++;
    if (name === 'from') authors++;
    if (automaticFields.has(name)) isAutomatic ||= saysAutomatic(name, field.slice(colon + 1));
    if (signatureFields.includes(name)) {
      signatures++;
      signatureBytes += field.length;
    }
    if (name === resultsField && claimsToBeFrom(field.slice(colon + 1), hostName)) isCut = true;
    else kept.push(field);
  }
  return {
    kept: isCut ? Buffer.from(kept.join(''), 'latin1') : header,
    hops,
    isAutomatic,
    authors,
    signatures,
    signatureBytes,
  };
}

function saysAutomatic(name: string, value: string): boolean {
  const text = value.slice(0, 100).trim().toLowerCase();
  return name === 'content-type' ? text.startsWith('multipart/report') : text !== '' && !/^no\b/.test(text);
}

/** The fields with their continuation lines and line ends. The empty line at the end is an item of its own. */
function* fieldsOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('\n', start) + 1;
    while (end > 0 && (text[end] === ' ' || text[end] === '\t')) end = text.indexOf('\n', end) + 1;
    if (end === 0) end = text.length;
    yield text.slice(start, end);
    start = end;
  }
}

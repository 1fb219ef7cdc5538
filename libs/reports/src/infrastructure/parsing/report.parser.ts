import type { ReportKind } from '#domains';
import { MimeTooComplexError, readMessage } from '#mime';
import type { MessageFile } from '#mime';
import type { Parser } from '#platform/parsing';
import type { ReadReport } from '../../application/ports/report-log.port.js';
import { readDmarcXml } from './dmarc-xml.js';
import { readFailure } from './failure-fields.js';
import { gunzipped, maxTextBytes, NotAReportError, unzipped } from './inflate.js';
import { readTlsJson } from './tls-json.js';

export interface ReportQuestion {
  readonly kind: ReportKind;
  /** When the message came: failure reports do not always say when the failure was. */
  readonly receivedAt: Date;
}

/** Parts of a message that are looked at. A report is in the first or second. */
const maxFiles = 10;

/** Reads the report in a message. Never throws for any message. */
export async function parse(message: Uint8Array, { kind, receivedAt }: ReportQuestion): Promise<ReadReport> {
  try {
    const { files, text } = readMessage(message);
    if (kind === 'failure') return { report: readFailure(files.slice(0, maxFiles), receivedAt) };
    const bytes = await reportIn(files, text);
    return { report: kind === 'dmarc' ? readDmarcXml(bytes) : readTlsJson(bytes) };
  } catch (error) {
    if (error instanceof NotAReportError || error instanceof MimeTooComplexError) return { unreadable: error.message };
    throw error;
  }
}

/** Reports are small, but a few KB can become megabytes: always in a thread. */
export const reportParser: Parser<ReportQuestion, ReadReport> = { url: import.meta.url, parse, maxInlineBytes: 0 };

/** Types and names of the parts are often wrong, so the first bytes decide. */
async function reportIn(files: readonly MessageFile[], text: () => Buffer | null): Promise<Buffer> {
  for (const file of files.slice(0, maxFiles)) {
    const bytes = file.content();
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipped(bytes);
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return unzipped(bytes);
    if (looksLikeText(bytes)) return withinLimit(bytes);
  }
  const body = text();
  if (body !== null && looksLikeText(body)) return withinLimit(body);
  throw new NotAReportError('The message has no report');
}

/** XML or JSON, perhaps after a byte order mark and white space. */
function looksLikeText(bytes: Buffer): boolean {
  const begin = bytes
    .toString('utf8', 0, 64)
    .replace(/^\ufeff/, '')
    .trimStart();
  return begin.startsWith('<?xml') || begin.startsWith('<feedback') || begin.startsWith('{');
}

function withinLimit(bytes: Buffer): Buffer {
  if (bytes.length > maxTextBytes) throw new NotAReportError('The report is too large');
  return bytes;
}

import { readReport } from '#mime';
import type { Parser } from '#platform/parsing';
import type { ReadMailReport } from '../application/ports/reports.port.js';

export interface MailReportQuestion {
  readonly maxReturnPaths: number;
}

/** The form that `ReturnPaths` gives them. The caller verifies the signature. */
const returnPath = /bounces\+[a-z2-7]{45}@[a-z0-9.-]{1,253}/gi;

export function parse(content: Uint8Array, { maxReturnPaths }: MailReportQuestion): ReadMailReport {
  return { report: readReport(content), returnPaths: returnPathsIn(content, maxReturnPaths) };
}

/** Reports are a few KB. The most expensive ones of 16 KB take 20 ms: many parts, lists, status blocks or links. */
export const reportParser: Parser<MailReportQuestion, ReadMailReport> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 16 * 1024,
};

function returnPathsIn(content: Uint8Array, limit: number): readonly string[] {
  const found = new Set<string>();
  if (limit === 0) return [];
  // Joins the lines that quoted-printable has broken, which may be anywhere.
  const text = Buffer.from(content)
    .toString('latin1')
    .replace(/=\r?\n/g, '');
  for (const [path] of text.matchAll(returnPath)) {
    found.add(path.toLowerCase());
    if (found.size === limit) break;
  }
  return [...found];
}

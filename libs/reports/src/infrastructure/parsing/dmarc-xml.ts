import { AuthResult, DmarcReport, DmarcRow } from '../../domain/report.js';
import { DistinctRows } from './distinct-rows.js';
import { NotAReportError } from './inflate.js';
import { count, domainName, ipAddress, selector, shown, wholeNumber, word } from './values.js';
import { elementAt, elementsAt, readXml, textAt, XmlElement } from './xml-elements.js';

/** Records of one report. The largest real ones have a hundred thousand. */
const maxRecords = 500_000;
/** Signatures of one message that are looked at. */
const maxResults = 20;

type Row = Omit<DmarcRow, 'messages'>;

/** Reads an aggregate report (RFC 7489 appendix C, RFC 9990). Namespaces and unknown elements are ignored. */
export function readDmarcXml(bytes: Buffer): DmarcReport {
  const rows = new DistinctRows<Row>(restOf);
  let records = 0;
  let unusable = 0;
  const root = readXml(bytes, 'record', (record) => {
    if (++records > maxRecords) throw new NotAReportError('The report has too many records');
    const messages = count(textAt(record, 'row', 'count'));
    const row = rowOf(record);
    if (row === undefined || messages === undefined) unusable++;
    else rows.add(row, messages);
  });
  if (root.name !== 'feedback') throw new NotAReportError('The report is not an aggregate report');
  const metadata = elementAt(root, 'report_metadata');
  const published = elementAt(root, 'policy_published');
  const policyDomain = domainName(textAt(published, 'domain'));
  const reportId = textAt(metadata, 'report_id');
  if (policyDomain === undefined || reportId === undefined) {
    throw new NotAReportError('The report lacks its id or the domain that it is about');
  }
  return {
    kind: 'dmarc',
    organization: shown(textAt(metadata, 'org_name') ?? ''),
    reportId: shown(reportId),
    ...periodOf(textAt(metadata, 'date_range', 'begin'), textAt(metadata, 'date_range', 'end')),
    policyDomain,
    policy: {
      p: word(textAt(published, 'p')) ?? null,
      sp: word(textAt(published, 'sp')) ?? null,
      pct: count(textAt(published, 'pct'))?.toString() ?? null,
      adkim: word(textAt(published, 'adkim')) ?? null,
      aspf: word(textAt(published, 'aspf')) ?? null,
    },
    rows: rows.all().map(({ row, count: messages }) => ({ ...row, messages })),
    unusable,
  };
}

function rowOf(record: XmlElement): Row | undefined {
  const source = ipAddress(textAt(record, 'row', 'source_ip'));
  const headerFrom = domainName(textAt(record, 'identifiers', 'header_from'));
  if (source === undefined || headerFrom === undefined) return undefined;
  const evaluated = elementAt(record, 'row', 'policy_evaluated');
  const results = elementAt(record, 'auth_results');
  const dkimAligned = word(textAt(evaluated, 'dkim')) === 'pass';
  const spfAligned = word(textAt(evaluated, 'spf')) === 'pass';
  const signature = telling(elementsAt(results, 'dkim'), headerFrom);
  return {
    source,
    headerFrom,
    disposition: dispositionOf(textAt(evaluated, 'disposition')),
    dkimAligned,
    spfAligned,
    dkim: resultOf(signature),
    dkimSelector: selector(textAt(signature, 'selector')) ?? null,
    spf: resultOf(telling(elementsAt(results, 'spf'), headerFrom)),
    override: word(textAt(evaluated, 'reason', 'type')) ?? null,
  };
}

/**
 * The result that says most about the sender: one that passed for the author's domain, else one that passed, else the
 * first.
 */
function telling(results: readonly XmlElement[], headerFrom: string): XmlElement | undefined {
  const looked = results.slice(0, maxResults);
  const passed = looked.filter((result) => word(textAt(result, 'result')) === 'pass');
  const isOfAuthor = (result: XmlElement): boolean => {
    const domain = domainName(textAt(result, 'domain'));
    return domain !== undefined && (headerFrom.endsWith(domain) || domain.endsWith(headerFrom));
  };
  return passed.find(isOfAuthor) ?? passed[0] ?? looked.find(isOfAuthor) ?? looked[0];
}

function resultOf(element: XmlElement | undefined): AuthResult | null {
  const domain = domainName(textAt(element, 'domain'));
  return domain === undefined ? null : { domain, result: word(textAt(element, 'result')) ?? 'unknown' };
}

function dispositionOf(text: string | undefined): Row['disposition'] {
  const disposition = word(text);
  return disposition === 'quarantine' || disposition === 'reject' ? disposition : 'none';
}

function periodOf(begin: string | undefined, end: string | undefined): { beginsAt: Date; endsAt: Date } {
  const [from, to] = [wholeNumber(begin), wholeNumber(end)];
  // Seconds; some reporters write milliseconds.
  const dateOf = (value: number): Date => new Date(value > 100_000_000_000 ? value : value * 1_000);
  if (from === undefined || to === undefined)
    throw new NotAReportError('The report does not say which time it is about');
  return { beginsAt: dateOf(from), endsAt: dateOf(to) };
}

function restOf({ headerFrom, disposition, dkimAligned, spfAligned }: Row): Row {
  const nothing = { source: null, dkim: null, dkimSelector: null, spf: null, override: null };
  return { headerFrom, disposition, dkimAligned, spfAligned, ...nothing };
}

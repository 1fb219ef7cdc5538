/** What the reports of a period say about one source of mail with the domain in its From field. */
export interface SourceCounts {
  /** IP address; `others` for the sum of those that are not told apart. */
  readonly source: string;
  readonly messages: number;
  /** Messages for which DMARC passed, by DKIM or SPF. */
  readonly aligned: number;
  readonly alignedByDkim: number;
  readonly alignedBySpf: number;
  /** Messages with a valid signature of a key of ours, from any server. */
  readonly signedByUs: number;
  /** Messages whose envelope sender is at our return path, from an address that its SPF record allows. */
  readonly sentByUs: number;
  /** Messages that failed DMARC and whose sender proved another domain by SPF or DKIM. */
  readonly provedOther: number;
  /** Messages that receivers took for forwarded ones or for those of a mailing list. */
  readonly forwarded: number;
  readonly quarantined: number;
  readonly rejected: number;
  /** First and last day, `yyyy-mm-dd`, and the number of days with messages. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly days: number;
  readonly headerFrom: readonly string[];
  /** Domains that DKIM or SPF proved. */
  readonly proven: readonly string[];
  readonly reporters: number;
}

/**
 * `ours`: this service sends from it. `forwarder`: it passes mail of ours on. `aligned`: another service that sends
 * with the domain's permission. `misaligned`: it proves another domain, like a service that is not set up for this one.
 * `unknown`: it proves nothing, like who forges the domain.
 */
export type SourceKind = 'ours' | 'forwarder' | 'aligned' | 'misaligned' | 'unknown';

export interface ReportedSender extends SourceCounts {
  readonly kind: SourceKind;
}

/** Part of a source's messages from which a trait counts as its own. */
const most = 0.5;

export function senderOf(counts: SourceCounts, ourAddresses: ReadonlySet<string>): ReportedSender {
  return { ...counts, kind: kindOf(counts, ourAddresses) };
}

function kindOf(counts: SourceCounts, ourAddresses: ReadonlySet<string>): SourceKind {
  if (ourAddresses.has(counts.source) || counts.sentByUs > 0) return 'ours';
  const { messages } = counts;
  if (counts.signedByUs > 0 || counts.forwarded > messages * most) return 'forwarder';
  if (counts.aligned > messages * most) return 'aligned';
  return counts.provedOther > (messages - counts.aligned) * most ? 'misaligned' : 'unknown';
}

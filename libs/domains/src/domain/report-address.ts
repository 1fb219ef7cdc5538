import { Domain, returnPathHost } from './domain.js';

/** `dmarc`: aggregate reports (RFC 7489). `tls`: RFC 8460. `failure`: reports on single messages (RFC 6591). */
export type ReportKind = 'dmarc' | 'tls' | 'failure';

const localParts: Readonly<Record<ReportKind, string>> = {
  dmarc: 'dmarc-reports',
  tls: 'tls-reports',
  failure: 'dmarc-failures',
};

type Reported = Pick<Domain, 'name' | 'customReturnPath' | 'sending'>;

/**
 * The host to which reports about a domain are sent: the return path's host, whose mail comes here anyway. It is a name
 * below the domain, so no other domain has to authorise the address (RFC 7489 section 7.1). A domain that only receives
 * has no such host and takes its reports itself.
 */
export function reportHost(domain: Reported): string {
  return domain.sending ? returnPathHost(domain) : domain.name;
}

export function reportAddress(kind: ReportKind, domain: Reported): string {
  return `${localParts[kind]}@${reportHost(domain)}`;
}

/** The kind of reports that a local part is for; undefined for any other. Case does not matter. */
export function reportKindOf(local: string): ReportKind | undefined {
  const key = local.toLowerCase();
  return (Object.keys(localParts) as ReportKind[]).find((kind) => localParts[kind] === key);
}

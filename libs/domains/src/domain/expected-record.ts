import { DkimAlgorithm, DkimKeyInfo, dkimRecord, Domain, returnPathHost, trackingKey } from './domain.js';
import { RecordPurpose } from './record-check.js';
import { reportAddress } from './report-address.js';

/** The service's own names to which a domain's records point. */
export interface ServiceHosts {
  /** Host that receives bounces and mail and serves tracked links. Mail is sent from its addresses. */
  readonly host: string;
  /** Name of an SPF record to include. Undefined: SPF records name the host itself. */
  readonly spfInclude: string | undefined;
  /** The host of the next region, which takes mail while this one does not respond; undefined if there is no other host. */
  readonly standInHost?: string | undefined;
  /**
   * Authority that issues the certificates of tracking hosts, as CAA records name it; undefined if they need none.
   */
  readonly trackingCa?: string;
}

interface RecordBase {
  readonly key: string;
  readonly purpose: RecordPurpose;
  /** Absolute, without a trailing dot. */
  readonly host: string;
  readonly value: string;
}

/** A record that the customer should publish. */
export type ExpectedRecord =
  | (RecordBase & { readonly kind: 'dkim'; readonly publicKey: DkimKeyInfo })
  /**
   * The alias points to a name of this service. `publicKey` is the key at that name, undefined for a selector that is
   * reserved for the next rotation.
   */
  | (RecordBase & { readonly kind: 'dkim-alias'; readonly publicKey: DkimKeyInfo | undefined })
  | (RecordBase & { readonly kind: 'return-path'; readonly priority: number; readonly domainReceives: boolean })
  | (RecordBase & { readonly kind: 'spf'; readonly mechanism: string })
  | (RecordBase & { readonly kind: 'receiving'; readonly priority: number })
  /** Beside one of these two: for domains whose mail another region may send. */
  | (RecordBase & {
      readonly kind: 'stand-in';
      readonly priority: number;
      readonly beside: 'return-path' | 'receiving';
    })
  | (RecordBase & { readonly kind: 'tracking' })
  /** Needed only in a zone that restricts who may issue certificates and does not include our authority. */
  | (RecordBase & { readonly kind: 'tracking-caa'; readonly authority: string; readonly trackingHost: string })
  | (RecordBase & { readonly kind: 'dmarc' })
  /** Where other servers report how their TLS connections to the domain's mail hosts went (RFC 8460). */
  | (RecordBase & { readonly kind: 'tls-reporting' });

/** The type of its record in the DNS. */
export function dnsTypeOf(record: ExpectedRecord): 'TXT' | 'MX' | 'CNAME' | 'CAA' {
  switch (record.kind) {
    case 'dkim':
    case 'spf':
    case 'dmarc':
    case 'tls-reporting':
      return 'TXT';
    case 'return-path':
    case 'receiving':
    case 'stand-in':
      return 'MX';
    case 'dkim-alias':
    case 'tracking':
      return 'CNAME';
    case 'tracking-caa':
      return 'CAA';
  }
}

export const mxPriority = 10;
/** Senders come here once no host of the lower number responds. */
export const standInPriority = 20;

/** All records that a domain should have in the DNS, in the order in which they are shown. */
export function expectedRecords(
  domain: Domain,
  keys: readonly DkimKeyInfo[],
  hosts: ServiceHosts,
): readonly ExpectedRecord[] {
  if (domain.sandbox) return [];
  return [
    ...(domain.sending ? sendingRecords(domain, keys, hosts) : []),
    ...(domain.receiving ? [receivingRecord(domain, hosts), ...standInRecord(domain, 'receiving', hosts)] : []),
    ...(domain.trackingSubdomain === null ? [] : trackingRecords(domain, domain.trackingSubdomain, hosts)),
    ...(domain.sending ? [dmarcRecord(domain)] : []),
    ...(domain.receiving ? [tlsReportingRecord(domain)] : []),
  ];
}

function sendingRecords(domain: Domain, keys: readonly DkimKeyInfo[], hosts: ServiceHosts): ExpectedRecord[] {
  const dkim = domain.dkimPublication === 'cname' ? dkimAliases(domain, keys, hosts) : dkimTexts(domain, keys);
  const host = returnPathHost(domain);
  const mechanism = hosts.spfInclude === undefined ? `a:${hosts.host}` : `include:${hosts.spfInclude}`;
  return [
    ...dkim,
    {
      kind: 'return-path',
      key: 'return-path',
      purpose: 'sending',
      host,
      value: hosts.host,
      priority: mxPriority,
      domainReceives: domain.receiving,
    },
    ...standInRecord(domain, 'return-path', hosts),
    { kind: 'spf', key: 'spf', purpose: 'sending', host, value: `v=spf1 ${mechanism} ~all`, mechanism },
  ];
}

function dkimTexts(domain: Domain, keys: readonly DkimKeyInfo[]): ExpectedRecord[] {
  return keys
    .filter((key) => key.state !== 'retired')
    .map((key) => ({
      kind: 'dkim',
      key: dkimKeyOf(key.selector),
      purpose: purposeOf(key),
      host: dkimHost(key.selector, domain.name),
      value: dkimRecord(key),
      publicKey: key,
    }));
}

/** Two names for each algorithm: while the key at one signs, the other is free for the next key. */
function dkimAliases(domain: Domain, keys: readonly DkimKeyInfo[], hosts: ServiceHosts): ExpectedRecord[] {
  const algorithms: DkimAlgorithm[] = ['rsa-sha256', 'ed25519-sha256'];
  return algorithms.flatMap((algorithm) =>
    [1, 2].map((slot): ExpectedRecord => {
      const selector = selectorOf('cname', slot, algorithm);
      const key = keys.find((candidate) => candidate.selector === selector);
      return {
        kind: 'dkim-alias',
        key: dkimKeyOf(selector),
        // The free name is required too: without it the next rotation could not finish.
        purpose: algorithm === 'rsa-sha256' ? 'sending' : 'optional',
        host: dkimHost(selector, domain.name),
        value: delegatedHost(domain.id, selector, hosts.host),
        publicKey: key,
      };
    }),
  );
}

/**
 * A signing RSA key is required. A key that waits to be seen (Ed25519, the next key of a rotation) does not delay
 * verification.
 */
function purposeOf(key: DkimKeyInfo): RecordPurpose {
  return key.algorithm === 'rsa-sha256' && key.state === 'signing' ? 'sending' : 'optional';
}

function receivingRecord(domain: Domain, hosts: ServiceHosts): ExpectedRecord {
  return {
    kind: 'receiving',
    key: 'receiving',
    purpose: 'receiving',
    host: domain.name,
    value: hosts.host,
    priority: mxPriority,
  };
}

/** It is not required: without it mail waits at its senders while the region is away. */
function standInRecord(
  domain: Domain,
  beside: 'return-path' | 'receiving',
  { standInHost }: ServiceHosts,
): ExpectedRecord[] {
  if (!domain.failover || standInHost === undefined) return [];
  const host = beside === 'receiving' ? domain.name : returnPathHost(domain);
  return [
    {
      kind: 'stand-in',
      key: `${beside}:stand-in`,
      purpose: 'optional',
      beside,
      host,
      value: standInHost,
      priority: standInPriority,
    },
  ];
}

function trackingRecords(domain: Domain, subdomain: string, hosts: ServiceHosts): ExpectedRecord[] {
  const host = `${subdomain}.${domain.name}`;
  const alias: ExpectedRecord = { kind: 'tracking', key: trackingKey, purpose: 'optional', host, value: hosts.host };
  const { trackingCa } = hosts;
  return trackingCa === undefined ? [alias] : [alias, caaRecord(domain, host, trackingCa)];
}

/** Published at the domain, because the tracking host is an alias and cannot have other records. */
function caaRecord(domain: Domain, trackingHost: string, authority: string): ExpectedRecord {
  return {
    kind: 'tracking-caa',
    key: 'tracking-caa',
    purpose: 'optional',
    host: domain.name,
    value: `0 issue "${authority}"`,
    authority,
    trackingHost,
  };
}

export function dmarcRecord(domain: Domain): ExpectedRecord {
  const value = `v=DMARC1; p=none; rua=mailto:${reportAddress('dmarc', domain)};`;
  return { kind: 'dmarc', key: 'dmarc', purpose: 'optional', host: `_dmarc.${domain.name}`, value };
}

export function tlsReportingRecord(domain: Domain): ExpectedRecord {
  const value = `v=TLSRPTv1; rua=mailto:${reportAddress('tls', domain)};`;
  return { kind: 'tls-reporting', key: 'tls-reporting', purpose: 'optional', host: `_smtp._tls.${domain.name}`, value };
}

export function dkimKeyOf(selector: string): string {
  return `dkim:${selector}`;
}

export function dkimHost(selector: string, domainName: string): string {
  return `${selector}._domainkey.${domainName}`;
}

/** The name at which the service publishes a key of a domain whose selectors are aliases. */
export function delegatedHost(domainId: string, selector: string, serviceHost: string): string {
  return `${selector}.${domainId.replaceAll('-', '')}.dkim.${serviceHost}`;
}

/**
 * `postrider`, `postrider2`, and so on. In TXT publication a selector is never used twice, because a resolver may still
 * cache its earlier key. Delegated selectors alternate, because this service controls how long resolvers cache them.
 */
export function selectorOf(
  publication: Domain['dkimPublication'],
  generation: number,
  algorithm: DkimAlgorithm,
): string {
  const number = publication === 'cname' ? ((generation - 1) % 2) + 1 : generation;
  return `postrider${number === 1 ? '' : number}${algorithm === 'rsa-sha256' ? '' : '-ed25519'}`;
}

import { dkimRecord } from './dkim-record.js';
import { DkimAlgorithm, DkimKeyInfo, Domain, returnPathHost, trackingKey } from './domain.js';
import { RecordPurpose } from './record-check.js';

/** The service's own names that a domain's records point to. */
export interface ServiceHosts {
  /** Receives bounces and mail, serves tracked links, and its addresses send. */
  readonly host: string;
  /** Name of an SPF record to include instead of naming the host. */
  readonly spfInclude: string | undefined;
  /** Who issues the certificates of tracking hosts, as CAA records name it; undefined where they need none. */
  readonly trackingCa?: string;
  /** Whether the host takes mail for the domains of customers. Where it does not, their mail would be refused there. */
  readonly receives: boolean;
}

interface RecordBase {
  readonly key: string;
  readonly purpose: RecordPurpose;
  /** Absolute, without a trailing dot. */
  readonly host: string;
  readonly value: string;
}

/** A record that the customer is to publish. */
export type ExpectedRecord =
  | (RecordBase & { readonly kind: 'dkim'; readonly publicKey: DkimKeyInfo })
  /** `target` is ours; `publicKey` is what it leads to, undefined for a selector kept free for the next rotation. */
  | (RecordBase & { readonly kind: 'dkim-alias'; readonly publicKey: DkimKeyInfo | undefined })
  | (RecordBase & { readonly kind: 'return-path'; readonly priority: number; readonly domainReceives: boolean })
  | (RecordBase & { readonly kind: 'spf'; readonly mechanism: string })
  /** Not to be published, and never verified, while the service does not receive. */
  | (RecordBase & { readonly kind: 'receiving'; readonly priority: number; readonly serviceReceives: boolean })
  | (RecordBase & { readonly kind: 'tracking' })
  /** Only of use in a zone that says who may issue certificates for it, and does not name ours. */
  | (RecordBase & { readonly kind: 'tracking-caa'; readonly authority: string; readonly trackingHost: string })
  | (RecordBase & { readonly kind: 'dmarc' });

export const mxPriority = 10;
export const recommendedDmarc = 'v=DMARC1; p=none;';

/** Everything a domain should have in the DNS, in the order in which it is shown. */
export function expectedRecords(
  domain: Domain,
  keys: readonly DkimKeyInfo[],
  hosts: ServiceHosts,
): readonly ExpectedRecord[] {
  if (domain.sandbox) return [];
  return [
    ...(domain.sending ? sendingRecords(domain, keys, hosts) : []),
    ...(domain.receiving ? [receivingRecord(domain, hosts)] : []),
    ...(domain.trackingSubdomain === null ? [] : trackingRecords(domain, domain.trackingSubdomain, hosts)),
    ...(domain.sending ? [dmarcRecord(domain)] : []),
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

/** Two names for each algorithm: one signs while the other is free for the next key. */
function dkimAliases(domain: Domain, keys: readonly DkimKeyInfo[], hosts: ServiceHosts): ExpectedRecord[] {
  const algorithms: DkimAlgorithm[] = ['rsa-sha256', 'ed25519-sha256'];
  return algorithms.flatMap((algorithm) =>
    [1, 2].map((slot): ExpectedRecord => {
      const selector = selectorOf('cname', slot, algorithm);
      const key = keys.find((candidate) => candidate.selector === selector);
      return {
        kind: 'dkim-alias',
        key: dkimKeyOf(selector),
        // The free name is required as well: a rotation that finds it missing could not go on.
        purpose: algorithm === 'rsa-sha256' ? 'sending' : 'optional',
        host: dkimHost(selector, domain.name),
        value: delegatedHost(domain.id, selector, hosts.host),
        publicKey: key,
      };
    }),
  );
}

/** A key that signs is required; one that waits to be seen (Ed25519, the next key of a rotation) holds nothing up. */
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
    serviceReceives: hosts.receives,
  };
}

function trackingRecords(domain: Domain, subdomain: string, hosts: ServiceHosts): ExpectedRecord[] {
  const host = `${subdomain}.${domain.name}`;
  const alias: ExpectedRecord = { kind: 'tracking', key: trackingKey, purpose: 'optional', host, value: hosts.host };
  const { trackingCa } = hosts;
  return trackingCa === undefined ? [alias] : [alias, caaRecord(domain, host, trackingCa)];
}

/** At the domain: the tracking host is an alias, which cannot have another record. */
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

function dmarcRecord(domain: Domain): ExpectedRecord {
  return { kind: 'dmarc', key: 'dmarc', purpose: 'optional', host: `_dmarc.${domain.name}`, value: recommendedDmarc };
}

export function dkimKeyOf(selector: string): string {
  return `dkim:${selector}`;
}

export function dkimHost(selector: string, domainName: string): string {
  return `${selector}._domainkey.${domainName}`;
}

/** Where the service publishes a key of a domain whose selectors are aliases. */
export function delegatedHost(domainId: string, selector: string, serviceHost: string): string {
  return `${selector}.${domainId.replaceAll('-', '')}.dkim.${serviceHost}`;
}

/**
 * `postrider`, `postrider2`, ...: published by hand, no selector is ever used twice, since a cache may still hold what
 * it had. Delegated names come in turn: there the time that caches keep them is ours to say.
 */
export function selectorOf(
  publication: Domain['dkimPublication'],
  generation: number,
  algorithm: DkimAlgorithm,
): string {
  const number = publication === 'cname' ? ((generation - 1) % 2) + 1 : generation;
  return `postrider${number === 1 ? '' : number}${algorithm === 'rsa-sha256' ? '' : '-ed25519'}`;
}

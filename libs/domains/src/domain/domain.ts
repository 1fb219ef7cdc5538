import { BrandLogo } from './brand-logo.js';
import { RecordChecks } from './record-check.js';

export type DomainStatus =
  'not_started' | 'pending' | 'verified' | 'partially_verified' | 'partially_failed' | 'temporary_failure' | 'failed';

export type TlsPolicy = 'opportunistic' | 'enforced';

/** How the customer publishes the DKIM keys: as TXT records, or as permanent aliases of names in this service's zone. */
export type DkimPublication = 'txt' | 'cname';

/** Settings that the customer chooses and can change later. */
export interface DomainSettings {
  readonly tls: TlsPolicy;
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
  /** Label of the host in rewritten links: `links` makes `links.example.test`. */
  readonly trackingSubdomain: string | null;
  readonly sending: boolean;
  readonly receiving: boolean;
  /** Whether another region sends its mail while its own has no worker. */
  readonly failover: boolean;
}

/** A domain that a team sends from. A name belongs to one team. */
export interface Domain extends DomainSettings {
  readonly id: string;
  readonly teamId: string;
  /** Lower-case A-labels. */
  readonly name: string;
  readonly status: DomainStatus;
  readonly region: string;
  /** The region that sends its mail in place of its own; null while its own does. */
  readonly standIn: string | null;
  /** When its mail began to leave from another region; null once nothing waits in a former one. */
  readonly movedAt: Date | null;
  /** Label of the subdomain that bounces come back to: `send` makes `send.example.test`. */
  readonly customReturnPath: string;
  readonly dkimPublication: DkimPublication;
  /** Number of the current generation of keys. Each generation has its own selectors. */
  readonly dkimGeneration: number;
  /**
   * True for the built-in domain whose mail never leaves the machine. It is the only domain that is verified without
   * DNS.
   */
  readonly sandbox: boolean;
  readonly checks: RecordChecks;
  /** The provider of the zone's name servers if it is known. */
  readonly dnsProvider: string | null;
  /** As the last check found it; null before. */
  readonly brandLogo: BrandLogo | null;
  readonly checkedAt: Date | null;
  readonly nextCheckAt: Date | null;
  /** Incremented with every change. A change that is based on an older version is not written. */
  readonly version: number;
  readonly createdAt: Date;
}

export type DkimAlgorithm = 'rsa-sha256' | 'ed25519-sha256';

/**
 * `published`: the customer is to publish it; it signs once its record is seen. `signing`: it signs. `retired`: it no
 * longer signs, but stays in the DNS until the mail that it signed has arrived.
 */
export type DkimKeyState = 'published' | 'signing' | 'retired';

/** The public side of a DKIM key. */
export interface DkimKeyInfo {
  readonly id: string;
  readonly domainId: string;
  readonly selector: string;
  readonly algorithm: DkimAlgorithm;
  /** Base64 of the SubjectPublicKeyInfo (RSA) or of the raw key (Ed25519): the `p=` of the DNS record. */
  readonly publicKey: string;
  readonly state: DkimKeyState;
  readonly retiredAt: Date | null;
  readonly createdAt: Date;
}

/** A DKIM key pair. The private key is PEM and exists in clear only in memory. */
export interface SigningKey {
  readonly id: string;
  readonly domainId: string;
  readonly domainName: string;
  readonly selector: string;
  readonly algorithm: DkimAlgorithm;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly createdAt: Date;
}

/** A key pair to store, and whether it signs from the start. */
export interface NewSigningKey extends SigningKey {
  readonly signing: boolean;
}

/**
 * Whether mail may be sent from this domain. Only SPF and DKIM records count. A temporarily lost record does not stop
 * sending, and neither does a missing receiving or tracking record.
 */
export function maySend(domain: Domain): boolean {
  if (domain.sandbox) return true;
  if (!domain.sending) return false;
  const sendingRecords = Object.values(domain.checks).filter((check) => check.purpose === 'sending');
  return sendingRecords.length > 0 && sendingRecords.every(({ status }) => sendableStatuses.has(status));
}

/** The region from which mail of the domain leaves now. */
export function sendingRegion({ region, standIn }: Pick<Domain, 'region' | 'standIn'>): string {
  return standIn ?? region;
}

const sendableStatuses = new Set(['verified', 'temporary_failure']);

/** The host to which bounces of the domain's mail are sent: the host part of the return path. */
export function returnPathHost(domain: Pick<Domain, 'name' | 'customReturnPath'>): string {
  return `${domain.customReturnPath}.${domain.name}`;
}

/** The host of rewritten links; undefined until its record is verified, and until then nothing is tracked. */
export function trackingHost(domain: Domain): string | undefined {
  if (domain.trackingSubdomain === null || domain.checks[trackingKey]?.status !== 'verified') return undefined;
  return `${domain.trackingSubdomain}.${domain.name}`;
}

export const trackingKey = 'tracking';

/** The public part of a key. */
export type PublicKey = Pick<SigningKey, 'algorithm' | 'publicKey'>;

/** The TXT record that publishes a key (RFC 6376 section 3.6.1, RFC 8463 section 4). */
export function dkimRecord({ algorithm, publicKey }: PublicKey): string {
  const keyType = algorithm === 'ed25519-sha256' ? 'ed25519' : 'rsa';
  return `v=DKIM1; k=${keyType}; p=${publicKey}`;
}

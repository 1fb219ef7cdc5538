import { RecordChecks } from './record-check.js';

export type DomainStatus =
  'not_started' | 'pending' | 'verified' | 'partially_verified' | 'partially_failed' | 'temporary_failure' | 'failed';

export type TlsPolicy = 'opportunistic' | 'enforced';

/** How the customer publishes the DKIM keys: as TXT records, or once and for all as aliases of names of ours. */
export type DkimPublication = 'txt' | 'cname';

/** What the customer decides about a domain and may change later. */
export interface DomainSettings {
  readonly tls: TlsPolicy;
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
  /** Label of the host in rewritten links: `links` makes `links.example.test`. */
  readonly trackingSubdomain: string | null;
  readonly sending: boolean;
  readonly receiving: boolean;
}

/** A domain that a team sends from. A name belongs to one team. */
export interface Domain extends DomainSettings {
  readonly id: string;
  readonly teamId: string;
  /** Lower-case A-labels. */
  readonly name: string;
  readonly status: DomainStatus;
  readonly region: string;
  /** Label of the subdomain that bounces come back to: `send` makes `send.example.test`. */
  readonly customReturnPath: string;
  readonly dkimPublication: DkimPublication;
  /** Counts the generations of keys: each has selectors of its own. */
  readonly dkimGeneration: number;
  /** The built-in domain whose mail never leaves the machine: the only one verified without DNS. */
  readonly sandbox: boolean;
  readonly checks: RecordChecks;
  /** Who runs the zone's name servers, where they are known. */
  readonly dnsProvider: string | null;
  readonly checkedAt: Date | null;
  readonly nextCheckAt: Date | null;
  /** Grows with every change: what was decided on an older version is not written. */
  readonly version: number;
  readonly createdAt: Date;
}

export type DkimAlgorithm = 'rsa-sha256' | 'ed25519-sha256';

/**
 * `published`: to be published, and to sign as soon as its record is seen. `signing`: signs. `retired`: signs no more,
 * but stays in the DNS until the mail it signed has arrived.
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

/** A key pair that is to be stored, and whether it signs from now on. */
export interface NewSigningKey extends SigningKey {
  readonly signing: boolean;
}

/**
 * May mail leave from this domain? What counts are SPF and DKIM: a record lost for the moment does not stop it, and
 * neither does a receiving or tracking record that is still missing.
 */
export function maySend(domain: Domain): boolean {
  if (domain.sandbox) return true;
  if (!domain.sending) return false;
  const sendingRecords = Object.values(domain.checks).filter((check) => check.purpose === 'sending');
  return sendingRecords.length > 0 && sendingRecords.every(({ status }) => stillGood.has(status));
}

const stillGood = new Set(['verified', 'temporary_failure']);

/** Where bounces of the domain's mail come back to: the host part of the return path. */
export function returnPathHost(domain: Pick<Domain, 'name' | 'customReturnPath'>): string {
  return `${domain.customReturnPath}.${domain.name}`;
}

/** The host of rewritten links, once its record is verified: until then nothing is tracked. */
export function trackingHost(domain: Domain): string | undefined {
  if (domain.trackingSubdomain === null || domain.checks[trackingKey]?.status !== 'verified') return undefined;
  return `${domain.trackingSubdomain}.${domain.name}`;
}

export const trackingKey = 'tracking';

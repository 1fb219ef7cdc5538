export type DomainStatus =
  'not_started' | 'pending' | 'verified' | 'partially_verified' | 'partially_failed' | 'temporary_failure' | 'failed';

/** A domain that a team sends from. A name belongs to one team. */
export interface Domain {
  readonly id: string;
  readonly teamId: string;
  /** Lower-case A-labels. */
  readonly name: string;
  readonly status: DomainStatus;
  readonly region: string;
  /** Label of the subdomain that bounces come back to: `send` makes `send.example.test`. */
  readonly customReturnPath: string;
  /** The built-in domain whose mail never leaves the machine: the only one verified without DNS. */
  readonly sandbox: boolean;
  readonly createdAt: Date;
}

export type DkimAlgorithm = 'rsa-sha256' | 'ed25519-sha256';

/** A DKIM key pair. The private key is PEM and exists in clear only in memory. */
export interface SigningKey {
  readonly id: string;
  readonly domainId: string;
  readonly domainName: string;
  readonly selector: string;
  readonly algorithm: DkimAlgorithm;
  /** Base64 of the SubjectPublicKeyInfo (RSA) or of the raw key (Ed25519): the `p=` of the DNS record. */
  readonly publicKey: string;
  readonly privateKey: string;
  readonly createdAt: Date;
}

/** May mail leave from this domain? A verified domain that lost a record for the moment keeps sending. */
export function maySend(domain: Domain): boolean {
  return domain.status === 'verified' || domain.status === 'temporary_failure';
}

/** Where bounces of the domain's mail come back to: the host part of the return path. */
export function returnPathHost(domain: Domain): string {
  return `${domain.customReturnPath}.${domain.name}`;
}

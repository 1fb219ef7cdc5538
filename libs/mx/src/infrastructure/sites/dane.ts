import { createHash, X509Certificate } from 'node:crypto';
import type { TlsaRecord } from '#domains';

/** The requirement that DANE sets for one host (RFC 7672). */
export interface DaneRequirement {
  /** The records that are usable for SMTP. If there are none, TLS is required but nothing is verified (section 2.2). */
  readonly records: readonly TlsaRecord[];
  /** The name sent in SNI (section 8.1), and the first name that a certificate under a trust anchor may have. */
  readonly baseName: string;
  /** Further names that such a certificate may have (section 3.2.2). */
  readonly otherNames: readonly string[];
}

const trustAnchor = 2;
const endEntity = 3;
const digests = [undefined, 'sha256', 'sha512'] as const;

/**
 * Keeps records of usage 2 and 3: the public authorities of usage 0 and 1 have no meaning between mail servers (section
 * 3.1.3).
 */
export function usableRecords(records: readonly TlsaRecord[]): TlsaRecord[] {
  return records.filter(
    ({ usage, selector, matchingType }) =>
      (usage === trustAnchor || usage === endEntity) && selector <= 1 && matchingType < digests.length,
  );
}

/**
 * The reason why the certificates do not satisfy DANE; undefined if they do. `chain` begins with the server's own
 * certificate.
 *
 * With DANE-EE(3) only the record counts: names and dates are ignored (section 3.1.1). With DANE-TA(2) the matching
 * certificate must have issued the server's certificate, directly or through others of the chain. All of them must be
 * within their dates, and the server's certificate must have one of the names (section 3.1.2).
 */
export function daneFailure(
  { records, baseName, otherNames }: DaneRequirement,
  chain: readonly X509Certificate[],
  now: Date,
): string | undefined {
  if (records.length === 0) return undefined;
  const [own] = chain;
  if (own === undefined) return 'the server has no certificate';
  if (records.some((record) => record.usage === endEntity && matches(record, own))) return undefined;
  const anchors = records.filter(({ usage }) => usage === trustAnchor);
  if (anchors.length === 0) return 'the certificate matches no TLSA record';
  const anchored = chainTo(chain, anchors);
  if (anchored === undefined) return 'no certificate of the chain matches a TLSA record';
  if (!anchored.every((certificate) => isWithinDates(certificate, now))) return 'a certificate has expired';
  const names = [baseName, ...otherNames];
  if (names.some((name) => own.checkHost(name, { subject: 'never' }) !== undefined)) return undefined;
  return `the certificate is for none of ${names.join(', ')}`;
}

/** The certificates from the server's up to the anchor, each signed by the next. */
function chainTo(
  chain: readonly X509Certificate[],
  anchors: readonly TlsaRecord[],
): readonly X509Certificate[] | undefined {
  const path: X509Certificate[] = [];
  for (let certificate = chain[0]; certificate !== undefined && path.length < chain.length;) {
    const current: X509Certificate = certificate;
    path.push(current);
    if ((path.length === 1 || current.ca) && anchors.some((anchor) => matches(anchor, current))) return path;
    certificate = chain.find(
      (issuer) =>
        issuer.ca && !path.includes(issuer) && current.checkIssued(issuer) && current.verify(issuer.publicKey),
    );
  }
  return undefined;
}

function matches({ selector, matchingType, data }: TlsaRecord, certificate: X509Certificate): boolean {
  const selected = selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' });
  const digest = digests[matchingType];
  return Buffer.from(data).equals(digest === undefined ? selected : createHash(digest).update(selected).digest());
}

function isWithinDates({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return new Date(validFrom) <= now && now <= new Date(validTo);
}

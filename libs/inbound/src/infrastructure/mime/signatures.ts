import type { ArcVerdict, AuthenticationResult, DkimVerdict } from '../../domain/verdicts.js';

/** What the DNS has at a name. */
export type KeyRecord = { readonly text: string } | { readonly trouble: 'absent' | 'unavailable' };

export interface SignatureKeys {
  /** By name, in lower case. */
  readonly records: ReadonlyMap<string, KeyRecord>;
}

export interface SignatureResults {
  readonly dkim: readonly Omit<DkimVerdict, 'aligned'>[];
  readonly arc: ArcVerdict;
}

export const noSignatures: SignatureResults = { dkim: [], arc: { result: 'none', sets: 0 } };

/** The results of mailauth that are used here. */
interface VerifiedSignature {
  readonly signingDomain?: string;
  readonly selector?: string;
  readonly algo?: string;
  readonly status: { readonly result: string; readonly comment?: string | false; readonly underSized?: number };
}

/** Verifies the DKIM signatures and the ARC chain of a message with mailauth. */
export async function verifySignatures(bytes: Uint8Array, { records }: SignatureKeys): Promise<SignatureResults> {
  const [{ dkimVerify }, { arc }] = await Promise.all([
    import('mailauth/lib/dkim/verify.js'),
    import('mailauth/lib/arc/index.js'),
  ]);
  const resolver = async (name: string): Promise<string[][]> => {
    const record = records.get(name.trim().toLowerCase()) ?? { trouble: 'absent' };
    if ('text' in record) return [[record.text]];
    // The errors of Node's resolver, of which mailauth tells apart these two.
    throw Object.assign(new Error(`${name} has no TXT record`), {
      code: record.trouble === 'absent' ? 'ENODATA' : 'ETIMEOUT',
    });
  };
  const verified = await dkimVerify(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { resolver });
  const results = verified.results as unknown as readonly VerifiedSignature[];
  return {
    dkim: results.filter(({ status }) => status.result !== 'none').map(verdictOf),
    arc: arcVerdict(await arc(verified.arc as never, { resolver })),
  };
}

function verdictOf({
  signingDomain = '',
  selector = '',
  algo = '',
  status,
}: VerifiedSignature): Omit<DkimVerdict, 'aligned'> {
  const base = { domain: signingDomain.toLowerCase(), selector };
  // RFC 8301 section 3.1: SHA-1 must not be accepted.
  if (/sha1$/i.test(algo)) return { ...base, result: 'policy', reason: 'signed with SHA-1' };
  // Anybody could have appended what the signature does not cover (RFC 6376 section 8.2).
  if ((status.underSized ?? 0) > 0) return { ...base, result: 'policy', reason: 'covers a part of the body only' };
  const reason = typeof status.comment === 'string' ? { reason: status.comment.slice(0, 100) } : {};
  const isAltered = status.comment === 'body hash did not verify';
  return { ...base, result: isAltered ? 'fail' : resultOf(status.result), ...reason };
}

function arcVerdict(result: {
  readonly status: { readonly result: string };
  readonly i?: number | false;
  readonly signature?: { readonly signingDomain?: string } | false;
}): ArcVerdict {
  const domain = result.signature ? result.signature.signingDomain : undefined;
  return {
    result: resultOf(result.status.result),
    sets: result.i || 0,
    ...(domain === undefined ? {} : { domain: domain.toLowerCase() }),
  };
}

const results: readonly string[] = ['pass', 'fail', 'neutral', 'none', 'policy', 'temperror', 'permerror', 'skipped'];

function resultOf(text: string): AuthenticationResult {
  return results.includes(text) ? (text as AuthenticationResult) : 'neutral';
}

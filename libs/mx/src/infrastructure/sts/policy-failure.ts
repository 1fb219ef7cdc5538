import type { DeliveryOutcome } from '#delivery';
import { namesHost, StsPolicy } from '../../domain/sts-policy.js';

/**
 * Records why the policy would have refused the connection if it were enforced. A connection verified by DANE passes.
 */
export function withPolicyFailure(outcome: DeliveryOutcome, policy: StsPolicy): DeliveryOutcome {
  const { host, tls } = outcome.detail;
  if (host === undefined || tls === undefined) return outcome;
  const policyFailure = failureOf(host, tls, policy);
  if (policyFailure === undefined) return outcome;
  return { ...outcome, detail: { ...outcome.detail, tls: { ...tls, policyFailure } } };
}

function failureOf(
  host: string,
  tls: NonNullable<DeliveryOutcome['detail']['tls']>,
  policy: StsPolicy,
): string | undefined {
  if (!namesHost(policy, host)) return `the policy does not name ${host}`;
  if (tls.level === 'none') return `not encrypted: ${tls.plaintextReason ?? 'no TLS'}`;
  return tls.authorized ? undefined : `the certificate is not accepted: ${tls.certificateError ?? 'not verified'}`;
}

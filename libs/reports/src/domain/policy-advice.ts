import { ReportedSender } from './sender.js';

export interface PolicyAdvice {
  readonly policy: 'quarantine' | 'reject';
  /** Whether the policy would cost no mail that should arrive, as far as the reports show. */
  readonly safe: boolean;
  readonly reason: string;
}

export interface Evidence {
  /** The sources with the most messages. */
  readonly senders: readonly ReportedSender[];
  readonly messages: number;
  /** Days with reports. */
  readonly days: number;
  readonly reporters: number;
}

/** Days of reports that a policy needs: a newsletter a week shows once, and again for certainty. */
const minDays = { quarantine: 7, reject: 14 } as const;
const minMessages = 50;
/** Our own mail may fail for this part: receivers have trouble with the DNS at times. */
const maxOwnFailures = 0.005;
/** A source that proves another domain matters from this part of all messages, on so many days. */
const minMisalignedPart = 0.005;
const minMisalignedDays = 2;
const maxNamed = 3;

/** Whether the next policies are safe now, and why. */
export function policyAdvice(evidence: Evidence): readonly PolicyAdvice[] {
  return (['quarantine', 'reject'] as const).map((policy) => {
    const obstacle = obstacleTo(policy, evidence);
    return { policy, safe: obstacle === undefined, reason: obstacle ?? confirmation(policy, evidence) };
  });
}

function obstacleTo(policy: 'quarantine' | 'reject', evidence: Evidence): string | undefined {
  const { senders, messages, days, reporters } = evidence;
  if (reporters === 0) return 'There are no reports yet. Publish the recommended record and wait for a week.';
  const needed = minDays[policy];
  if (days < needed) return `There are reports of ${counted(days, 'day')} only; ${needed} are needed.`;
  if (messages < minMessages) {
    return `The reports count ${counted(messages, 'message')} only; ${minMessages} are needed for a judgement.`;
  }
  return ownFailures(senders) ?? misaligned(senders, messages);
}

function ownFailures(senders: readonly ReportedSender[]): string | undefined {
  const ours = senders.filter(({ kind }) => kind === 'ours');
  const [sent, failed] = [sumOf(ours, 'messages'), sumOf(ours, 'messages') - sumOf(ours, 'aligned')];
  if (failed <= sent * maxOwnFailures) return undefined;
  const some = ours.filter(({ messages, aligned }) => messages > aligned);
  return `${counted(failed, 'message')} of ${sent} that this service sent failed DMARC (${namesOf(some)}). Look at the diagnosis of the domain first.`;
}

function misaligned(senders: readonly ReportedSender[], messages: number): string | undefined {
  const some = senders.filter(
    (sender) =>
      sender.kind === 'misaligned' &&
      sender.days >= minMisalignedDays &&
      sender.messages - sender.aligned >= messages * minMisalignedPart,
  );
  if (some.length === 0) return undefined;
  const failed = sumOf(some, 'messages') - sumOf(some, 'aligned');
  return (
    `${counted(failed, 'message')} came from senders that prove another domain, as services do that are not set up for yours: ` +
    `${namesOf(some)}. Set up DKIM for this domain there, or make sure that they are not yours.`
  );
}

function confirmation(policy: string, { senders, messages, days }: Evidence): string {
  const lost = senders.filter(({ kind }) => kind === 'unknown' || kind === 'misaligned');
  const failed = sumOf(lost, 'messages') - sumOf(lost, 'aligned');
  const effect = policy === 'quarantine' ? 'would go to spam folders' : 'would be refused';
  const rest =
    failed === 0
      ? 'No message of an unknown sender failed.'
      : `${counted(failed, 'message')} of unknown senders ${effect}.`;
  return `In ${counted(days, 'day')} with ${counted(messages, 'message')}, the mail of this service and of other known senders passed. ${rest}`;
}

function sumOf(senders: readonly ReportedSender[], field: 'messages' | 'aligned'): number {
  return senders.reduce((sum, sender) => sum + sender[field], 0);
}

function namesOf(senders: readonly ReportedSender[]): string {
  const names = senders.slice(0, maxNamed).map(({ source, proven }) => {
    return proven[0] === undefined ? source : `${source} as ${proven[0]}`;
  });
  return senders.length > maxNamed ? `${names.join(', ')} and ${senders.length - maxNamed} more` : names.join(', ');
}

function counted(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** What each result of RFC 8460 section 4.3 means for a domain whose mail comes to this service, and what to do. */
const advice = new Map(
  Object.entries({
    success: 'The connection was encrypted as the policy asks.',
    'starttls-not-supported':
      'The mail host did not offer STARTTLS. Check that nothing between the sender and the host removes it.',
    'certificate-host-mismatch':
      'The certificate is not for the name of the mail host: install one that has this name.',
    'certificate-expired': 'The certificate had expired: renew it.',
    'certificate-not-trusted':
      'Senders do not trust the authority of the certificate: install one of a public authority, with its chain.',
    'validation-failure': 'The certificate could not be verified. The reason says more.',
    'tlsa-invalid': 'The TLSA record does not match the certificate: publish the record of the certificate in use.',
    'dnssec-invalid': 'The DNS answers could not be verified: check the DNSSEC signatures of the zone.',
    'dane-required': 'The sender requires DANE, and found no usable TLSA record.',
    'sts-policy-fetch-error': 'The MTA-STS policy could not be fetched: check the web server of mta-sts.<domain>.',
    'sts-policy-invalid': 'The MTA-STS policy could not be read: check its syntax.',
    'sts-webpki-invalid': 'The certificate of the web server of mta-sts.<domain> is not valid.',
  }),
);

export function tlsAdvice(result: string): string {
  return advice.get(result) ?? 'The sender gives no known reason.';
}

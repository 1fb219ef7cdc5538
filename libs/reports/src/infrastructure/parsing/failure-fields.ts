import { createHash } from 'node:crypto';
import { readMessage } from '#mime';
import type { MessageFile } from '#mime';
import { FailureReport } from '../../domain/report.js';
import { NotAReportError } from './inflate.js';
import { domainName, ipAddress, shown, word } from './values.js';

/** Reads a report on one message (RFC 6591). Nothing that names a person is kept: no address, no subject, no text. */
export function readFailure(files: readonly MessageFile[], receivedAt: Date): FailureReport {
  const part = files.find(({ contentType }) => contentType === 'message/feedback-report');
  if (part === undefined) throw new NotAReportError('The message has no failure report');
  const content = part.content();
  // The part consists of fields only, like the header of a message.
  const { fields } = readMessage(content);
  const field = (name: string): string | undefined => fields.find((each) => each.name.toLowerCase() === name)?.value;
  const headerFrom = domainName(field('reported-domain'));
  if (word(field('feedback-type')) !== 'auth-failure' || headerFrom === undefined) {
    throw new NotAReportError('The report is not about a failure of authentication, or does not name the domain');
  }
  const arrival = new Date(field('arrival-date') ?? field('received-date') ?? receivedAt);
  const at = Number.isNaN(arrival.getTime()) ? receivedAt : arrival;
  const identity = [field('source-ip'), field('auth-failure'), at.toISOString(), field('original-envelope-id')];
  return {
    kind: 'failure',
    organization: shown(field('reporting-mta')?.replace(/^[a-z0-9-]+\s*;\s*/i, '') ?? ''),
    // The envelope id may be an address.
    reportId: createHash('sha256').update(identity.join(' ')).digest('hex'),
    beginsAt: at,
    endsAt: at,
    headerFrom,
    source: ipAddress(field('source-ip')) ?? null,
    failure: word(field('auth-failure')) ?? null,
    outcome: word(field('delivery-result')) ?? null,
    dkimDomain: domainName(field('dkim-domain')) ?? null,
  };
}

import { ReportedDomains } from '#domains';
import { Clock, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { TooManyReportsError, UnusableReportError } from '../domain/report.js';
import { scopedTo } from '../domain/report-scope.js';
import { ReportLog, ReportReader } from './ports/report-log.port.js';

export interface ReportMessage {
  /** The address that it came to. */
  readonly recipient: string;
  /** The bytes of the message. They may be moved, so the caller must not use them afterwards. */
  readonly content: Uint8Array;
  /** The network of the client. The work is charged to it, and to the team. */
  readonly clientNetwork: string;
  /** The domain of the author, if SPF or DKIM proves it (DMARC alignment). Undefined if nothing proves it. */
  readonly provenAuthor: string | undefined;
}

/**
 * Takes a report that came by mail. The message itself is not kept.
 *
 * Anyone can send a report to an address that is in the DNS, so a report counts only under the name that its message proves
 * (RFC 7489 section 7.2.1.1), only for the domain of the address, and only up to a number a day.
 */
@Injectable()
export class ReceiveReport {
  constructor(
    private readonly domains: ReportedDomains,
    private readonly reader: ReportReader,
    private readonly log: ReportLog,
    private readonly clock: Clock,
  ) {}

  /** Whether the address takes reports. */
  async accepts(recipient: string): Promise<boolean> {
    return (await this.domains.ofAddress(recipient)) !== undefined;
  }

  /**
   * Resolves once the report is durable, or is known already. Throws UnusableReportError if it cannot be used, and
   * TooManyReportsError if today's are enough: the reporter may try again.
   */
  async receive({ recipient, content, clientNetwork, provenAuthor }: ReportMessage): Promise<void> {
    const address = await this.domains.ofAddress(recipient);
    if (address === undefined) throw new UnusableReportError('No such address here');
    const { kind, domain } = address;
    const receivedAt = this.clock.now();
    const read = await this.reader.read(content, { kind, receivedAt }, [domain.teamId, clientNetwork]);
    if ('unreadable' in read) throw new UnusableReportError(read.unreadable);
    const report = scopedTo(read.report, domain.name, this.domains.zoneOf(domain.name), receivedAt);
    const outcome = await this.log.add({
      id: newId(receivedAt.getTime()),
      teamId: domain.teamId,
      domainId: domain.id,
      reporter: provenAuthor === undefined ? null : this.domains.zoneOf(provenAuthor),
      receivedAt,
      report,
    });
    if (outcome === 'too_many') throw new TooManyReportsError();
  }
}

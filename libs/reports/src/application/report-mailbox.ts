import { ServiceMailbox, ServiceMailboxes } from '#inbound';
import type { ServiceMessage } from '#inbound';
import { Injectable } from '@nestjs/common';
import { ReceiveReport } from './receive-report.use-case.js';

/** The addresses for reports at the domains of teams. */
@Injectable()
export class ReportMailbox extends ServiceMailbox {
  constructor(
    mailboxes: ServiceMailboxes,
    private readonly receiveReport: ReceiveReport,
  ) {
    super(mailboxes);
  }

  accepts(recipient: string): Promise<boolean> {
    return this.receiveReport.accepts(recipient);
  }

  take({ recipient, content, network, verdicts }: ServiceMessage): Promise<void> {
    const provenAuthor = provenAuthorOf(verdicts);
    return this.receiveReport.receive({ recipient, content, clientNetwork: network, provenAuthor });
  }
}

/** The author's domain if DKIM or SPF proves it, whether or not it publishes a DMARC policy. */
export function provenAuthorOf({ dkim, dmarc, spf }: ServiceMessage['verdicts']): string | undefined {
  const { domain, alignedBy } = dmarc;
  const isSigned = dkim.some(({ result, aligned }) => result === 'pass' && aligned);
  const isSent = spf.result === 'pass' && (spf.domain === domain || spf.domain.endsWith(`.${domain}`));
  return domain !== '' && (alignedBy.length > 0 || isSigned || isSent) ? domain : undefined;
}

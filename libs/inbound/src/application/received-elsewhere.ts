import { ReceivingDomains, ReportedDomains } from '#domains';
import { ReceivedMail, MailRefusal } from '#smtp';
import { Injectable } from '@nestjs/common';

/** Senders that were rewritten when mail was passed on. Their bounces are for the role `inbound`, too. */
const rewrittenSender = /^srs[01]=/i;

/** For a process that has the role `smtp` and not `inbound`: mail to domains that receive waits for another process. */
@Injectable()
export class ReceivedElsewhere extends ReceivedMail {
  constructor(
    private readonly domains: ReceivingDomains,
    private readonly reported: ReportedDomains,
  ) {
    super();
  }

  async decide(
    _visitor: unknown,
    _mailFrom: string,
    { address, domain }: { readonly address: string; readonly domain: string },
  ): Promise<undefined> {
    const isOurs =
      rewrittenSender.test(address) ||
      (await this.domains.find(domain)) !== undefined ||
      (await this.reported.ofAddress(address)) !== undefined;
    if (isOurs) throw new MailRefusal(451, '4.3.2', 'This server does not receive this mail, try again later');
  }

  receive(): Promise<never> {
    throw new Error('a message without recipients');
  }

  async confirm(): Promise<void> {}
}

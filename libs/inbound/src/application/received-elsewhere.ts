import { ReceivingDomains } from '#domains';
import { InboundMail, MailRefusal } from '#smtp';
import { Injectable } from '@nestjs/common';

/** For a process that has the role `smtp` and not `inbound`: mail to domains that receive waits for another process. */
@Injectable()
export class ReceivedElsewhere extends InboundMail {
  constructor(private readonly domains: ReceivingDomains) {
    super();
  }

  async decide(_visitor: unknown, _mailFrom: string, { domain }: { readonly domain: string }): Promise<undefined> {
    if ((await this.domains.find(domain)) === undefined) return undefined;
    throw new MailRefusal(451, '4.3.2', 'This server does not receive mail for the domain, try again later');
  }

  receive(): Promise<never> {
    throw new Error('a message without recipients');
  }

  confirm(): void {}
}

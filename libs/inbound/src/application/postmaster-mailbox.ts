import { Clock, DomainError, Notices, storableText } from '#kernel';
import { MailRefusal } from '#smtp';
import { Injectable } from '@nestjs/common';
import { ReceivingPolicy, refusalFor } from '../domain/receiving-policy.js';
import { ReceivedContents } from './ports/received-contents.port.js';
import { ServiceMailbox, ServiceMailboxes, ServiceMessage } from './ports/service-mailbox.port.js';
import { PostmasterAddresses } from './postmaster-addresses.js';

const hourMs = 60 * 60_000;
/** Each of them is a mail to the operator. */
const maxPerHour = 60;
const maxSubjectLength = 200;
const maxTextLength = 32_000;
const maxFiles = 20;

class TooMuchPostmasterMailError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too much mail for the postmaster, try again later');
  }
}

/** Passes on what is written to the postmaster of this server: the operator gets its text as a notice. */
@Injectable()
export class PostmasterMailbox extends ServiceMailbox {
  private hour = 0;
  private count = 0;

  constructor(
    mailboxes: ServiceMailboxes,
    private readonly addresses: PostmasterAddresses,
    private readonly notices: Notices,
    private readonly contents: ReceivedContents,
    private readonly policy: ReceivingPolicy,
    private readonly clock: Clock,
  ) {
    super(mailboxes);
  }

  accepts(recipient: string): Promise<boolean> {
    return this.addresses.has(recipient);
  }

  async take(message: ServiceMessage): Promise<void> {
    const { recipient, verdicts, facts, content, network, digest } = message;
    const refusal = refusalFor({ ...verdicts, spam: null, virus: null }, this.policy.refusals);
    if (refusal !== undefined) throw new MailRefusal(550, refusal.enhancedCode, refusal.text);
    if (!this.mayTake()) throw new TooMuchPostmasterMailError();
    const text = await this.contents.textOf(content, network);
    await this.notices.announce({
      key: `postmaster ${digest}`,
      subject: `To ${recipient}: ${facts.subject.slice(0, maxSubjectLength)}`.toWellFormed(),
      text: noticeOf(message, text),
    });
  }

  private mayTake(): boolean {
    const hour = Math.floor(this.clock.now().getTime() / hourMs);
    if (hour !== this.hour) [this.hour, this.count] = [hour, 0];
    return ++this.count <= maxPerHour;
  }
}

function noticeOf({ recipient, mailFrom, facts, verdicts }: ServiceMessage, text: string): string {
  const { from, authors, messageId, attachments } = facts;
  const { spf, dkim, dmarc } = verdicts;
  const signers = dkim.filter(({ result }) => result === 'pass').map(({ domain }) => domain);
  const files = attachments.slice(0, maxFiles).map(({ filename, contentType }) => filename ?? contentType);
  const lines = [
    `This was written to ${recipient}.`,
    '',
    `From: ${from === '' ? 'nobody' : authors.slice(0, maxFiles).join(', ')}`,
    `Envelope sender: ${mailFrom === '' ? 'none' : mailFrom}`,
    `Proven by: SPF ${spf.result}, DKIM ${signers.length === 0 ? 'none' : signers.join(', ')}, DMARC ${dmarc.result}`,
    `Message-ID: ${messageId === '' ? 'none' : messageId}`,
    ...(files.length === 0 ? [] : [`Files, which are not passed on: ${files.join(', ')}`]),
    '',
    'The sender wrote:',
    text.slice(0, maxTextLength).replaceAll(/^/gm, '> '),
    ...(text.length > maxTextLength ? ['', '(The rest is cut off.)'] : []),
  ];
  return storableText(lines.join('\n'));
}

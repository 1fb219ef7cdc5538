import { ReceivingDomains, ServiceNames } from '#domains';
import { Clock, DomainError, domainOf, Notices, storableText } from '#kernel';
import { MailRefusal } from '#smtp';
import { Injectable } from '@nestjs/common';
import { ReceivingPolicy, refusalFor } from '../domain/receiving-policy.js';
import { ReceivedContents } from './ports/received-contents.port.js';
import { ServiceMailbox, ServiceMailboxes, ServiceMessage } from './ports/service-mailbox.port.js';

/** `postmaster` must be accepted (RFC 5321 section 4.5.1), and `abuse` is where others complain (RFC 2142). */
const locals = ['postmaster', 'abuse'];

/** The addresses at the service's own hosts that reach its operator, and `postmaster` without a domain. */
@Injectable()
export class PostmasterAddresses {
  private readonly addresses: ReadonlySet<string>;

  constructor(
    names: ServiceNames,
    private readonly domains: ReceivingDomains,
    private readonly notices: Notices,
  ) {
    const hosts = new Set(names.regions.map((region) => names.hostsOf(region).host.toLowerCase()));
    this.addresses = new Set([
      'postmaster',
      ...[...hosts].flatMap((host) => locals.map((local) => `${local}@${host}`)),
    ]);
  }

  /** Only if the operator can be reached: mail that nobody would read is refused, and its sender knows. */
  async has(recipient: string): Promise<boolean> {
    const address = recipient.toLowerCase();
    if (!this.addresses.has(address)) return false;
    const { operator } = this.notices;
    // A notice to one of these addresses would come back here, again and again.
    if (operator === undefined || this.addresses.has(operator.toLowerCase())) return false;
    // If a team has the host as its domain, the address is the team's.
    return (await this.domains.find(domainOf(address))) === undefined;
  }
}

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
      isByMailOnly: true,
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

import { Injectable } from '@nestjs/common';
import { LaneNames, ReadSource } from '#delivery';
import { SendingDomains, trackingHost } from '#domains';
import type { Domain } from '#domains';
import { RehearseEmail } from '#emails';
import type { OutgoingEmail, RehearsedEmail, SendRequest, Withheld } from '#emails';
import { Principal } from '#identity';
import { domainOf, found, parseMailbox } from '#kernel';
import { CheckFinding } from '../domain/finding.js';
import { AskedLinks } from '../domain/message-facts.js';
import { AskLinks } from './ask-links.js';
import { EmailInsights } from './email-insights.query.js';

export interface DryRunRecipient {
  readonly address: string;
  readonly kind: 'to' | 'cc' | 'bcc';
  /** Why it would not get the email. */
  readonly withheld: Withheld | undefined;
  readonly lane: string;
}

export interface DryRun {
  readonly from: string;
  readonly subject: string;
  readonly recipients: readonly DryRunRecipient[];
  readonly scheduledAt: Date | null;
  readonly tls: 'opportunistic' | 'enforced';
  readonly size: number;
  /** Undefined if it is too large to be shown. */
  readonly source: string | undefined;
  readonly findings: readonly CheckFinding[];
}

export interface DryRunOptions {
  /** Whether the links of the email are asked for. */
  readonly asksLinks: boolean;
}

const maxShownBytes = 256 * 1024;

/** Tells what sending an email would do, without sending it. */
@Injectable()
export class DryRunEmail {
  constructor(
    private readonly rehearsals: RehearseEmail,
    private readonly source: ReadSource,
    private readonly insights: EmailInsights,
    private readonly domains: SendingDomains,
    private readonly lanes: LaneNames,
    private readonly links: AskLinks,
  ) {}

  /**
   * Throws what sending would be refused with. `held` runs while the email is in memory, for the caller to charge it.
   */
  run(
    principal: Principal,
    request: SendRequest,
    options: DryRunOptions,
    held: <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result>,
  ): Promise<DryRun> {
    return this.rehearsals.rehearse(principal, request, (rehearsed) =>
      held(rehearsed.accepted.email.size, () => this.describe(rehearsed, options)),
    );
  }

  private async describe({ accepted, outgoing }: RehearsedEmail, { asksLinks }: DryRunOptions): Promise<DryRun> {
    const { email, region, recipients } = accepted;
    const message = found('Domain', await this.source.of(outgoing, 0));
    const source = message.length > maxShownBytes ? undefined : new TextDecoder().decode(message);
    const size = message.length;
    const domain = found('Domain', await this.domains.findById(email.domainId));
    const asked = asksLinks ? await this.askedLinks(outgoing, domain) : null;
    const findings = found('Domain', await this.insights.about(email, message, asked));
    const kinds = kindsOf(email);
    return {
      from: email.from,
      subject: email.subject,
      scheduledAt: email.scheduledAt,
      tls: domain.tls,
      size,
      source,
      findings,
      recipients: recipients.map(({ address, withheld }) => ({
        address,
        kind: kinds.get(address.toLowerCase()) ?? 'to',
        withheld,
        lane: this.lanes.laneOf({ region, recipientDomain: domainOf(address) }),
      })),
    };
  }

  /** Of a copy without tracking, because tracked links all lead to the service itself. */
  private async askedLinks(outgoing: OutgoingEmail, domain: Domain): Promise<AskedLinks> {
    const { email } = outgoing;
    const untracked = { ...outgoing, email: { ...email, tracking: { opens: false, clicks: false } } };
    const message = found('Domain', await this.source.of(untracked, 0));
    return this.links.of(email.teamId, message, trackingHost(domain));
  }
}

/** The field that names an address first. */
function kindsOf({ to, cc, bcc }: RehearsedEmail['accepted']['email']): ReadonlyMap<string, DryRunRecipient['kind']> {
  const kinds = new Map<string, DryRunRecipient['kind']>();
  for (const [kind, texts] of [
    ['to', to],
    ['cc', cc ?? []],
    ['bcc', bcc ?? []],
  ] as const) {
    for (const text of texts) {
      const address = parseMailbox(text)?.address.toLowerCase();
      if (address !== undefined && !kinds.has(address)) kinds.set(address, kind);
    }
  }
  return kinds;
}

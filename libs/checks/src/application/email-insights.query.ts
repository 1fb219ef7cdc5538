import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { ReadSource } from '#delivery';
import { ReadDomains, returnPathHost } from '#domains';
import type { DkimKeyInfo, Domain } from '#domains';
import type { Email } from '#emails';
import { trackingPlan } from '#tracking';
import { checkMessage } from '../domain/check-message.js';
import { CheckFinding } from '../domain/finding.js';
import { AskedLinks, MailFacts } from '../domain/message-facts.js';
import { MessageReader } from './ports/check-readers.port.js';

/** What speaks for and against the delivery of an email, with evidence: see `docs/insights.md`. */
@Injectable()
export class EmailInsights {
  constructor(
    private readonly source: ReadSource,
    private readonly domains: ReadDomains,
    private readonly reader: MessageReader,
  ) {}

  /**
   * Checks the message as one recipient gets it. The caller has found the email for its team, and holds memory for its
   * content. `recipientNo` counts from 0: To, then Cc, then Bcc. Undefined if the content is gone or the domain was
   * deleted. Throws `UncheckableError`.
   */
  async of(email: Email, recipientNo: number): Promise<readonly CheckFinding[] | undefined> {
    const bytes = await this.source.read(email, recipientNo);
    return bytes === undefined ? undefined : this.about(email, bytes);
  }

  /** The same for a message that was made of the email. The bytes may be moved. */
  async about(
    email: Email,
    bytes: Uint8Array,
    askedLinks: AskedLinks | null = null,
  ): Promise<readonly CheckFinding[] | undefined> {
    const mail = await this.factsOf(email);
    return mail && checkMessage({ ...mail, askedLinks, message: await this.reader.read(bytes, email.teamId) });
  }

  private async factsOf(email: Email): Promise<Omit<MailFacts, 'askedLinks'> | undefined> {
    const diagnosed = await this.domains.diagnose(email.teamId, email.domainId);
    if (diagnosed === undefined) return undefined;
    const { domain, records, keys } = diagnosed;
    const plan = trackingPlan(domain, email);
    return {
      domain: {
        name: domain.name,
        site: siteOf(domain),
        isSandbox: domain.sandbox,
        returnPathHost: returnPathHost(domain),
        records: records.map(({ view, host, advice }) => ({
          kind: view.record,
          name: host,
          status: view.status,
          advice,
        })),
        signingKeyMadeAt: oldestSigning(keys),
        brandLogo: domain.brandLogo ?? null,
      },
      isBulk: email.isBulk === true || email.topicId !== null,
      tracksOpens: plan?.opens === true,
      tracksClicks: plan?.clicks === true,
      createdAt: email.scheduledAt ?? email.createdAt,
    };
  }
}

function oldestSigning(keys: readonly DkimKeyInfo[]): Date | null {
  const times = keys.flatMap(({ state, createdAt }) => (state === 'signing' ? [createdAt.getTime()] : []));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

function siteOf({ name }: Domain): string {
  return getDomain(name, { allowPrivateDomains: false, validateHostname: false }) ?? name;
}

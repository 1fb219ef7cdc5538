import { Clock, formatMailbox, Mailbox, Notice } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DomainNotVerifiedError, DomainOwners } from '#domains';
import { SendEmail } from '#emails';
import { fingerprintOf } from '#idempotency';
import { Principal } from '#identity';
import { NoticeOutbox } from './ports/notice-outbox.port.js';

/** What is not sent by then, is tried again. */
const patienceMs = 600_000;
const atOnce = 20;

/** Whom notices are sent to, and from which address of a verified domain of this service. */
export abstract class NoticeAddresses {
  abstract readonly to: Mailbox;
  abstract readonly from: Mailbox;
}

export interface UnsentNotice {
  readonly key: string;
  readonly error: unknown;
}

/** Sends notices as mail of the team that has the sender's domain, which they are signed for like any other. */
@Injectable()
export class SendNotices {
  constructor(
    private readonly outbox: NoticeOutbox,
    private readonly addresses: NoticeAddresses,
    private readonly owners: DomainOwners,
    private readonly sendEmail: SendEmail,
    private readonly clock: Clock,
  ) {}

  /** Responses with those that could not be sent. */
  async execute(): Promise<readonly UnsentNotice[]> {
    const now = this.clock.now();
    const unsent: UnsentNotice[] = [];
    for (const notice of await this.outbox.take(now, new Date(now.getTime() + patienceMs), atOnce)) {
      try {
        await this.send(notice);
        await this.outbox.settle(notice.key, this.clock.now());
      } catch (error) {
        unsent.push({ key: notice.key, error });
      }
    }
    return unsent;
  }

  private async send({ key, subject, text }: Notice): Promise<void> {
    const { from, to } = this.addresses;
    const teamId = await this.owners.teamOf(from.domain);
    if (teamId === undefined) throw new DomainNotVerifiedError(from.domain);
    await this.sendEmail.execute(
      Principal.ofService(teamId),
      { from: formatMailbox(from), to: formatMailbox(to), subject, text },
      { teamId, endpoint: 'notice', key, fingerprint: fingerprintOf(key) },
    );
  }
}

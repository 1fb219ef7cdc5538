import { Clock, formatMailbox, Mailbox, Notice } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DomainNotVerifiedError, OwnedDomains } from '#domains';
import { AcceptEmails } from '#emails';
import { fingerprintOf } from '#idempotency';
import { Principal } from '#identity';
import { NoticeOutbox } from './ports/notice-outbox.port.js';

/** A notice that is not sent within this time is tried again. */
const leaseMs = 600_000;
const maxAtOnce = 20;
/** Turns of one call, so that a stop does not wait for all that are due. */
const maxTurns = 10;

/** The recipient and the sender of notices. The sender's domain must be verified. */
export abstract class NoticeAddresses {
  /** The operator. Undefined if only users get mail. */
  abstract readonly to: Mailbox | undefined;
  abstract readonly from: Mailbox;
}

export interface UnsentNotice {
  readonly key: string;
  readonly error: unknown;
}

/** Sends notices as emails of the team that owns the sender's domain, signed like its other emails. */
@Injectable()
export class SendNotices {
  constructor(
    private readonly outbox: NoticeOutbox,
    private readonly addresses: NoticeAddresses,
    private readonly owners: OwnedDomains,
    private readonly acceptEmails: AcceptEmails,
    private readonly clock: Clock,
  ) {}

  /** Returns the notices that could not be sent. */
  async sendDue(): Promise<readonly UnsentNotice[]> {
    const unsent: UnsentNotice[] = [];
    for (let turn = 0; turn < maxTurns; turn++) {
      const now = this.clock.now();
      const notices = await this.outbox.acquire(now, new Date(now.getTime() + leaseMs), maxAtOnce);
      for (const notice of notices) await this.sendOne(notice, unsent);
      if (notices.length < maxAtOnce) break;
    }
    return unsent;
  }

  private async sendOne(notice: Notice, unsent: UnsentNotice[]): Promise<void> {
    try {
      await this.send(notice);
      await this.outbox.markSent(notice.key, this.clock.now());
    } catch (error) {
      unsent.push({ key: notice.key, error });
    }
  }

  private async send({ key, subject, text, to: recipient }: Notice): Promise<void> {
    const { from, to: operator } = this.addresses;
    const to = recipient ?? (operator === undefined ? undefined : formatMailbox(operator));
    // Announced before NOTICES_TO was removed: nobody is left to tell.
    if (to === undefined) return;
    const teamId = await this.owners.teamOf(from.domain);
    if (teamId === undefined) throw new DomainNotVerifiedError(from.domain);
    await this.acceptEmails.send(
      Principal.ofService(teamId),
      { from: formatMailbox(from), to, subject, text },
      { teamId, endpoint: 'notice', key, fingerprint: fingerprintOf(key) },
    );
  }
}

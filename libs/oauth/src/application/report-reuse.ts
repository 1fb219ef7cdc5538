import { Users } from '#accounts';
import { AuditTrail } from '#audit';
import { Notices, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Grant } from './ports/oauth-store.port.js';

/** Tells that a code or a token of a tool was used twice: somebody has probably stolen it. */
@Injectable()
export class ReportReuse {
  constructor(
    private readonly users: Users,
    private readonly notices: Notices,
    private readonly trail: AuditTrail,
  ) {}

  /** Mails the user who had allowed the tool. */
  async notice({ id, userId, clientName }: Grant, transaction: Transaction): Promise<void> {
    const user = await this.users.find(userId, transaction);
    if (user === undefined) return;
    const paragraphs = [
      `A tool that you allowed to act for you, and that calls itself "${clientName}", was signed out. One of its tokens was used twice.`,
      'Someone may have stolen the token. The audit log of the team shows what was done in your name.',
      'If it was an error of the tool, sign in with it again.',
    ];
    const text = `${paragraphs.join('\n\n')}\n`;
    await this.notices.announce(
      { key: `reuse ${id}`, subject: 'A tool was signed out', text, to: user.email },
      transaction,
    );
  }

  record({ id, teamId, clientName, revokedReason }: Grant): Promise<void> {
    return this.trail.record({
      teamId,
      action: 'oauth.grants.revoke',
      actor: { kind: 'service' },
      address: null,
      targetId: id,
      after: { client: clientName, reason: revokedReason },
    });
  }
}

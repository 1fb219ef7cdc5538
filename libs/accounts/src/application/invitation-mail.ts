import type { Principal } from '#identity';
import { Injectable } from '@nestjs/common';
import { AccountMail } from './ports/account-mail.port.js';
import { LinkTokens } from './ports/invitations.port.js';
import { OwnOrigin } from './ports/own-origin.port.js';
import { Users } from './ports/users.port.js';

/** Makes the link of an invitation and mails it. */
@Injectable()
export class InvitationMail {
  constructor(
    private readonly mail: AccountMail,
    private readonly tokens: LinkTokens,
    private readonly origin: OwnOrigin,
    private readonly users: Users,
  ) {}

  newToken(): { readonly token: string; readonly tokenHash: Buffer } {
    const token = this.tokens.generate();
    return { token, tokenHash: this.tokens.hash(token) };
  }

  async send(invitation: {
    readonly to: string;
    readonly team: string;
    readonly token: string;
    readonly by: Principal;
  }): Promise<void> {
    const { actor } = invitation.by;
    const user = actor.kind === 'user' ? await this.users.find(actor.id) : undefined;
    const inviter = user === undefined ? 'The administrator' : `${user.name} (${user.email})`;
    // After `#`, so that no log of a server or a proxy has it.
    const link = `${this.origin.value}/app/invitation#${invitation.token}`;
    await this.mail.invited(invitation.to, invitation.team, inviter, link);
  }
}

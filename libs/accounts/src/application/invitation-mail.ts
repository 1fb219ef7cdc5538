import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '#identity';
import { quotedName } from '#kernel';
import { AccountMail } from './account-mail.js';
import { OwnOrigin } from './ports/sign-in.port.js';
import { Users } from './ports/users.port.js';

/** Makes the link of an invitation and mails it. */
@Injectable()
export class InvitationMail {
  constructor(
    private readonly mail: AccountMail,
    private readonly origin: OwnOrigin,
    private readonly users: Users,
  ) {}

  newToken(): { readonly token: string; readonly tokenHash: Buffer } {
    const token = newLinkToken();
    return { token, tokenHash: hashLinkToken(token) };
  }

  async send(invitation: {
    readonly to: string;
    readonly team: string;
    readonly token: string;
    readonly by: Principal;
  }): Promise<void> {
    const { actor } = invitation.by;
    const user = actor.kind === 'user' ? await this.users.find(actor.id) : undefined;
    const inviter = user === undefined ? 'the administrator' : `${quotedName(user.name)}, ${user.email}`;
    // After `#`, so that no log of a server or a proxy has it.
    const link = `${this.origin.value}/app/invitation#${invitation.token}`;
    const team = { id: invitation.by.teamId, name: invitation.team };
    await this.mail.invited(invitation.to, team, inviter, link);
  }
}

/** The token of a link in mail: 256 random bits. */
function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, under which the token of a link is stored. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

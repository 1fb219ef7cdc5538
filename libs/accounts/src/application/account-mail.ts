import { randomUUID } from 'node:crypto';
import { Notice, Notices, quotedName } from '#kernel';
import { Injectable } from '@nestjs/common';

const ignore = 'If you did not ask for this, you can ignore this email. Nothing will change.';

/**
 * Mail about an account, sent by the service itself. It goes through the outbox of notices: each method resolves once
 * the mail cannot be lost any more.
 */
@Injectable()
export class AccountMail {
  constructor(private readonly notices: Notices) {}

  verifyAddress(to: string, link: string): Promise<void> {
    return this.send(to, 'Confirm your address', [
      'Open this link to confirm that this address is yours. It is valid for one hour.',
      link,
      ignore,
    ]);
  }

  resetPassword(to: string, link: string): Promise<void> {
    return this.send(to, 'Set a new password', [
      'Open this link to set a new password. It is valid for one hour and works once.',
      link,
      ignore,
    ]);
  }

  /** To the present address: somebody who is signed in wants `newAddress` instead. */
  confirmChange(to: string, newAddress: string, link: string): Promise<void> {
    return this.send(to, 'Confirm the change of your address', [
      `Someone who is signed in to your account wants to change its address to ${newAddress}. Open this link to allow it.`,
      link,
      'If this was not you, do not open it. Change your password and sign out everywhere else.',
    ]);
  }

  passwordChanged(to: string): Promise<void> {
    return this.send(to, 'Your password was changed', [
      'The password of your account was changed, and you were signed out everywhere.',
      'If this was not you, set a new password at once and tell your administrator.',
    ]);
  }

  addressChanged(to: string, newAddress: string): Promise<void> {
    return this.send(to, 'Your address was changed', [
      `From now on you sign in with ${newAddress}.`,
      'If this was not you, tell your administrator at once.',
    ]);
  }

  /** To the owner of an account with whose address somebody tried to sign up. */
  alreadyRegistered(to: string, link: string): Promise<void> {
    return this.send(to, 'You already have an account', [
      'Someone tried to sign up with this address. You already have an account: sign in, or set a new password.',
      link,
      ignore,
    ]);
  }

  /** The mail counts against the limits of the team. */
  invited(to: string, team: { id: string; name: string }, inviter: string, link: string): Promise<void> {
    const text = [
      'Someone has invited you to join a team. Open this link to accept. It is valid for seven days.',
      link,
      `The names of the team and of the person were chosen by them, not by us:\n> Team: ${quotedName(team.name)}\n> Invited by: ${inviter}`,
      ignore,
    ];
    return this.announce({ to, subject: 'You have been invited to a team', text: joined(text), owner: team.id });
  }

  /** The person waits for it, or must know it at once. */
  private send(to: string, subject: string, paragraphs: readonly string[]): Promise<void> {
    return this.announce({ to, subject, text: joined(paragraphs), isUrgent: true });
  }

  /** The key is random: each mail is one of its own. */
  private announce(notice: Omit<Notice, 'key'>): Promise<void> {
    return this.notices.announce({ key: `account ${randomUUID()}`, ...notice });
  }
}

function joined(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}

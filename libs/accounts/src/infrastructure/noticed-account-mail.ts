import { randomUUID } from 'node:crypto';
import { Notices } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AccountMail } from '../application/ports/account-mail.port.js';

const ignore = 'If you did not ask for this, you can ignore this mail: nothing changes.';

/** Sends through the outbox of notices, so that the mail is not lost once the request has been answered. */
@Injectable()
export class NoticedAccountMail extends AccountMail {
  constructor(private readonly notices: Notices) {
    super();
  }

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

  confirmChange(to: string, newAddress: string, link: string): Promise<void> {
    return this.send(to, 'Confirm the change of your address', [
      `Somebody who is signed in to your account wants to change its address to ${newAddress}. Open this link to allow it.`,
      link,
      'If it was not you, do not open it: change your password and end your other sessions.',
    ]);
  }

  passwordChanged(to: string): Promise<void> {
    return this.send(to, 'Your password was changed', [
      'The password of your account was changed, and all its sessions were ended.',
      'If it was not you, set a new password at once and tell your administrator.',
    ]);
  }

  addressChanged(to: string, newAddress: string): Promise<void> {
    return this.send(to, 'Your address was changed', [
      `From now on you sign in with ${newAddress}.`,
      'If it was not you, tell your administrator at once.',
    ]);
  }

  alreadyRegistered(to: string, link: string): Promise<void> {
    return this.send(to, 'You already have an account', [
      'Somebody tried to sign up with this address. You already have an account: sign in, or set a new password.',
      link,
      ignore,
    ]);
  }

  invited(to: string, team: string, inviter: string, link: string): Promise<void> {
    return this.send(to, `You are invited to ${team}`, [
      `${inviter} invites you to the team ${team}. Open this link to accept. It is valid for seven days.`,
      link,
      ignore,
    ]);
  }

  /** The key is random: each mail is one of its own. */
  private send(to: string, subject: string, paragraphs: readonly string[]): Promise<void> {
    return this.notices.announce({ key: `account ${randomUUID()}`, subject, text: `${paragraphs.join('\n\n')}\n`, to });
  }
}

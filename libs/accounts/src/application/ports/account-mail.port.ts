/** Mail about an account, sent by the service itself. Each method resolves once the mail cannot be lost any more. */
export abstract class AccountMail {
  abstract verifyAddress(to: string, link: string): Promise<void>;
  abstract resetPassword(to: string, link: string): Promise<void>;
  /** To the present address: somebody who is signed in wants `newAddress` instead. */
  abstract confirmChange(to: string, newAddress: string, link: string): Promise<void>;
  abstract passwordChanged(to: string): Promise<void>;
  abstract addressChanged(to: string, newAddress: string): Promise<void>;
  /** To the owner of an account with whose address somebody tried to sign up. */
  abstract alreadyRegistered(to: string, link: string): Promise<void>;
  abstract invited(to: string, team: string, inviter: string, link: string): Promise<void>;
}

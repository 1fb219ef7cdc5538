import type { TeamRole } from '#identity';
import { DomainError, parseEmailAddress, ValidationError } from '#kernel';

export interface Invitation {
  readonly id: string;
  readonly teamId: string;
  readonly email: string;
  readonly role: TeamRole;
  /** The grant of the tool that invited. The invitation ends with it. */
  readonly grantId: string | null;
  /** The token itself is only in the mail. */
  readonly tokenHash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export class InvalidInvitationError extends DomainError {
  constructor() {
    super(
      'not_found',
      'not_found',
      'The invitation does not exist, has expired, or has been used. Ask for another one.',
    );
  }
}

export class OtherAddressError extends DomainError {
  constructor() {
    super('forbidden', 'other_address', 'The invitation is for another address than the one you are signed in with.');
  }
}

export class AlreadyMemberError extends DomainError {
  constructor() {
    super('conflict', 'already_member', 'The team has a member with this address.');
  }
}

/** The address in the form in which users are stored. Throws ValidationError. */
export function parseUserAddress(text: string): string {
  const parsed = parseEmailAddress(text.trim());
  if (parsed === undefined) throw new ValidationError('The `email` field must be an email address.');
  return parsed.address.toLowerCase();
}

export const passwordLengths = { min: 10, max: 128 } as const;

export function checkPassword(password: string): void {
  const { min, max } = passwordLengths;
  if (password.length < min || password.length > max) {
    throw new ValidationError(`The \`password\` field must have ${min} to ${max} characters.`);
  }
}

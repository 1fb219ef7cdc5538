import { Page, PageRequest, Transaction } from '#kernel';
import { Invitation } from '../../domain/invitation.js';

/** Invitations that were not accepted yet. */
export abstract class Invitations {
  /** Replaces an earlier invitation of the address to the team: its link stops working. */
  abstract put(invitation: Invitation, transaction: Transaction): Promise<void>;

  abstract count(teamId: string, transaction: Transaction): Promise<number>;

  /** Newest first, expired ones included until they are purged. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Invitation>>;

  abstract findByTokenHash(tokenHash: Buffer, now: Date): Promise<Invitation | undefined>;

  /** Whether a team waits for somebody with this address. */
  abstract isInvited(email: string, now: Date): Promise<boolean>;

  /** Removes an invitation. False where somebody else has used or revoked it before. */
  abstract remove(teamId: string, id: string, transaction?: Transaction): Promise<boolean>;
}

/** Makes the tokens of links in mail, and the hashes under which they are stored. */
export abstract class LinkTokens {
  /** 256 random bits. */
  abstract generate(): string;

  abstract hash(token: string): Buffer;
}

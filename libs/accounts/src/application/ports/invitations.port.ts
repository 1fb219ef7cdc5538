import { Page, PageRequest, Transaction } from '#kernel';
import { Invitation } from '../../domain/invitation.js';

/** Invitations that were not accepted yet. Those of a tool whose grant has ended are not found, but still counted. */
export abstract class Invitations {
  /** Replaces an earlier invitation of the address to the team: its link stops working. */
  abstract put(invitation: Invitation, transaction: Transaction): Promise<void>;

  abstract count(teamId: string, transaction: Transaction): Promise<number>;

  /** Newest first, expired ones included until they are purged. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Invitation>>;

  abstract findByTokenHash(tokenHash: Buffer, now: Date): Promise<Invitation | undefined>;

  /** Whether a team waits for somebody with this address. */
  abstract isInvited(email: string, now: Date): Promise<boolean>;

  /** Removes an invitation. Returns whether it was still there. */
  abstract remove(teamId: string, id: string, transaction?: Transaction): Promise<boolean>;
}

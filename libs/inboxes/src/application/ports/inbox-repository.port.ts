import { Page, PageRequest, Transaction } from '#kernel';
import { Inbox, InboxLabel } from '../../domain/inbox.js';

export type LabelChanges = Partial<Pick<InboxLabel, 'name' | 'color'>>;

/** The inboxes of all teams, and their labels. */
export abstract class InboxRepository {
  /** Undefined if the team has none with this id, or with this address in lower case. */
  abstract find(teamId: string, idOrAddress: string): Promise<Inbox | undefined>;

  /** Number of drafts that have not been sent. */
  abstract openDrafts(inboxId: string): Promise<number>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Inbox>>;

  /** All addresses of the team's inboxes, from a cache of a few seconds, which every change clears. */
  abstract addresses(teamId: string): Promise<ReadonlySet<string>>;

  /** The inbox that has this receiving address. Called for strangers: it must be cheap. */
  abstract ofReceivingAddress(address: string): Promise<Pick<Inbox, 'teamId' | 'address'> | undefined>;

  /** The team that has `max` inboxes gets `full`, an address that has an inbox of the team `taken`. */
  abstract add(inbox: Inbox, max: number, transaction: Transaction): Promise<'added' | 'full' | 'taken'>;

  /** Reads the inbox for a change, which others wait for. */
  abstract lock(teamId: string, id: string, transaction: Transaction): Promise<Inbox | undefined>;

  /** Writes the names, the agent and `updatedAt` of an inbox that is locked. */
  abstract update(inbox: Inbox, transaction: Transaction): Promise<void>;

  /** Removes the inbox. Its threads, emails and drafts are no longer found, and are deleted afterwards. */
  abstract remove(teamId: string, id: string, transaction: Transaction): Promise<boolean>;

  /** In the order of their names, at most `maxLabels`. */
  abstract labels(inboxId: string): Promise<readonly InboxLabel[]>;

  /** Names are compared without regard to case. Undefined: the inbox is gone. */
  abstract addLabel(inboxId: string, label: InboxLabel, max: number): Promise<'added' | 'full' | 'taken' | undefined>;

  /** Undefined if the inbox has no such label. */
  abstract changeLabel(inboxId: string, id: string, changes: LabelChanges): Promise<InboxLabel | 'taken' | undefined>;

  /** Threads lose the label with it. */
  abstract removeLabel(inboxId: string, id: string): Promise<boolean>;
}

import type { Actor } from '#identity';
import { SenderProfile, SenderProfileChanges } from '../../domain/sender-profile.js';

/** What a link to unsubscribe stands for. */
export interface UnsubscribeLink {
  readonly teamId: string;
  /** The address that the email was sent to. */
  readonly address: string;
  /** The topic of the email. Null: the link is about all mail of the team. */
  readonly topicId: string | null;
  /** The email that has the link, for the metrics. Links of earlier versions do not name it. */
  readonly emailId?: string;
}

/**
 * Makes and reads the tokens of links to unsubscribe. A token has letters, digits, `-` and `_`, and contains all that
 * is needed to follow it: nothing is stored for it, and it works for as long as it can be verified, also after its
 * email was deleted. It never expires by itself, because people unsubscribe with emails that are years old.
 */
export abstract class UnsubscribeTokens {
  abstract of(link: UnsubscribeLink): string;

  /** Undefined if the token is not valid. */
  abstract read(token: string): UnsubscribeLink | undefined;

  /** The local part of the address for mail that unsubscribes from this team, at most 64 characters. */
  abstract mailboxOf(teamId: string): string;

  /** The team of such a local part, in any case. Undefined if it is not valid. */
  abstract teamOf(local: string): string | undefined;
}

/** How teams present themselves to recipients. */
export abstract class SenderProfiles {
  /** Undefined if there is no such team. */
  abstract find(teamId: string): Promise<SenderProfile | undefined>;

  /** Absent fields stay as they are, null removes them. */
  abstract change(teamId: string, changes: SenderProfileChanges, actor: Actor, at: Date): Promise<void>;
}

/** Reads the subject of mail from outside. */
export abstract class MailSubjects {
  /** Decoded, without line breaks. Empty if there is none that can be read. Never throws for any content. */
  abstract of(content: Uint8Array): string;
}

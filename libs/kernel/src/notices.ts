import { Mailbox } from './email-address.js';
import { Transaction } from './transaction.js';

/** A message of the service, to its operator or to one of its users. */
export interface Notice {
  /** Names the subject and the time. Two notices with the same key are the same notice. */
  readonly key: string;
  readonly subject: string;
  readonly text: string;
  /** Address of the user. Default: the operator. */
  readonly to?: string;
  /** Somebody waits for it, such as a link to set a password. It is sent before what is not. */
  readonly isUrgent?: true;
  /** It quotes mail of strangers, which is not posted where a team talks. */
  readonly isByMailOnly?: true;
  /** Owner of the turns in which notices are sent: a team, where a team causes them. Default: the recipient. */
  readonly owner?: string;
}

/**
 * Sends notices to the operator by mail, and posts them to the URLs that the operator has named. A notice is sent once, even
 * if several processes announce it several times. Where nothing is configured, nothing is sent.
 */
export abstract class Notices {
  /** The address of the operator. Undefined: no mail is sent to the operator. */
  abstract readonly operator: string | undefined;

  /** From whom notices are. Undefined: none are sent. */
  abstract readonly sender: Mailbox | undefined;

  /** Once this resolves, the notice cannot be lost. Within a transaction, that holds once the transaction is committed. */
  abstract announce(notice: Notice, transaction?: Transaction): Promise<void>;
}

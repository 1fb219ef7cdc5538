import { Transaction } from '#kernel';

export interface RefusedRecipient {
  readonly emailId: string;
  readonly recipientNo: number;
  readonly teamId: string;
  readonly address: string;
}

/** Tells whom events of emails concern. */
export abstract class RefusedRecipients {
  /** Without those whose email is no longer stored. One read for all. */
  abstract of(
    events: readonly { readonly emailId: string; readonly recipientNo: number }[],
    transaction: Transaction,
  ): Promise<readonly RefusedRecipient[]>;
}

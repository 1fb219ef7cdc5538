import { Page, PageRequest, Transaction } from '#kernel';
import { User } from '../../domain/user.js';

export interface ListedUser extends User {
  readonly isVerified: boolean;
  readonly isOperator: boolean;
  readonly createdAt: Date;
}

/** All users of the installation. They are made by `SignIn`. */
export abstract class Users {
  abstract findByEmail(email: string): Promise<ListedUser | undefined>;

  abstract find(id: string, transaction?: Transaction): Promise<ListedUser | undefined>;

  abstract list(page: PageRequest): Promise<Page<ListedUser>>;

  /** Removes a user who has not verified the address, with all that this user left behind. */
  abstract removeUnverified(email: string): Promise<void>;

  abstract anyOperator(transaction?: Transaction): Promise<boolean>;

  /** Makes a user an operator. Locks the operators until the transaction ends. */
  abstract addOperator(id: string, at: Date, transaction: Transaction): Promise<void>;

  /** Returns false if the user is no operator, or the last one. */
  abstract removeOperator(id: string): Promise<boolean>;

  abstract remove(id: string): Promise<void>;
}

import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AddressSpellings } from './address-spellings.js';

/** The person of whom a team holds data. */
export interface DataSubject {
  readonly teamId: string;
  /** In lower case. */
  readonly address: string;
  /** Under which the address is searched for. */
  readonly spellings: AddressSpellings;
}

/** One recipient of one email. */
export interface RecipientKey {
  readonly emailId: string;
  readonly recipientNo: number;
}

export interface ErasedPortion {
  /** Number of records from which something was erased. */
  readonly erased: number;
  /** Where the next portion begins; undefined at the end. */
  readonly next: string | undefined;
  /** Whether something is still in use, such as mail that is being delivered, and must be erased later. */
  readonly isWaiting: boolean;
}

/**
 * What a lib knows about addresses. Each lib that stores something about a person offers it here, because nobody else
 * may touch its tables. A lib provides its offering in the module that every process has.
 */
export abstract class PersonalData {
  constructor(holders: PersonalDataHolders) {
    holders.add(this);
  }

  /** Name of the list in an export, such as `emails`. */
  abstract readonly name: string;

  /**
   * Everything about the person, in the names of the API. Reads portion by portion, as fast as they are taken. A long
   * list in a record is an `AsyncIterable`, which is read when it is written.
   */
  abstract records(subject: DataSubject): AsyncIterable<object>;

  /**
   * Erases what is personal in the portion behind `after`, in one short transaction or in repeatable steps, because a
   * run may stop halfway. Counters and what others need stay.
   */
  abstract erase(subject: DataSubject, after: string | undefined): Promise<ErasedPortion>;
}

/** What a lib stores about recipients of emails, beside the emails themselves. Whoever holds the emails asks for it. */
export abstract class RecipientData {
  constructor(holders: PersonalDataHolders) {
    holders.addOfRecipients(this);
  }

  /** Name of the list in the export of an email, such as `attempts`. */
  abstract readonly name: string;

  /** In any order. `recipients` is bounded. */
  abstract records(
    recipients: readonly RecipientKey[],
  ): Promise<readonly (RecipientKey & { readonly record: object })[]>;

  abstract erase(recipients: readonly RecipientKey[], transaction: Transaction): Promise<void>;
}

/** The offerings of all libs of this process. */
@Injectable()
export class PersonalDataHolders {
  private readonly holders: PersonalData[] = [];
  private readonly recipientHolders: RecipientData[] = [];

  /** In the order of their names, so that every process works through them in the same order. */
  get all(): readonly PersonalData[] {
    return [...this.holders].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get ofRecipients(): readonly RecipientData[] {
    return this.recipientHolders;
  }

  add(holder: PersonalData): void {
    this.holders.push(holder);
  }

  addOfRecipients(holder: RecipientData): void {
    this.recipientHolders.push(holder);
  }
}

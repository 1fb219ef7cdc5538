import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { boundsOf, Database, statementsOf } from '#postgres/database';
import { PersonalDataHolders, RecipientData, RecipientKey } from './personal-data.js';

/**
 * Rows of one table about recipients of emails. A lib gives the two statements that read them and clear what is
 * personal.
 */
@Injectable()
export abstract class RecipientRows extends RecipientData {
  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  /**
   * Returns `emailId`, `recipientNo` and `record`, the row in the names of the API. $1 and $2: email ids and recipient
   * numbers, $3 and $4: the lowest and the highest of the ids.
   */
  protected abstract readonly read: string;
  /** With the same parameters. */
  protected abstract readonly clear: string;

  async records(recipients: readonly RecipientKey[]): Promise<readonly (RecipientKey & { readonly record: object })[]> {
    if (recipients.length === 0) return [];
    return this.database.query<RecipientKey & { record: object } & Record<string, unknown>>({
      text: this.read,
      values: valuesOf(recipients),
    });
  }

  async erase(recipients: readonly RecipientKey[], transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({ text: this.clear, values: valuesOf(recipients) });
  }
}

function valuesOf(recipients: readonly RecipientKey[]): unknown[] {
  const emailIds = recipients.map(({ emailId }) => emailId);
  return [emailIds, recipients.map(({ recipientNo }) => recipientNo), ...boundsOf(emailIds)];
}

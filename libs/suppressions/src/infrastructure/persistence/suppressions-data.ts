import { NotFoundError, UnitOfWork } from '#kernel';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#platform/privacy';
import { Injectable } from '@nestjs/common';
import { ConcealAddress } from '../../application/conceal-address.use-case.js';
import { ManageSuppressions } from '../../application/manage-suppressions.use-case.js';

/** The entry of an address in the suppression list. Erased, it stays as a keyed hash: nothing is sent to the address. */
@Injectable()
export class SuppressionsData extends PersonalData {
  readonly name = 'suppressions';

  constructor(
    holders: PersonalDataHolders,
    private readonly suppressions: ManageSuppressions,
    private readonly conceal: ConcealAddress,
    private readonly work: UnitOfWork,
  ) {
    super(holders);
  }

  async *records({ teamId, address }: DataSubject): AsyncGenerator<object> {
    const entry = await this.suppressions.find(teamId, address).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
    if (entry === undefined) return;
    const { id, origin, sourceId, createdAt } = entry;
    yield { id, email: address, origin, source_id: sourceId, created_at: createdAt };
  }

  async erase({ teamId, address }: DataSubject): Promise<ErasedPortion> {
    const erased = await this.work.run((transaction) => this.conceal.execute(teamId, address, transaction));
    return { erased: erased ? 1 : 0, next: undefined, isWaiting: false };
  }
}

import { NotFoundError, UnitOfWork } from '#kernel';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';
import { Suppressions } from '../../application/suppressions.use-case.js';

/** The entry of an address in the suppression list. Erased, it stays as a keyed hash: nothing is sent to the address. */
@Injectable()
export class SuppressionsData extends PersonalData {
  readonly name = 'suppressions';

  constructor(
    holders: PersonalDataHolders,
    private readonly suppressions: Suppressions,
    private readonly work: UnitOfWork,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (const address of spellings.stored) yield* this.entry(teamId, address);
  }

  async erase({ teamId, spellings }: DataSubject): Promise<ErasedPortion> {
    let erased = 0;
    for (const address of spellings.stored) {
      if (await this.work.run((transaction) => this.suppressions.conceal(teamId, address, transaction))) erased++;
    }
    return { erased, next: undefined, isWaiting: false };
  }

  private async *entry(teamId: string, address: string): AsyncGenerator<object> {
    const entry = await this.suppressions.find(teamId, address).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
    if (entry === undefined) return;
    const { id, origin, sourceId, createdAt } = entry;
    yield { id, email: address, origin, source_id: sourceId, created_at: createdAt };
  }
}

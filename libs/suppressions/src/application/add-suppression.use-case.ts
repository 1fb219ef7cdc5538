import { Clock, newId, TeamEvents, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { suppressionEvent } from '../domain/suppression-event.js';
import { Suppression, SuppressionOrigin, suppressionKey } from '../domain/suppression.js';
import { AddressHashes } from './ports/address-hashes.port.js';
import { SuppressionRepository } from './ports/suppression-repository.port.js';

export interface NewSuppression {
  readonly teamId: string;
  /** A valid address, in upper or lower case. */
  readonly email: string;
  readonly origin: SuppressionOrigin;
  /** The email that bounced or was reported. */
  readonly sourceId: string | null;
}

/** Suppresses addresses, so that nothing is sent to them. The processing of bounces and complaints uses it too. */
@Injectable()
export class AddSuppression {
  constructor(
    private readonly suppressions: SuppressionRepository,
    private readonly hashes: AddressHashes,
    private readonly events: TeamEvents,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns one id per addition, in the same order. An address that is already suppressed keeps its id and makes no
   * event.
   */
  execute(additions: readonly NewSuppression[], transaction?: Transaction): Promise<readonly string[]> {
    const createdAt = this.clock.now();
    const suppressions = additions.map((addition) => ({
      ...addition,
      id: newId(createdAt.getTime()),
      email: suppressionKey(addition.email),
      createdAt,
    }));
    if (transaction !== undefined) return this.add(suppressions, transaction);
    return this.work.run((own) => this.add(suppressions, own));
  }

  private async add(suppressions: readonly Suppression[], transaction: Transaction): Promise<readonly string[]> {
    const concealed = await this.concealedAmong(suppressions, transaction);
    const open = suppressions.filter((suppression) => !concealed.has(suppression));
    const openIds = await this.suppressions.add(open, transaction);
    const added = open.filter(({ id }, position) => openIds[position] === id);
    await this.events.append(
      added.map((suppression) => suppressionEvent('suppression.added', suppression, suppression.createdAt)),
      transaction,
    );
    const ids = new Map(open.map((suppression, position) => [suppression, openIds[position]]));
    return suppressions.map((suppression) => concealed.get(suppression) ?? ids.get(suppression) ?? suppression.id);
  }

  /** The ids of entries that are there as a hash. They stay one, so that a deleted contact does not become readable again. */
  private async concealedAmong(
    suppressions: readonly Suppression[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<Suppression, string>> {
    const hashOf = await this.hashes.hasher();
    const keys = suppressions.map(({ teamId, email }) => ({ teamId, email: hashOf(teamId, email) }));
    const found = keys.length === 0 ? [] : await this.suppressions.among(keys, transaction);
    const ids = new Map(found.map(({ email, id }) => [email, id]));
    return new Map(
      suppressions.flatMap((suppression, position) => {
        const id = ids.get(keys[position]?.email ?? '');
        return id === undefined ? [] : [[suppression, id] as const];
      }),
    );
  }
}

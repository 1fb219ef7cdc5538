import { Clock, newId, TeamEvents, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { suppressionEvent } from '../domain/suppression-event.js';
import { Suppression, SuppressionOrigin, suppressionKey } from '../domain/suppression.js';
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
    const ids = await this.suppressions.add(suppressions, transaction);
    const added = suppressions.filter(({ id }, position) => ids[position] === id);
    await this.events.append(
      added.map((suppression) => suppressionEvent('suppression.added', suppression, suppression.createdAt)),
      transaction,
    );
    return ids;
  }
}

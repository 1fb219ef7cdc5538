import { Clock, isUuid, NotFoundError, Page, PageRequest, TeamEvents, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { suppressionEvent } from '../domain/suppression-event.js';
import { Suppression, SuppressionOrigin, suppressionKey } from '../domain/suppression.js';
import { AddressHashes } from './ports/address-hashes.port.js';
import { SuppressionChoice, SuppressionRepository } from './ports/suppression-repository.port.js';

/** Lists, reads and removes the suppressions of a team. */
@Injectable()
export class ManageSuppressions {
  constructor(
    private readonly suppressions: SuppressionRepository,
    private readonly hashes: AddressHashes,
    private readonly events: TeamEvents,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  list(teamId: string, page: PageRequest, origin: SuppressionOrigin | undefined): Promise<Page<Suppression>> {
    return this.suppressions.list(teamId, page, origin);
  }

  async find(teamId: string, idOrEmail: string): Promise<Suppression> {
    const suppression = await this.suppressions.find(teamId, await this.withHashes(teamId, choiceOf(idOrEmail)));
    if (suppression === undefined) throw new NotFoundError('Suppression');
    return suppression;
  }

  async remove(teamId: string, idOrEmail: string): Promise<{ readonly id: string }> {
    const [id] = await this.removeAll(teamId, choiceOf(idOrEmail));
    if (id === undefined) throw new NotFoundError('Suppression');
    return { id };
  }

  /** Returns the ids of the removed suppressions, in the order of the request. */
  async removeAll(teamId: string, given: SuppressionChoice): Promise<readonly string[]> {
    const now = this.clock.now();
    const choice = await this.withHashes(teamId, given);
    return this.work.run(async (transaction) => {
      const removed = await this.suppressions.remove(teamId, choice, transaction);
      await this.events.append(
        removed.map((suppression) => suppressionEvent('suppression.removed', suppression, now)),
        transaction,
      );
      return removed.map(({ id }) => id);
    });
  }

  /** Finds an address also where its entry has become a hash. */
  private async withHashes(teamId: string, choice: SuppressionChoice): Promise<SuppressionChoice> {
    if ('ids' in choice) return choice;
    const hashOf = await this.hashes.hasher();
    return { emails: choice.emails.flatMap((email) => [email, hashOf(teamId, email)]) };
  }
}

function choiceOf(idOrEmail: string): SuppressionChoice {
  return isUuid(idOrEmail) ? { ids: [idOrEmail.toLowerCase()] } : { emails: [suppressionKey(idOrEmail)] };
}

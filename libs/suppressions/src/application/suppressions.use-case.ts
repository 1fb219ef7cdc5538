import { TeamEvents } from '#events';
import { Clock, isUuid, newId, NotFoundError, Page, PageRequest, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Suppression, suppressionEvent, suppressionKey, SuppressionOrigin } from '../domain/suppression.js';
import { AddressHashes, SuppressionChoice, SuppressionRepository } from './ports/suppression-repository.port.js';

export interface NewSuppression {
  readonly teamId: string;
  /** A valid address, in upper or lower case. */
  readonly email: string;
  readonly origin: SuppressionOrigin;
  /** The email that bounced or was reported. */
  readonly sourceId: string | null;
}

/** The addresses to which a team sends nothing. */
@Injectable()
export class Suppressions {
  constructor(
    private readonly suppressions: SuppressionRepository,
    private readonly hashes: AddressHashes,
    private readonly events: TeamEvents,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Suppresses addresses, for people and for bounces and complaints. Returns one id per addition, in the same order. An
   * address that is already suppressed keeps its id and makes no event.
   */
  add(additions: readonly NewSuppression[], transaction?: Transaction): Promise<readonly string[]> {
    const createdAt = this.clock.now();
    const suppressions = additions.map((addition) => ({
      ...addition,
      id: newId(createdAt.getTime()),
      email: suppressionKey(addition.email),
      createdAt,
    }));
    if (transaction !== undefined) return this.addAll(suppressions, transaction);
    return this.work.run((own) => this.addAll(suppressions, own));
  }

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

  /**
   * Replaces an address by its hash, after its contact was deleted: nothing is sent to it from then on either, but
   * nobody can read it. Returns whether there was an entry with the address.
   */
  async conceal(teamId: string, address: string, transaction: Transaction): Promise<boolean> {
    const email = suppressionKey(address);
    return this.suppressions.replaceAddress(teamId, email, await this.hashOf(teamId, email), transaction);
  }

  /** The hash of an address, for records that must name it without telling it. */
  async hashOf(teamId: string, address: string): Promise<string> {
    const hashOf = await this.hashes.hasher();
    return hashOf(teamId, suppressionKey(address));
  }

  private async addAll(suppressions: readonly Suppression[], transaction: Transaction): Promise<readonly string[]> {
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

  /**
   * The ids of entries that are there as a hash. They stay one, so that a deleted contact does not become readable
   * again.
   */
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

  /** Finds an address even if its entry has become a hash. */
  private async withHashes(teamId: string, choice: SuppressionChoice): Promise<SuppressionChoice> {
    if ('ids' in choice) return choice;
    const hashOf = await this.hashes.hasher();
    return { emails: choice.emails.flatMap((email) => [email, hashOf(teamId, email)]) };
  }
}

function choiceOf(idOrEmail: string): SuppressionChoice {
  return isUuid(idOrEmail) ? { ids: [idOrEmail.toLowerCase()] } : { emails: [suppressionKey(idOrEmail)] };
}

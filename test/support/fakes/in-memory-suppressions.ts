import { Page, PageRequest, Transaction } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import {
  AddressHashes,
  SuppressionChoice,
  SuppressionRepository,
} from '../../../libs/suppressions/src/application/ports/suppression-repository.port.js';
import { concealedPrefix, Suppression, SuppressionOrigin } from '../../../libs/suppressions/src/domain/suppression.js';

/** The suppressions of one process, for tests: nothing survives the process. */
export class InMemorySuppressionRepository extends SuppressionRepository {
  private readonly rows = new InMemoryRows<Suppression>();

  async add(suppressions: readonly Suppression[], transaction: Transaction): Promise<readonly string[]> {
    return suppressions.map((suppression) => {
      const known = this.findByEmail(suppression.teamId, suppression.email);
      if (known !== undefined) return known.id;
      this.rows.set(suppression, transaction);
      return suppression.id;
    });
  }

  async find(teamId: string, choice: SuppressionChoice): Promise<Suppression | undefined> {
    return this.chosen(teamId, choice)[0];
  }

  async list(teamId: string, page: PageRequest, origin: SuppressionOrigin | undefined): Promise<Page<Suppression>> {
    return this.rows.page(page, (row) => row.teamId === teamId && (origin === undefined || row.origin === origin));
  }

  async remove(teamId: string, choice: SuppressionChoice, transaction: Transaction): Promise<readonly Suppression[]> {
    const removed = this.chosen(teamId, choice);
    for (const { id } of removed) this.rows.delete(id, transaction);
    return removed;
  }

  async among(
    addresses: readonly { readonly teamId: string; readonly email: string }[],
  ): Promise<readonly Pick<Suppression, 'id' | 'teamId' | 'email' | 'origin'>[]> {
    return addresses.flatMap(({ teamId, email }) => this.findByEmail(teamId, email) ?? []);
  }

  async teamsThatConceal(teamIds: readonly string[]): Promise<ReadonlySet<string>> {
    const concealed = this.rows.where(({ email }) => email.startsWith(concealedPrefix));
    return new Set(concealed.map(({ teamId }) => teamId).filter((teamId) => teamIds.includes(teamId)));
  }

  async replaceAddress(teamId: string, email: string, by: string, transaction: Transaction): Promise<boolean> {
    const known = this.findByEmail(teamId, email);
    if (known === undefined || this.findByEmail(teamId, by) !== undefined) return false;
    this.rows.set({ ...known, email: by }, transaction);
    return true;
  }

  /** In the order of the choice, each once. */
  private chosen(teamId: string, choice: SuppressionChoice): Suppression[] {
    const found =
      'ids' in choice
        ? choice.ids.map((id) => this.rows.get(id))
        : choice.emails.map((email) => this.findByEmail(teamId, email));
    return [...new Set(found)].filter((row): row is Suppression => row?.teamId === teamId);
  }

  private findByEmail(teamId: string, email: string): Suppression | undefined {
    return this.rows.where((row) => row.teamId === teamId && row.email === email)[0];
  }
}

/** Hashes that tests can read. */
export class PlainAddressHashes extends AddressHashes {
  async hasher(): Promise<(teamId: string, email: string) => string> {
    return (teamId, email) => `${concealedPrefix}${teamId}:${email.replace('@', '-')}`;
  }
}

import { Page, PageRequest, Transaction } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import { InboxRepository, LabelChanges } from '../../../libs/inboxes/src/application/ports/inbox-repository.port.js';
import { Inbox, InboxLabel } from '../../../libs/inboxes/src/domain/inbox.js';

type OwnedLabel = InboxLabel & { readonly inboxId: string };

/** The inboxes of one process, for tests. */
export class InMemoryInboxes extends InboxRepository {
  readonly inboxes = new InMemoryRows<Inbox>();
  /** By inbox. */
  readonly drafts = new Map<string, number>();
  /** Look-ups of receiving addresses. */
  readonly sought: string[] = [];
  private readonly allLabels = new InMemoryRows<OwnedLabel>();

  async find(teamId: string, idOrAddress: string): Promise<Inbox | undefined> {
    return this.of(teamId).find(({ id, address }) => id === idOrAddress || address === idOrAddress);
  }

  async openDrafts(inboxId: string): Promise<number> {
    return this.drafts.get(inboxId) ?? 0;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Inbox>> {
    return this.inboxes.page(page, (inbox) => inbox.teamId === teamId);
  }

  async addresses(teamId: string): Promise<ReadonlySet<string>> {
    return new Set(this.of(teamId).map(({ address }) => address));
  }

  async ofReceivingAddress(address: string): Promise<Inbox | undefined> {
    this.sought.push(address);
    return this.inboxes.where(({ receivingAddress }) => receivingAddress === address)[0];
  }

  async add(inbox: Inbox, max: number, transaction: Transaction): Promise<'added' | 'full' | 'taken'> {
    const others = this.of(inbox.teamId);
    if (others.some(({ address }) => address === inbox.address)) return 'taken';
    if (others.length >= max) return 'full';
    this.inboxes.set(inbox, transaction);
    return 'added';
  }

  lock(teamId: string, id: string): Promise<Inbox | undefined> {
    return this.find(teamId, id);
  }

  async update(inbox: Inbox, transaction: Transaction): Promise<void> {
    this.inboxes.set(inbox, transaction);
  }

  async remove(teamId: string, id: string, transaction: Transaction): Promise<boolean> {
    if ((await this.find(teamId, id)) === undefined) return false;
    for (const label of await this.labels(id)) this.allLabels.delete(label.id, transaction);
    return this.inboxes.delete(id, transaction);
  }

  async labels(inboxId: string): Promise<readonly InboxLabel[]> {
    return this.allLabels
      .where((label) => label.inboxId === inboxId)
      .sort((a, b) => (keyOf(a.name) < keyOf(b.name) ? -1 : 1))
      .map(shown);
  }

  async addLabel(inboxId: string, label: InboxLabel, max: number): Promise<'added' | 'full' | 'taken' | undefined> {
    if (this.inboxes.get(inboxId) === undefined) return undefined;
    const others = await this.labels(inboxId);
    if (others.some(({ name }) => keyOf(name) === keyOf(label.name))) return 'taken';
    if (others.length >= max) return 'full';
    this.allLabels.set({ ...label, inboxId });
    return 'added';
  }

  async changeLabel(inboxId: string, id: string, changes: LabelChanges): Promise<InboxLabel | 'taken' | undefined> {
    const label = this.allLabels.get(id);
    if (label?.inboxId !== inboxId) return undefined;
    const { name = label.name, color = label.color } = changes;
    const others = (await this.labels(inboxId)).filter((other) => other.id !== id);
    if (others.some((other) => keyOf(other.name) === keyOf(name))) return 'taken';
    this.allLabels.set({ ...label, name, color });
    return shown({ ...label, name, color });
  }

  async removeLabel(inboxId: string, id: string): Promise<boolean> {
    return this.allLabels.get(id)?.inboxId === inboxId && this.allLabels.delete(id);
  }

  private of(teamId: string): readonly Inbox[] {
    return this.inboxes.where((inbox) => inbox.teamId === teamId);
  }
}

const keyOf = (name: string): string => name.toLowerCase();

function shown({ id, name, color, createdAt }: OwnedLabel): InboxLabel {
  return { id, name, color, createdAt };
}

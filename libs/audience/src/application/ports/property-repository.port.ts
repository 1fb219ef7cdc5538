import { Page, PageRequest, Transaction } from '#kernel';
import { ContactProperty } from '../../domain/property.js';

export type PropertyInsertion = 'inserted' | 'exists' | 'in-removal' | 'too-many';

/** Stores the contact properties of all teams. */
export abstract class PropertyRepository {
  abstract insert(property: ContactProperty, max: number, transaction: Transaction): Promise<PropertyInsertion>;

  abstract find(teamId: string, id: string): Promise<ContactProperty | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<ContactProperty>>;

  /** The properties of teams. Within a transaction they are protected against removal until it ends. */
  abstract ofTeams(teamIds: readonly string[], transaction?: Transaction): Promise<readonly ContactProperty[]>;

  /** Returns false if the team has no such property. */
  abstract update(property: ContactProperty, transaction: Transaction): Promise<boolean>;

  /** Returns the removed property. Its values stay until they are removed in batches. */
  abstract delete(teamId: string, id: string, transaction: Transaction): Promise<ContactProperty | undefined>;
}

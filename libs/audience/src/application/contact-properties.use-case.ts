import type { Principal } from '#identity';
import { Clock, DomainError, found, newId, Page, PageRequest, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { PropertyValue } from '../domain/contact.js';
import {
  checkKey,
  checkValue,
  ContactProperty,
  maxProperties,
  PropertyExistsError,
  PropertyInRemovalError,
  PropertyType,
} from '../domain/property.js';
import { PropertyInsertion, PropertyRepository, Removals } from './ports/contact-repository.port.js';

const thing = 'Contact property';

export interface NewProperty {
  readonly key: string;
  readonly type: PropertyType;
  /** Undefined or null: none. */
  readonly fallbackValue?: unknown;
}

/** Creates, reads, changes and deletes contact properties. */
@Injectable()
export class ContactProperties {
  constructor(
    private readonly properties: PropertyRepository,
    private readonly removals: Removals,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async create(principal: Principal, { key, type, fallbackValue }: NewProperty): Promise<string> {
    principal.require('audience:write');
    const now = this.clock.now();
    const property: ContactProperty = {
      id: newId(now.getTime()),
      teamId: principal.teamId,
      key: checkKey(key),
      type,
      fallbackValue: checkedFallback(type, fallbackValue),
      createdAt: now,
      updatedAt: now,
    };
    await this.work.run(async (transaction) => {
      const refusal = refusalOf(await this.properties.insert(property, maxProperties, transaction), key);
      if (refusal !== undefined) throw refusal;
    });
    return property.id;
  }

  list(teamId: string, page: PageRequest): Promise<Page<ContactProperty>> {
    return this.properties.list(teamId, page);
  }

  async find(teamId: string, id: string): Promise<ContactProperty> {
    return found(thing, await this.properties.find(teamId, id));
  }

  /** @param value null: none. Undefined: as it is. */
  async setFallback(principal: Principal, id: string, value: unknown): Promise<void> {
    principal.require('audience:write');
    const property = await this.find(principal.teamId, id);
    if (value === undefined) return;
    const fallbackValue = checkedFallback(property.type, value);
    const updated = { ...property, fallbackValue, updatedAt: this.clock.now() };
    const isThere = await this.work.run((transaction) => this.properties.update(updated, transaction));
    found(thing, isThere || undefined);
  }

  /** Its values are no longer shown at once, and removed from the contacts soon afterwards. */
  async remove(principal: Principal, id: string): Promise<void> {
    principal.require('audience:write');
    const { teamId } = principal;
    await this.work.run(async (transaction) => {
      const { key } = found(thing, await this.properties.delete(teamId, id, transaction));
      await this.removals.add({ kind: 'property', teamId, subjectId: id, key }, this.clock.now(), transaction);
    });
    // Most teams are small: a new property with the same key is then possible at once.
    await this.removals.step();
  }
}

function checkedFallback(type: PropertyType, value: unknown): PropertyValue | null {
  return value === undefined || value === null ? null : checkValue('fallback_value', type, value);
}

function refusalOf(insertion: PropertyInsertion, key: string): DomainError | undefined {
  switch (insertion) {
    case 'inserted':
      return undefined;
    case 'exists':
      return new PropertyExistsError(key);
    case 'in-removal':
      return new PropertyInRemovalError(key);
    case 'too-many':
      return new ValidationError(`A team may have at most ${maxProperties} contact properties.`);
  }
}

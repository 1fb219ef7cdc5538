import { Injectable } from '@nestjs/common';
import { Contact } from '../../domain/contact.js';
import { FilterCount, FilteredContacts } from '../ports/filtered-contacts.port.js';
import { CheckFilter } from './check-filter.query.js';

export interface FilterPreview extends FilterCount {
  /** The newest contacts that match. */
  readonly sample: readonly Contact[];
}

export const sampleSize = 10;

/** Shows which contacts a filter finds, before a segment has it. */
@Injectable()
export class PreviewFilter {
  constructor(
    private readonly check: CheckFilter,
    private readonly contacts: FilteredContacts,
  ) {}

  async execute(teamId: string, json: unknown): Promise<FilterPreview> {
    const filter = await this.check.execute(teamId, json);
    const count = await this.contacts.count(teamId, filter);
    if (count.contacts === 0) return { ...count, sample: [] };
    const { items } = await this.contacts.page(teamId, filter, { limit: sampleSize });
    return { ...count, sample: items };
  }
}

import { Injectable } from '@nestjs/common';
import { FilteredContacts, FilterPreview } from '../ports/filtered-contacts.port.js';
import { CheckFilter } from './check-filter.query.js';

export const sampleSize = 10;

/** Shows which contacts a filter finds, before a segment has it. */
@Injectable()
export class PreviewFilter {
  constructor(
    private readonly check: CheckFilter,
    private readonly contacts: FilteredContacts,
  ) {}

  async preview(teamId: string, json: unknown): Promise<FilterPreview> {
    const filter = await this.check.check(teamId, json);
    return this.contacts.preview(teamId, filter, sampleSize);
  }
}

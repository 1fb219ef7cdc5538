import { Injectable } from '@nestjs/common';
import { checkReferences } from '../../domain/filters/check-references.js';
import { Filter, referencesOf } from '../../domain/filters/filter.js';
import { parseFilter } from '../../domain/filters/parse-filter.js';
import { FilteredContacts, FilterPreview } from '../ports/filtered-contacts.port.js';

/** Reads a filter from outside. */
@Injectable()
export class CheckFilter {
  constructor(private readonly contacts: FilteredContacts) {}

  /** Throws ValidationError if it is no filter, or names what the team does not have. */
  async check(teamId: string, json: unknown): Promise<Filter> {
    const filter = parseFilter(json);
    const references = referencesOf(filter);
    if (Object.values(references).some((names: readonly string[]) => names.length > 0)) {
      checkReferences(filter, await this.contacts.known(teamId, references));
    }
    return filter;
  }
}

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

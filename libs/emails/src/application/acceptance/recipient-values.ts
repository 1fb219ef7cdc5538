import { contactMergeValues, ContactValues, maxMergeContacts } from '#audience';
import type { MergeFields } from '#audience';
import { MergeValues } from '#kernel';
import { Injectable } from '@nestjs/common';

/** The addresses of one team, with the read of all of them. */
interface Gathering {
  readonly addresses: Set<string>;
  readonly fields: Promise<ReadonlyMap<string, MergeFields>>;
}

/**
 * Step of acceptance: finds the values of a recipient's contact. The emails of a batch, and requests that arrive together, share one
 * read for each team.
 */
@Injectable()
export class RecipientValues {
  /** By team: those of this turn of the event loop. */
  private readonly gatherings = new Map<string, Gathering>();

  constructor(private readonly contacts: ContactValues) {}

  /** @param names of the tags that are used, as merges compare names */
  async of(teamId: string, address: string, names: ReadonlySet<string>): Promise<MergeValues> {
    const { addresses, fields } = this.gatheringOf(teamId);
    addresses.add(address);
    return contactMergeValues((await fields).get(address) as MergeFields, names);
  }

  private gatheringOf(teamId: string): Gathering {
    const known = this.gatherings.get(teamId);
    if (known !== undefined && known.addresses.size < maxMergeContacts) return known;
    const addresses = new Set<string>();
    const turn = new Promise((resolve) => setImmediate(resolve));
    const gathering = {
      addresses,
      fields: turn.then(() => {
        if (this.gatherings.get(teamId) === gathering) this.gatherings.delete(teamId);
        return this.contacts.fieldsOf(teamId, [...addresses]);
      }),
    };
    this.gatherings.set(teamId, gathering);
    return gathering;
  }
}

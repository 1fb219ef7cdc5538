import { ReadContacts } from '#audience';
import type { Principal } from '#identity';
import { foldedCase, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { foundKinds, FoundThing, maxFound, maxSearchLength, permissionOfKind } from '../domain/found-thing.js';
import { NamedThings } from './ports/named-things.port.js';

/** Finds what a team has by its name, as far as the principal may read it. */
@Injectable()
export class SearchTeam {
  constructor(
    private readonly contacts: ReadContacts,
    private readonly named: NamedThings,
  ) {}

  async find(principal: Principal, given: string): Promise<readonly FoundThing[]> {
    const text = given.trim();
    if (text === '' || text.length > maxSearchLength || text.includes('\0') || !text.isWellFormed()) {
      throw new ValidationError(`The \`q\` parameter must be text of 1 to ${maxSearchLength} characters.`);
    }
    const kinds = foundKinds.filter((kind) => principal.may(permissionOfKind[kind]));
    const named = kinds.filter((kind) => kind !== 'contact');
    const [contacts, others] = await Promise.all([
      kinds.length === named.length ? [] : this.contactsWith(principal.teamId, text),
      named.length === 0 ? [] : this.named.find(principal.teamId, named, foldedCase(text), maxFound),
    ]);
    const found = [...contacts, ...others];
    return foundKinds.flatMap((kind) => found.filter((thing) => thing.kind === kind));
  }

  private async contactsWith(teamId: string, text: string): Promise<FoundThing[]> {
    const { items } = await this.contacts.list(teamId, { limit: maxFound }, text);
    return items.map(({ id, email, firstName, lastName }) => {
      const name = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ');
      return { kind: 'contact', id, name: name || email, detail: name === '' ? null : email, inboxId: null };
    });
  }
}

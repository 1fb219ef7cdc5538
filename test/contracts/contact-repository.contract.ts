import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId, PageRequest, UnitOfWork } from '#kernel';
import {
  AddressTakenError,
  ContactFilter,
  ContactRepository,
} from '../../libs/audience/src/application/ports/contact-repository.port.js';
import { MembershipRepository } from '../../libs/audience/src/application/ports/segment-repository.port.js';
import { Contact } from '../../libs/audience/src/domain/contact.js';

export interface ContactsUnderTest {
  readonly contacts: ContactRepository;
  readonly memberships: MembershipRepository;
  readonly unitOfWork: UnitOfWork;
  /** The id of a new team. */
  readonly aTeam: () => Promise<string>;
}

/** What every `ContactRepository` keeps to. */
export function describeContactRepository(name: string, start: () => Promise<ContactsUnderTest>): void {
  describe(`contacts ${name}`, () => {
    let subject: ContactsUnderTest;
    beforeAll(async () => {
      subject = await start();
    });

    const aContact = (teamId: string, email: string, fields: Partial<Contact> = {}): Contact => ({
      id: newId(),
      teamId,
      email,
      firstName: null,
      lastName: null,
      unsubscribed: false,
      unsubscribedAt: null,
      properties: {},
      bouncedAt: null,
      complainedAt: null,
      createdAt: new Date(1_000),
      updatedAt: new Date(1_000),
      ...fields,
    });
    const put = (...contacts: Contact[]) =>
      subject.unitOfWork.run((transaction) => subject.contacts.put(contacts, transaction));
    const update = (...contacts: Contact[]) =>
      subject.unitOfWork.run((transaction) => subject.contacts.update(contacts, transaction));
    const emails = async (teamId: string, page: PageRequest, filter: ContactFilter = {}) =>
      (await subject.contacts.list(teamId, page, filter)).items.map(({ email }) => email);

    it('keeps a contact as it was given, and finds it by id and address, by its team alone', async () => {
      const teamId = await subject.aTeam();
      const contact = aContact(teamId, 'ada@x.test', {
        firstName: 'Ada "quoted" \\ {braces}',
        unsubscribed: true,
        unsubscribedAt: new Date(2_000),
        properties: { plan: 'päckchen', seats: 1.5, constructor: 'x' },
        bouncedAt: new Date(3_000),
      });
      expect(await put(contact)).toEqual([contact]);
      expect(await subject.contacts.find(teamId, { id: contact.id })).toEqual(contact);
      expect(await subject.contacts.find(teamId, { email: 'ada@x.test' })).toEqual(contact);
      expect(await subject.contacts.find(await subject.aTeam(), { id: contact.id })).toBeUndefined();
    });

    it('keeps the contact of a known address, and gives it back in the place of the new one', async () => {
      const teamId = await subject.aTeam();
      const known = aContact(teamId, 'known@x.test', { firstName: 'Known' });
      await put(known);
      const fresh = aContact(teamId, 'fresh@x.test');
      const theirs = aContact(await subject.aTeam(), 'known@x.test');
      expect(await put(fresh, aContact(teamId, 'known@x.test'), theirs)).toEqual([fresh, known, theirs]);
      expect(await subject.contacts.count(teamId)).toBe(2);
    });

    it('locks in the order of the request, and leaves a place for what is unknown', async () => {
      const teamId = await subject.aTeam();
      const [a, b] = [aContact(teamId, 'a@x.test'), aContact(teamId, 'b@x.test')];
      await put(a, b);
      const locked = await subject.unitOfWork.run(async (transaction) => [
        await subject.contacts.lock(teamId, [{ id: b.id }, { id: newId() }, { id: a.id }], transaction),
        await subject.contacts.lock(teamId, [{ email: 'b@x.test' }, { email: 'no@x.test' }], transaction),
      ]);
      expect(locked).toEqual([
        [b, undefined, a],
        [b, undefined],
      ]);
    });

    it('writes all fields of an update, and refuses the address of another contact', async () => {
      const teamId = await subject.aTeam();
      const [a, b] = [aContact(teamId, 'a@x.test', { firstName: 'A' }), aContact(teamId, 'b@x.test')];
      await put(a, b);
      const changed = { ...a, email: 'c@x.test', firstName: null, properties: { n: 1 }, updatedAt: new Date(5_000) };
      await update(changed);
      expect(await subject.contacts.find(teamId, { email: 'c@x.test' })).toEqual(changed);
      await expect(update({ ...b, email: 'c@x.test' })).rejects.toThrow(AddressTakenError);
    });

    it('lists newest first, in pages of both directions, all or the members of a segment', async () => {
      const teamId = await subject.aTeam();
      const all = ['1', '2', '3', '4'].map((n) => aContact(teamId, `${n}@x.test`));
      await put(...all);
      await put(aContact(await subject.aTeam(), 'other@x.test'));
      expect(await emails(teamId, { limit: 3 })).toEqual(['4@x.test', '3@x.test', '2@x.test']);
      expect(await emails(teamId, { limit: 2, after: all[2]?.id })).toEqual(['2@x.test', '1@x.test']);
      expect(await emails(teamId, { limit: 2, before: all[0]?.id })).toEqual(['3@x.test', '2@x.test']);
      const segmentId = newId();
      await subject.unitOfWork.run((transaction) =>
        subject.memberships.add(
          [all[0], all[2]].map((contact) => ({ teamId, segmentId, contactId: contact?.id ?? '' })),
          new Date(),
          transaction,
        ),
      );
      expect(await emails(teamId, { limit: 5 }, { segmentId })).toEqual(['3@x.test', '1@x.test']);
      expect(await emails(teamId, { limit: 5, after: all[2]?.id }, { segmentId })).toEqual(['1@x.test']);
      expect(await emails(teamId, { limit: 5 }, { segmentId, search: { text: '3' } })).toEqual(['3@x.test']);
    });

    it('is counted, worked through, and forgotten with its memberships', async () => {
      const teamId = await subject.aTeam();
      const all = ['1', '2', '3'].map((n) => aContact(teamId, `${n}@x.test`));
      await put(...all);
      expect((await subject.contacts.next(teamId, undefined, 2)).map(({ id }) => id)).toEqual([all[0]?.id, all[1]?.id]);
      expect((await subject.contacts.next(teamId, all[1]?.id, 2)).map(({ id }) => id)).toEqual([all[2]?.id]);
      const among = await subject.contacts.among(teamId, ['3@x.test', 'no@x.test', '1@x.test']);
      expect(among.map(({ email }) => email).sort()).toEqual(['1@x.test', '3@x.test']);
      await subject.unitOfWork.run((transaction) => subject.contacts.remove(all[0] as Contact, transaction));
      expect(await subject.contacts.count(teamId)).toBe(2);
      expect(await subject.contacts.find(teamId, { email: '1@x.test' })).toBeUndefined();
    });

    it('finds by any prefix exactly the contacts of which a field begins with it', async () => {
      const teamId = await subject.aTeam();
      const word = fc.string({
        unit: fc.constantFrom('a', 'B', 'é', 'É', 'Я', '%', '_', '\\', 'Z', '퟿', '\u{10ffff}'),
        maxLength: 4,
      });
      const people = fc.sample(fc.tuple(word, word), 40);
      await put(
        ...people.map(([firstName, lastName], n) =>
          aContact(teamId, `${'ab%_'[n % 4]}${n}@x.test`, { firstName, lastName }),
        ),
      );
      const all = (await subject.contacts.list(teamId, { limit: 100 }, {})).items;
      await fc.assert(
        fc.asyncProperty(
          word.filter((text) => text !== ''),
          async (given) => {
            const text = given.toLowerCase();
            const expected = all.filter(({ email, firstName, lastName }) =>
              [email, firstName, lastName].some((value) => value?.toLowerCase().startsWith(text)),
            );
            const { items } = await subject.contacts.list(teamId, { limit: 100 }, { search: { text } });
            expect(items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          },
        ),
        { numRuns: 50 },
      );
    });
  });
}

import { expect, it } from '@jest/globals';
import type { ReadContacts } from '#audience';
import { Principal } from '#identity';
import { newId } from '#kernel';
import type { FoundThing } from '../domain/found-thing.js';
import { NamedKind, NamedThings } from './ports/named-things.port.js';
import { SearchTeam } from './search-team.query.js';

const teamId = newId();
const thing = (kind: FoundThing['kind'], name: string): FoundThing => ({
  kind,
  id: newId(),
  name,
  detail: null,
  inboxId: null,
});

class AskedThings extends NamedThings {
  readonly asked: [readonly NamedKind[], string][] = [];

  async find(_: string, kinds: readonly NamedKind[], text: string): Promise<readonly FoundThing[]> {
    this.asked.push([kinds, text]);
    return [thing('template', 'Ada again'), thing('broadcast', 'Ada')].filter(({ kind }) =>
      kinds.includes(kind as never),
    );
  }
}

const contacts = {
  list: async () => ({
    items: [{ id: newId(), email: 'ada@a.test', firstName: 'Ada', lastName: null }],
    hasMore: false,
  }),
} as unknown as ReadContacts;
const toolWith = (...permissions: readonly ('broadcasts:read' | 'audience:read')[]): Principal =>
  Principal.ofTool({
    userId: newId(),
    teamId,
    role: 'owner',
    permissions: new Set(permissions),
    tool: { grantId: newId(), name: 'Tool' },
  });

it('finds what the principal may read, kind by kind, with the text in one case', async () => {
  const things = new AskedThings();
  const search = new SearchTeam(contacts, things);
  const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
  expect((await search.find(owner, ' Ada ')).map(({ kind, name }) => [kind, name])).toEqual([
    ['contact', 'Ada'],
    ['broadcast', 'Ada'],
    ['template', 'Ada again'],
  ]);
  expect(things.asked[0]?.[1]).toBe('ada');
  expect((await search.find(toolWith('broadcasts:read'), 'Ada')).map(({ kind }) => kind)).toEqual(['broadcast']);
  expect((await search.find(toolWith('audience:read'), 'Ada')).map(({ kind }) => kind)).toEqual(['contact']);
});

it.each(['', '  ', 'x'.repeat(1_000), 'a\0', '\ud800'])('refuses %j', async (text) => {
  const search = new SearchTeam(contacts, new AskedThings());
  await expect(search.find(toolWith('audience:read'), text)).rejects.toThrow('`q`');
});

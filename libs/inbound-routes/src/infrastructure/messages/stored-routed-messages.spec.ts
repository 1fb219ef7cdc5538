import { expect, it } from '@jest/globals';
import { ServiceNames } from '#domains';
import { ReceivedContents } from '#inbound';
import { ParserThreads, UnreadableError } from '#platform/parsing';
import { HeaderCondition } from '../../domain/header-condition.js';
import { parse } from './header-conditions.parser.js';
import { StoredRoutedMessages } from './stored-routed-messages.js';

const condition = (value: string, header = 'x', not = false): HeaderCondition => ({
  header,
  test: 'contains',
  value,
  not,
});

/** The parser, run here, with the owners to whom its work was charged. */
function rig(trouble?: Error) {
  const owners: unknown[] = [];
  const run = async (_: unknown, { owner, bytes, options }: { owner: string; bytes: Uint8Array; options: never }) => {
    owners.push(owner);
    if (trouble !== undefined) throw trouble;
    return parse(bytes, options);
  };
  const names = { regions: ['r'], hostsOf: () => ({ host: 'mail.service.test' }) } as unknown as ServiceNames;
  const contents = {} as ReceivedContents;
  return { owners, conditions: new StoredRoutedMessages(contents, { run } as unknown as ParserThreads, names) };
}

it('does little work itself, and much in the threads on the account of the team, with the same result', async () => {
  const given = [condition('ONE'), condition('two'), condition('one', 'x', true), condition('three', 'other')];
  const { owners, conditions } = rig();
  const small = await conditions.holding('team', given, [{ name: 'x', value: 'One or two' }]);
  expect([[...small], owners]).toEqual([[given[0], given[1]], []]);
  const long = [
    { name: 'x', value: `${'a'.repeat(200_000)} one` },
    { name: 'other', value: 'Three' },
  ];
  expect([...(await conditions.holding('team', given, long))]).toEqual([given[0], given[3]]);
  expect(owners).toEqual(['team']);
});

it('work that takes too long is an error that says what takes long', async () => {
  const { conditions } = rig(new UnreadableError('took too long'));
  const long = [{ name: 'x', value: 'a'.repeat(300_000) }];
  await expect(conditions.holding('team', [condition('b')], long)).rejects.toThrow(
    'The conditions of your routes take',
  );
});

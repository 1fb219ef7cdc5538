import { afterEach, expect, it, jest } from '@jest/globals';
import { ServiceNames } from '#domains';
import { ReceivedContents } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { ParserThreads, UnreadableError } from '#platform/parsing';
import { HeaderCondition } from '../../domain/header-condition.js';
import { parse } from './header-conditions.parser.js';
import { MessageWaitsForMemoryError } from '../../application/ports/routed-messages.port.js';
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
  const source = async () => ({ size: 2, content: [Buffer.from('\r\n')], release: () => undefined });
  const contents = { source } as unknown as ReceivedContents;
  return { owners, conditions: new StoredRoutedMessages(contents, { run } as unknown as ParserThreads, names) };
}

afterEach(() => void jest.useRealTimers());

/** One message of 20 MB takes 60 of the 96 MB of its team. */
const large = (teamId: string) => ({ teamId, size: 20 * 1024 * 1024, trace: '' }) as ReceivedEmail;

it('a message that finds no memory waits for 10 s and is refused, and other teams load theirs meanwhile', async () => {
  jest.useFakeTimers();
  const { conditions: messages } = rig();
  const first = await messages.load(large('team'));
  const refused = expect(messages.load(large('team'))).rejects.toThrow(MessageWaitsForMemoryError);
  await messages.load(large('other'));
  await jest.advanceTimersByTimeAsync(10_000);
  await refused;
  first.release();
  await expect(messages.load(large('team'))).resolves.toBeDefined();
});

it('memory that becomes free within 10 s is given to the message that waits', async () => {
  jest.useFakeTimers();
  const { conditions: messages } = rig();
  const first = await messages.load(large('team'));
  const second = messages.load(large('team'));
  await jest.advanceTimersByTimeAsync(9_999);
  first.release();
  await expect(second).resolves.toBeDefined();
  expect(jest.getTimerCount()).toBe(0);
});

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

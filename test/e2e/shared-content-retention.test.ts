import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { SendShared } from '#emails';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { DailyPartitions, Database } from '#postgres/database';
import { Retention } from '#postgres/retention';
import { partitionedTables } from '../../apps/server/src/database/schemas.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { until } from '../support/runner/until.js';

const dayMs = 86_400_000;
const realToday = Math.floor(Date.now() / dayMs) * dayMs;
let program: TestProgram;
let transport: InMemoryDeliveryTransport;

function itIsDaysAgo(days: number): void {
  jest.setSystemTime(realToday - days * dayMs + dayMs / 2);
}

beforeAll(async () => {
  jest.useFakeTimers({
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
  itIsDaysAgo(40);
  transport = new InMemoryDeliveryTransport();
  const adapters = new Adapters().use(DeliveryTransport, transport);
  program = await startProgram({ ...inOneProcess, RETENTION_DAYS: '5', ROLES: 'api,worker' }, adapters);
  const partitions = provided(DailyPartitions);
  for (let day = 40; day > 0; day--) await partitions.ensure(partitionedTables, new Date(realToday - day * dayMs), 0);
});

afterAll(async () => {
  await program.stop();
  jest.useRealTimers();
});

function provided<T>(type: abstract new (...parameters: never[]) => T): T {
  return program.postrider.app.get(type as never, { strict: false });
}

it('shared content stays as long as the emails that use it, whenever they were accepted and are sent', async () => {
  const database = provided(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  const principal = Principal.ofUser({ id: newId(), teamId: team?.id ?? '', role: 'owner' });
  const content = { html: '<p>Hi {{{name}}}</p>' };
  const send = async (name: string, daysAgo: number, dueDaysAgo?: number): Promise<string> => {
    itIsDaysAgo(daysAgo);
    const scheduledAt = dueDaysAgo === undefined ? undefined : new Date(realToday - dueDaysAgo * dayMs + dayMs / 2);
    const recipients = [{ to: `${name}@sink.test`, values: { name } }];
    const request = { from: testSender, subject: 'News', content, recipients, scheduledAt };
    const { ids } = await provided(SendShared).send(principal, request);
    if (dueDaysAgo === undefined) await delivered(name);
    return ids[0] ?? '';
  };
  const htmlOf = async (id: string): Promise<unknown> => {
    const response = await program.request(`/emails/${id}`);
    return response.status === 200 ? ((await response.json()) as { html: unknown }).html : response.status;
  };
  const delivered = async (name: string): Promise<void> => {
    await until(() => transport.delivered.some(({ content: bytes }) => Buffer.from(bytes).includes(`Hi ${name}`)));
    // The attempt is recorded as well, with the faked date.
    await until(async () => (await database.query({ text: 'SELECT 1 FROM outbound_queue' })).length === 0);
  };

  const old = await send('old', 40);
  const waiting = await send('waiting', 39, 10);
  const late = await send('late', 20);
  expect(await Promise.all([old, waiting, late].map(htmlOf))).toEqual(['Hi old', 'Hi waiting', 'Hi late'].map(p));

  // The day of the first email is removed with its content. The others have the content of their own days.
  await provided(Retention).run();
  expect(await Promise.all([old, waiting, late].map(htmlOf))).toEqual([404, p('Hi waiting'), p('Hi late')]);

  itIsDaysAgo(9);
  await delivered('waiting');
  await provided(Retention).run();
  expect(await Promise.all([waiting, late].map(htmlOf))).toEqual([p('Hi waiting'), 404]);
});

function p(text: string): string {
  return `<p>${text}</p>`;
}

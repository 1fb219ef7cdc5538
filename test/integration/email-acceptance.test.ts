import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { DirectoryMessageStore, MessageStore } from '#emails';
import { newId } from '#kernel';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

let transport: InMemoryDeliveryTransport;
let program: TestProgram;
let database: Database;

async function start(adapters = new Adapters()): Promise<void> {
  transport = new InMemoryDeliveryTransport();
  program = await startProgram({}, adapters.use(DeliveryTransport, transport));
  database = program.postrider.app.get(Database);
}

beforeAll(() => start());

afterAll(() => program.stop());

async function breakAfterTheCommit(): Promise<void> {
  const run = database.run.bind(database);
  let lost = 0;
  database.run = async (work) => {
    let isAcceptance = false;
    const result = await run((transaction) => {
      const execute = transaction.execute.bind(transaction);
      transaction.execute = (statement) => {
        isAcceptance ||= statement.name === 'accept-emails';
        return execute(statement);
      };
      return work(transaction);
    });
    if (isAcceptance && lost++ === 0) throw new Error('the connection broke after the commit');
    return result;
  };
  try {
    const email = { from: testSender, to: 'once@sink.test', subject: 'Once', text: 'Hello' };
    const { data, error } = await program.resend.emails.send(email);
    expect(error).toBeNull();
    await until(() => transport.delivered.some(({ emailId }) => emailId === data?.id));
    const rows = await database.query({ text: `SELECT id FROM emails WHERE subject = 'Once'` });
    expect(rows).toEqual([{ id: data?.id }]);
    expect(lost).toBe(1);
    expect(transport.delivered.filter(({ recipients }) => recipients.includes('once@sink.test'))).toHaveLength(1);
  } finally {
    database.run = run;
  }
}

it('an email is stored once and reported as accepted if the connection breaks after the commit', breakAfterTheCommit);

it('the same holds for an email whose content is in another store', async () => {
  await program.stop();
  const store = new DirectoryMessageStore(`/tmp/postrider-store-${newId()}`);
  await start(new Adapters().use(MessageStore, store));
  await breakAfterTheCommit();
});

it('if one email of a group commit cannot be written, only that one is refused', async () => {
  const run = database.run.bind(database);
  database.run = (work) =>
    run((transaction) => {
      const execute = transaction.execute.bind(transaction);
      transaction.execute = (statement) =>
        statement.name === 'accept-emails' && JSON.stringify(statement.values).includes('Poisoned')
          ? execute({ text: 'SELECT 1 / 0' })
          : execute(statement);
      return work(transaction);
    });
  try {
    const send = (subject: string) =>
      program.resend.emails.send({ from: testSender, to: 'many@sink.test', subject, text: 'Hello' });
    const results = await Promise.all(['Fine 1', 'Poisoned', 'Fine 2', 'Fine 3'].map(send));
    expect(results.map(({ error }) => error?.name ?? 'accepted')).toEqual([
      'accepted',
      'application_error',
      'accepted',
      'accepted',
    ]);
  } finally {
    database.run = run;
  }
});

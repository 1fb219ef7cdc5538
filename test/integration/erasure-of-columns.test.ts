import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { columnsByContent, ContentClass } from '../support/described/columns-by-content.js';
import { rowsWith, StoredColumn, textColumns, writeRows } from '../support/builders/stored-rows.js';
import { personRows } from '../support/builders/person-rows.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { until } from '../support/runner/until.js';

const person = 'zoe.quill@everywhere.test';
const neighbour = `not-${person}`;
const other = 'somebody@elsewhere.test';

let program: TestProgram;
let client: Client;
let columns: readonly StoredColumn[];

beforeAll(async () => {
  program = await startProgram(inOneProcess, new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()));
  client = new Client({ connectionString: program.database.url });
  await client.connect();
  columns = await textColumns(client);
});

afterAll(async () => {
  await client.end();
  await program.stop();
});

function classOf({ table, column }: Pick<StoredColumn, 'table' | 'column'>): ContentClass | undefined {
  const classes = Object.entries(columnsByContent[table] ?? {}) as [ContentClass, string][];
  return classes.find(([, names]) => names.split(' ').includes(column))?.[0];
}

const nameOf = ({ table, column }: Pick<StoredColumn, 'table' | 'column'>): string => `${table}.${column}`;

it('every column that can hold text has one class, and no class names a column that is gone', () => {
  expect(columns.filter((column) => classOf(column) === undefined).map(nameOf)).toEqual([]);
  const classed = Object.entries(columnsByContent).flatMap(([table, classes]) =>
    Object.values(classes).flatMap((names) => names.split(' ').map((column) => nameOf({ table, column }))),
  );
  expect(classed.toSorted()).toEqual(columns.map(nameOf).toSorted());
});

async function erase(email: string): Promise<void> {
  const asked = await program.request('/privacy/erasures', { method: 'POST', body: JSON.stringify({ email }) });
  const { id } = (await asked.json()) as { id: string };
  await until(async () => {
    const { rows } = await client.query<{ status: string; is_waiting: boolean }>(
      'SELECT status, is_waiting, holder FROM privacy_erasures WHERE id = $1',
      [id],
    );
    if (rows[0]?.is_waiting === true) throw new Error(`The erasure waits: ${JSON.stringify(rows)}`);
    return rows[0]?.status === 'completed';
  });
}

const isErased = (column: StoredColumn): boolean => ['address', 'own', 'text'].includes(classOf(column) ?? '');
/** What somebody's rows say: in columns of these classes, or in all that are erased. */
const of =
  (address: string, mentions = address) =>
  (column: StoredColumn) => {
    const isText = classOf(column) === 'text';
    return isErased(column)
      ? { text: isText ? mentions : address, isAddress: classOf(column) === 'address' }
      : undefined;
  };

it('an erasure leaves an address in no column, and nothing changes of neighbours and of other teams', async () => {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM teams');
  const team = rows[0]?.id as string;
  const { id: strangers } = await addSecondTeam(program.postrider.app);
  await writeRows(client, personRows(strangers), of(person));
  await writeRows(client, personRows(team), of(neighbour));
  const kept = await rowsWith(client, columns, person);
  const filled = await writeRows(client, personRows(team), of(person));
  expect([...filled].toSorted()).toEqual(columns.filter(isErased).map(nameOf).toSorted());
  await writeRows(client, personRows(team), of(other, person));
  const ofOther = await rowsWith(client, columns, other);

  await erase(person);

  expect(await rowsWith(client, columns, person)).toEqual(kept);
  const stays = await rowsWith(client, columns, other);
  expect(Object.entries(stays).map(([name, { length }]) => [name, length])).toEqual(
    Object.entries(ofOther).map(([name, { length }]) => [name, length]),
  );
});

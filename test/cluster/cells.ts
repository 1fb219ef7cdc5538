import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { CellInstallation, receivers, TestCell } from '../support/programs/cell-installation.js';
import { until } from '../support/runner/until.js';

/**
 * `npm run cluster -- cells`: three installations, each with a database of its own, share teams, keys, domains and
 * suppressions. Mail is sent through any of them while programs and databases are killed. It fails if a single
 * acknowledged email was not delivered, or if a change does not arrive.
 */
const emails = Number(process.env.CLUSTER_EMAILS ?? 5_000);
const senders = 24;
const kills = 6;
const quietMs = 60_000;
const [us, eu, sa] = ['us-east-1', 'eu-west-1', 'sa-east-1'] as const;
const domains = [
  [us, 'us.test'],
  [eu, 'eu.test'],
  [sa, 'sa.test'],
] as const;

const say = (text: string): void => console.log(text);
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;

/** What was acknowledged, by the time of the acknowledgement. */
interface Acknowledged {
  readonly id: string;
  readonly recipient: string;
  readonly region: string;
  readonly at: number;
}

class Run {
  readonly acknowledged: Acknowledged[] = [];
  repeated = 0;
  next = 0;

  constructor(readonly installation: CellInstallation) {}

  get cells(): readonly TestCell[] {
    return this.installation.cells;
  }

  /** Sends one email, through one cell after another, always with the same key, until it is acknowledged. */
  async send(
    index: number,
    places: readonly (readonly [string, string])[] = domains,
    through = this.cells,
  ): Promise<void> {
    const [region, domain] = places[index % places.length] as readonly [string, string];
    const recipient = `reader${index}@${receivers}`;
    const body = { from: `a@${domain}`, to: recipient, subject: `No ${index}`, text: 'Hello' };
    const headers = { 'idempotency-key': `cells-${index}` };
    for (;;) {
      const response = await pick(through)
        .request('/emails', { method: 'POST', body, headers })
        .catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response?.ok === true && text !== undefined) {
        const { id } = JSON.parse(text) as { id: string };
        this.acknowledged.push({ id, recipient, region, at: performance.now() });
        return;
      }
      if (response !== undefined && response.status < 500 && response.status !== 409) {
        throw new Error(`${response.status} ${text}`);
      }
      this.repeated++;
      await delay(250);
    }
  }
}

/** A domain of one cell sends through another, and a third shows the email. */
async function passOn({ installation }: Run): Promise<void> {
  const [a, b, c] = installation.cells as [TestCell, TestCell, TestCell];
  const body = { from: 'a@us.test', to: `first@${receivers}`, subject: 'Hello', text: 'Hi' };
  const { id } = await b.json<{ id: string }>('/emails', { method: 'POST', body });
  await until(async () => (await c.json<{ last_event: string }>(`/emails/${id}`)).last_event === 'delivered');
  say(`a domain of ${a.name} sent through ${b.name}, and ${c.name} shows that the email was delivered`);
}

/** Spread over the run: a random program is killed, or the database of a cell. */
async function breakThings(run: Run): Promise<void> {
  for (let step = 1; step <= kills; step++) {
    await until(() => run.acknowledged.length >= (emails * step) / (kills + 2), 120_000);
    const cell = pick(run.cells);
    if (step % 3 === 0) {
      await cell.postgres.kill();
      await cell.postgres.restart();
      say(`killed and started again: the database of ${cell.name}`);
    } else {
      await cell.replace();
      say(`killed and replaced: the program of ${cell.name}`);
    }
  }
}

async function sendWhileKilling(run: Run): Promise<void> {
  const work = async (): Promise<void> => {
    while (run.next < emails) await run.send(run.next++);
  };
  const sending = Promise.all(Array.from({ length: senders }, work));
  await Promise.all([sending, breakThings(run)]);
  say(`${run.acknowledged.length} emails acknowledged, ${run.repeated} requests were repeated by the senders`);
}

/** The other cells go on without the home database, and what happened meanwhile arrives when it is back. */
async function loseHome(run: Run): Promise<void> {
  const home = run.installation.cell(us);
  const others = run.cells.filter((cell) => cell !== home);
  await home.postgres.kill();
  const before = run.acknowledged.length;
  const gone = `gone@${receivers}`;
  for (let n = 0; n < 300; n += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, i) => run.send(emails + n + i, domains.slice(1), others)));
  }
  await suppress(run.installation.cell(eu), gone);
  say(`without the home database: ${run.acknowledged.length - before} emails acknowledged by the other cells`);
  await home.postgres.restart();
  await until(async () => (await home.request('/readyz')).ok, quietMs);
  await until(
    async () =>
      (await home.json<{ data: { email: string }[] }>('/suppressions')).data.some(({ email }) => email === gone),
    quietMs,
  );
  const { token } = await home.json<{ token: string }>('/api-keys', { method: 'POST', body: { name: 'new' } });
  for (const cell of others) {
    await until(
      async () => (await cell.request('/emails', { headers: { authorization: `Bearer ${token}` } })).ok,
      quietMs,
    );
  }
  say('the home database is back: a suppression of another cell arrived there, and a new key in the other cells');
}

/** As a bounce does. */
async function suppress(cell: TestCell, email: string): Promise<void> {
  await withSql(cell, (sql) =>
    sql.query(
      `INSERT INTO suppressions (id, team_id, email, origin, created_at)
       SELECT gen_random_uuid(), team_id, $1, 'bounce', now() FROM domains WHERE name = 'eu.test'`,
      [email],
    ),
  );
}

async function report(run: Run): Promise<boolean> {
  const waiting = async (): Promise<number> => {
    const counts = await Promise.all(
      run.cells.map((cell) => count(cell, 'SELECT count(*)::int AS n FROM outbound_queue')),
    );
    return counts.reduce((sum, n) => sum + n, 0);
  };
  await until(async () => (await waiting()) === 0, quietMs).catch(async () =>
    say(`${await waiting()} recipients still wait`),
  );
  const arrived = new Map<string, number>();
  for (const { recipients } of run.installation.sink.messages) {
    for (const one of recipients) arrived.set(one, (arrived.get(one) ?? 0) + 1);
  }
  const lost = run.acknowledged.filter(({ recipient }) => !arrived.has(recipient));
  const twice = [...arrived.values()].filter((n) => n > 1).length;
  const unknown = await Promise.all(
    run.cells.map((cell) => count(cell, `SELECT count(*)::int AS n FROM delivery_attempts WHERE outcome = 'unknown'`)),
  );
  const known = unknown.reduce((sum, n) => sum + n, 0);
  say(
    `${run.acknowledged.length - lost.length} delivered, ${lost.length} lost, ${twice} twice, ${known} attempts are on record as of unknown outcome`,
  );
  return lost.length === 0 && twice <= known;
}

async function count(cell: TestCell, text: string): Promise<number> {
  return withSql(cell, async (sql) => (await sql.query<{ n: number }>(text)).rows[0]?.n ?? NaN);
}

async function withSql<T>(cell: TestCell, work: (sql: Client) => Promise<T>): Promise<T> {
  const sql = new Client({ connectionString: cell.postgres.url });
  await sql.connect();
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

export async function runCells(): Promise<boolean> {
  const started = performance.now();
  const seconds = (): number => Math.round((performance.now() - started) / 1_000);
  const installation = await CellInstallation.start([us, eu, sa]);
  try {
    for (const [region, name] of domains) await installation.addDomain(name, region);
    say(`ready after ${seconds()} s: ${domains.map(([region]) => region).join(', ')}`);
    const run = new Run(installation);
    await passOn(run);
    await sendWhileKilling(run);
    await loseHome(run);
    const good = await report(run);
    say(`took ${seconds()} s`);
    say(good ? 'Nothing was lost.' : 'FAILED');
    return good;
  } finally {
    await installation.stop();
  }
}

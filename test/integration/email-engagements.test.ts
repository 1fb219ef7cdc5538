import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { EmailEngagements, Engagement, OutgoingEmails, RecipientChange } from '#emails';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
let program: TestProgram;
let database: Database;
let engagements: EmailEngagements;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport));
  database = program.postrider.app.get(Database);
  engagements = program.postrider.app.get(EmailEngagements, { strict: false });
});
afterAll(() => program.stop());

interface Shown {
  readonly seq: number;
  readonly type: string;
  readonly recipient: string | null;
}

async function delivered(to: string | string[]): Promise<string> {
  const { data } = await program.resend.emails.send({ from: testSender, to, subject: 'Hello', html: 'Hi' });
  const id = data?.id ?? '';
  const count = [to].flat().length;
  await until(async () => (await eventsOf(id)).filter(({ type }) => type === 'email.delivered').length === count);
  return id;
}

async function eventsOf(id: string, after = 0): Promise<Shown[]> {
  const response = await program.request(`/emails/${id}/events?after=${after}`);
  return ((await response.json()) as { data: Shown[] }).data;
}

const engagement = (emailId: string, more: Partial<Engagement> = {}): Engagement => ({
  emailId,
  recipientNo: 0,
  event: 'email.opened',
  data: { open: {} },
  isMachine: false,
  at: new Date(),
  ...more,
});
const click = { event: 'email.clicked' } as const;
const machine = { isMachine: true };
const complaint = (emailId: string): RecipientChange => ({
  emailId,
  recipientNo: 0,
  status: 'complained',
  event: 'email.complained',
  data: null,
  at: new Date(),
});

const record = (...items: Engagement[]): Promise<void> =>
  database.run((transaction) => engagements.record(items, transaction));
const lastEventOf = async (id: string): Promise<string | undefined> =>
  (await program.resend.emails.get(id)).data?.last_event;

it('concurrent writers leave no gap and no duplicate in the event numbers of an email', async () => {
  const ids = await Promise.all([delivered(['a@sink.test', 'b@sink.test']), delivered(['c@sink.test', 'd@sink.test'])]);
  const emails = program.postrider.app.get(OutgoingEmails, { strict: false });
  const writers = Array.from({ length: 24 }, (_, n) =>
    n === 12
      ? database.run((transaction) => emails.record([complaint(ids[0])], transaction))
      : record(...ids.map((id) => engagement(id, { recipientNo: n % 2, ...(n % 3 === 0 ? click : {}) }))),
  );
  await Promise.all(writers);
  for (const [index, id] of ids.entries()) {
    const numbers = (await eventsOf(id)).map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(numbers).toHaveLength(4 + (index === 0 ? 24 : 23));
  }
});

it('engagements and delivery events of the same emails do not deadlock, whatever their order', async () => {
  const emails = program.postrider.app.get(OutgoingEmails, { strict: false });
  const recipients = ['a@sink.test', 'b@sink.test', 'c@sink.test'];
  const ids = await Promise.all(Array.from({ length: 6 }, () => delivered(recipients)));
  const all = ids.flatMap((emailId) => recipients.map((_, recipientNo) => ({ emailId, recipientNo })));
  const rotated = (by: number): typeof all => [...all.slice(by), ...all.slice(0, by)];
  const late = (emailId: string, recipientNo: number): RecipientChange => ({
    ...complaint(emailId),
    recipientNo,
    status: 'delivered',
    event: 'email.delivery_delayed',
  });
  const rounds = 8;
  for (let round = 0; round < rounds; round++) {
    const opened = rotated(round).map((recipient) => engagement(recipient.emailId, recipient));
    const delayed = rotated(7 * round)
      .reverse()
      .map(({ emailId, recipientNo }) => late(emailId, recipientNo));
    await Promise.all([
      record(...opened),
      record(...[...opened].reverse()),
      database.run((transaction) => emails.record(delayed, transaction)),
      database.run((transaction) => emails.record([...delayed].reverse(), transaction)),
    ]);
  }
  for (const id of ids) {
    const numbers = (await eventsOf(id)).map(({ seq }) => seq);
    expect(numbers).toEqual(Array.from({ length: 6 + rounds * 12 }, (_, at) => at + 1));
  }
});

it('a recipient has a limited number of events of a type, and events of machines do not use up those of the reader', async () => {
  const id = await delivered('many@sink.test');
  for (let round = 0; round < 3; round++) {
    await record(...Array.from({ length: 60 }, () => engagement(id, { ...click, ...machine })));
  }
  await record(...Array.from({ length: 99 }, () => engagement(id)), engagement(id, click));
  await record(engagement(id), engagement(id), engagement(id, click));
  const count = async (type: string): Promise<number> =>
    (await eventsOf(id)).filter((event) => event.type === type).length;
  expect([await count('email.opened'), await count('email.clicked')]).toEqual([100, 102]);
  expect(await eventsOf(id, 200)).toHaveLength(4);
});

it('the last event advances to opened and clicked, never back, and not for machines or after a complaint', async () => {
  const id = await delivered(['one@sink.test', 'two@sink.test']);
  const after = async (...items: Engagement[]): Promise<string | undefined> => {
    await record(...items);
    return lastEventOf(id);
  };
  expect(await after(engagement(id, machine), engagement(id, { ...click, ...machine }))).toBe('delivered');
  expect(await after(engagement(id))).toBe('opened');
  expect(await after(engagement(id, click), engagement(id))).toBe('clicked');
  expect(await after(engagement(id, { recipientNo: 1 }))).toBe('clicked');
  const emails = program.postrider.app.get(OutgoingEmails, { strict: false });
  await database.run((transaction) => emails.record([complaint(id)], transaction));
  expect(await after(engagement(id, click), engagement(id, { recipientNo: 1 }))).toBe('complained');
});

it('an engagement of an unknown email or recipient is ignored', async () => {
  const id = await delivered('known@sink.test');
  const before = await eventsOf(id);
  await record(engagement(newId()), engagement(id, { recipientNo: 7 }));
  expect(await eventsOf(id)).toEqual(before);
  await expect(program.request(`/emails/${id}/events?after=x`).then(({ status }) => status)).resolves.toBe(422);
});

it('knows when each recipient got its email', async () => {
  const id = await delivered('timed@sink.test');
  const times = await database.run((transaction) =>
    engagements.deliveredAt(
      [
        { emailId: newId(), recipientNo: 0 },
        { emailId: id, recipientNo: 0 },
        { emailId: id, recipientNo: 1 },
      ],
      transaction,
    ),
  );
  expect(times).toEqual([undefined, expect.any(Date), undefined]);
});

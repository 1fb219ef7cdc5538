import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { SendShared, SharedContent, SharedRecipient } from '#emails';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

interface Subject {
  readonly program: TestProgram;
  readonly database: Database;
  readonly transport: InMemoryDeliveryTransport;
  readonly owner: Principal;
  send(content: SharedContent, recipients: readonly SharedRecipient[], subject?: string): Promise<readonly string[]>;
}

async function start(environment: Record<string, string> = {}): Promise<Subject> {
  const transport = new InMemoryDeliveryTransport();
  const program = await startProgram(environment, new Adapters().use(DeliveryTransport, transport));
  const database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  const owner = Principal.ofUser({ id: newId(), teamId: team?.id ?? '', role: 'owner' });
  const sendShared = program.postrider.app.get(SendShared, { strict: false });
  const send: Subject['send'] = async (content, recipients, subject = 'News') =>
    (await sendShared.send(owner, { from: testSender, subject, content, recipients })).ids;
  return { program, database, transport, owner, send };
}

describe('content that many emails share', () => {
  let subject: Subject;
  beforeAll(async () => (subject = await start()));
  afterAll(() => subject.program.stop());

  const html = '<p>Hi {{{FIRST_NAME|there}}} of {{{contact.company|<i>your company</i>}}}</p>';
  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await (await subject.program.request(path)).json()) as Record<string, unknown>;
  const delivered = (id: string): string | undefined => {
    const message = subject.transport.delivered.find(({ emailId }) => emailId === id);
    return message === undefined ? undefined : Buffer.from(message.content).toString();
  };

  it('is personal in delivery, in the API and on the shared page, and the same everywhere', async () => {
    const [ada = '', stranger = ''] = await subject.send(
      { html },
      [
        { to: 'ada@sink.test', values: { FIRST_NAME: 'Ada', company: 'Babbage & <Co>' } },
        { to: 'stranger@sink.test', values: {} },
      ],
      'For {{{first_name|you}}}',
    );
    const personal = '<p>Hi Ada of Babbage &#38; &#60;Co&#62;</p>';
    expect(await read(`/emails/${ada}`)).toMatchObject({ html: personal, subject: 'For Ada' });
    expect(await read(`/emails/${stranger}`)).toMatchObject({
      html: '<p>Hi there of <i>your company</i></p>',
      subject: 'For you',
    });
    await until(() => delivered(ada) !== undefined && delivered(stranger) !== undefined);
    expect(delivered(ada)).toContain(personal);
    expect(delivered(ada)).toContain('Hi Ada of Babbage & <Co>');
    expect(delivered(ada)).toContain('Subject: For Ada');
    expect(delivered(stranger)).toContain('Hi there of <i>your company</i>');

    const share = await subject.program.request(`/emails/${ada}/share`, { method: 'POST' });
    const { url } = (await share.json()) as { url: string };
    expect(await (await fetch(url)).text()).toContain('Babbage');
  });

  it('includes its attachments', async () => {
    const attachment = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('attached') };
    const content = { text: 'Hello {{{name}}}', attachments: [attachment] };
    const ids = await subject.send(content, [
      { to: 'one@sink.test', values: { name: 'One' } },
      { to: 'two@sink.test', values: { name: 'Two' } },
    ]);
    for (const id of ids) {
      const { data } = (await read(`/emails/${id}/attachments`)) as { data: { download_url: string }[] };
      expect(await (await fetch(data[0]?.download_url ?? '')).text()).toBe('attached');
      await until(() => delivered(id)?.includes(attachment.content.toString('base64')) === true);
    }
  });

  it('is stored once, even if several requests store it at the same time', async () => {
    const count = async (): Promise<unknown> =>
      subject.database.query({ text: 'SELECT count(DISTINCT id)::int AS contents FROM message_contents' });
    const [before] = (await count()) as [{ contents: number }];
    const to = (name: string) => [{ to: `${name}@sink.test`, values: { name } }];
    const another = await startProgram({ ROLES: 'api' }, new Adapters(), subject.program.database);
    try {
      const elsewhere = another.postrider.app.get(SendShared, { strict: false });
      // Equal, but not the same object.
      const content = (): SharedContent => ({ html: '<p>At once, {{{name}}}</p>' });
      await Promise.all([
        subject.send(content(), to('a')),
        subject.send(content(), to('b')),
        elsewhere.send(subject.owner, { from: testSender, subject: 'x', content: content(), recipients: to('c') }),
      ]);
      expect(await count()).toEqual([{ contents: before.contents + 1 }]);
    } finally {
      await another.stop();
    }
  });

  it('is refused if the values make an email too large', async () => {
    const content = { text: '{{{long}}}'.repeat(200) };
    await expect(subject.send(content, [{ to: 'a@sink.test', values: { long: 'x'.repeat(15_000) } }])).rejects.toThrow(
      'larger than',
    );
  });
});

it('a body of 100 KB for 10,000 people is stored once, with one small row for each email', async () => {
  const subject = await start({ ROLES: 'api' });
  const { program, database } = subject;
  try {
    const body = `<p>Hi {{{first_name|there}}}</p>${'<p>The same for everybody.</p>'.repeat(3_500)}`;
    const content = { html: body };
    const bytesOf = async (tables: string): Promise<number> => {
      const [row] = await database.query<{ bytes: string }>({
        text: `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::text AS bytes
               FROM pg_class c WHERE c.relkind = 'r' AND c.relname ~ $1`,
        values: [tables],
      });
      return Number(row?.bytes);
    };
    const everything = '^(emails|recipients|email_events|message_contents|outbound_queue)';
    const [before, contentsBefore] = [await bytesOf(everything), await bytesOf('^message_contents')];
    for (let sent = 0; sent < 10_000; sent += 1_000) {
      const recipients = Array.from({ length: 1_000 }, (_, i) => ({
        to: `person-${sent + i}@sink.test`,
        values: { first_name: `Person ${sent + i}` },
      }));
      await subject.send(content, recipients);
    }
    const [stored] = await database.query({
      text: `SELECT sum(octet_length(bytes))::int AS bytes, count(DISTINCT id)::int AS contents FROM message_contents`,
    });
    const [emails] = await database.query({
      text: 'SELECT count(*)::int AS emails, count(DISTINCT content_id)::int AS contents FROM emails',
    });
    expect(emails).toEqual({ emails: 10_000, contents: 1 });
    expect(stored).toEqual({ bytes: body.length + 6, contents: 1 });
    expect((await bytesOf('^message_contents')) - contentsBefore).toBeLessThan(3 * body.length);
    // Pages of `emails` are half full, to leave room for updates, and the sum includes indexes.
    expect(((await bytesOf(everything)) - before) / 10_000).toBeLessThan(3_000);
  } finally {
    await program.stop();
  }
});

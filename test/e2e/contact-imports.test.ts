import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { ended, imported, postImport, shownImport } from '../support/builders/contact-import-steps.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';

let program: TestProgram;
let database: Database;

beforeAll(async () => {
  program = await startProgram({ RATE_LIMIT_PER_SECOND: '10000' });
  database = program.postrider.app.get(Database);
});

afterAll(() => program.stop());

async function contact(email: string): Promise<Record<string, unknown>> {
  const response = await program.request(`/contacts/${encodeURIComponent(email)}`);
  return (await response.json()) as Record<string, unknown>;
}

async function report(id: string): Promise<string> {
  const response = await program.request(`/contacts/imports/${id}/refused-rows`);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return response.text();
}

const counts = (created: number, updated = 0, skipped = 0, failed = 0): object => ({
  total: created + updated + skipped + failed,
  created,
  updated,
  skipped,
  failed,
});

describe('an import', () => {
  it('is made and followed with the client library', async () => {
    const { data, error } = await program.resend.contacts.imports.create({
      file: new Blob(['E-Mail;Vorname;Tarif;Alter\nada@lib.test;Ada;pro;36\ngrace@lib.test;Grace;;\n']),
      columnMap: {
        email: 'E-Mail',
        firstName: 'Vorname',
        properties: { lib_plan: { column: 'Tarif' }, lib_age: { column: 'Alter', type: 'number' } },
      },
      onConflict: 'upsert',
    });
    expect(error).toBeNull();
    const id = data?.id as string;
    expect(await ended(program, id)).toMatchObject({ status: 'completed', progress: 100, counts: counts(2) });
    expect((await program.resend.contacts.imports.get(id)).data).toMatchObject({ id, status: 'completed' });
    const list = await program.resend.contacts.imports.list({ status: 'completed', limit: 5 });
    expect(list.data?.data.map((item) => item.id)).toContain(id);
    expect(await contact('ada@lib.test')).toMatchObject({
      first_name: 'Ada',
      last_name: null,
      properties: { lib_plan: { type: 'string', value: 'pro' }, lib_age: { type: 'number', value: 36 } },
    });
    expect(await contact('grace@lib.test')).toMatchObject({ first_name: 'Grace', properties: {} });
  });

  const text =
    'email,first_name,last_name\r\nzoe@NAME.test,Zoë,"O""Neill, Jr"\r\n\r\nluca@NAME.test,Łuca,"two\r\nlines"\r\n';
  // €, curly quotes and Ÿ, which Latin-1 does not have.
  const ansi = text.replace('Łuca', 'Lu\xe7a \x80\x93\x9f\x94');
  const utf16be = (given: string): Buffer => Buffer.from(given, 'utf16le').swap16();
  const files: readonly [name: string, file: Buffer][] = [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 BE with a mark', utf16be(`\uFEFF${text}`)],
    ['UTF-16 LE', Buffer.from(text, 'utf16le')],
    ['UTF-16 BE', utf16be(text)],
    ['Windows-1252', Buffer.from(ansi, 'latin1')],
    [
      'semicolons',
      Buffer.from(
        text
          .replaceAll(',last', ';last')
          .replace('email,', 'email;')
          .replace('test,Z', 'test;Z')
          .replace('Zoë,', 'Zoë;')
          .replace('test,Ł', 'test;Ł')
          .replace('Łuca,', 'Łuca;'),
      ),
    ],
    [
      'tabs',
      Buffer.from(
        'email\tfirst_name\tlast_name\nzoe@NAME.test\tZoë\t"O""Neill, Jr"\nluca@NAME.test\tŁuca\t"two\r\nlines"',
      ),
    ],
    ['old Mac line ends', Buffer.from(text.replaceAll('\r\n', '\r').replace('two\r', 'two\r\n'))],
    [
      'a line for the delimiter',
      Buffer.from(
        `sep=|\r\n${'email|first_name|last_name\r\nzoe@NAME.test|Zoë|"O""Neill, Jr"\r\nluca@NAME.test|Łuca|"two\r\nlines"'}`,
      ),
    ],
  ];
  it.each(files)('reads %s', async (name, file) => {
    const domain = `${name.toLowerCase().replaceAll(' ', '-')}.test`;
    const named = Buffer.from(file);
    // The name has as many letters as the domain in the file, so that nothing moves.
    const label = `k${files.findIndex(([known]) => known === name)}`.padEnd(4, 'x').toUpperCase();
    for (const encoding of ['latin1', 'utf16le'] as const)
      replaceBytes(named, Buffer.from('NAME', encoding), Buffer.from(label, encoding));
    replaceBytes(named, utf16be('NAME'), utf16be(label));
    expect(domain).not.toBe('');
    expect(await imported(program, named)).toMatchObject({ status: 'completed', counts: counts(2) });
    expect(await contact(`zoe@${label}.test`)).toMatchObject({ first_name: 'Zoë', last_name: 'O"Neill, Jr' });
    expect(await contact(`luca@${label}.test`)).toMatchObject({
      first_name: name === 'Windows-1252' ? 'Luça €“Ÿ”' : 'Łuca',
      last_name: 'two\r\nlines',
    });
  });

  it('takes over the values of known contacts, but never subscribes one again', async () => {
    await program.resend.contactProperties.create({ key: 'tier', type: 'string', fallbackValue: null });
    await program.resend.contacts.create({
      email: 'known@up.test',
      firstName: 'Old',
      lastName: 'Kept',
      unsubscribed: true,
    });
    const before = await eventCount('known@up.test');
    const file =
      'email,first_name,last_name,unsubscribed,tier\nKNOWN@up.test,New,,no,gold\nnew@up.test,N,,yes,\nnew@up.test,,M,no,silver\n';
    const columns = { column_map: { properties: { tier: { column: 'tier' } } } };
    const result = await imported(program, file, columns);
    expect(result).toMatchObject({ status: 'completed', counts: counts(1, 2) });
    expect(await contact('known@up.test')).toMatchObject({
      first_name: 'New',
      last_name: 'Kept',
      unsubscribed: true,
      properties: { tier: { value: 'gold' } },
    });
    expect(await contact('new@up.test')).toMatchObject({
      first_name: 'N',
      last_name: 'M',
      unsubscribed: true,
      properties: { tier: { value: 'silver' } },
    });
    // The same file again changes nothing.
    expect(await imported(program, file, columns)).toMatchObject({ counts: counts(0, 3) });
    expect(await eventCount('known@up.test')).toBe(before);
    const history = (await (await program.request('/contacts/known@up.test/history')).json()) as {
      data: { type: string; source: string; changes: object }[];
    };
    expect(history.data[0]).toMatchObject({ type: 'updated', source: 'import' });
    expect(JSON.stringify(history.data[0]?.changes)).toContain('"Old"');
    expect(history.data).toHaveLength(2);
  });

  it('leaves known contacts as they are where it is asked to', async () => {
    await program.resend.contacts.create({ email: 'known@skip.test', firstName: 'Old' });
    const file = 'email,first_name\nknown@skip.test,New\nnew@skip.test,First\nnew@skip.test,Second\n';
    expect(await imported(program, file, { on_conflict: 'skip' })).toMatchObject({ counts: counts(1, 0, 2) });
    expect(await contact('known@skip.test')).toMatchObject({ first_name: 'Old' });
    expect(await contact('new@skip.test')).toMatchObject({ first_name: 'First' });
  });

  it('adds its contacts to segments and topics, and respects who refused one', async () => {
    const segmentId = (await program.resend.segments.create({ name: 'Imported' })).data?.id as string;
    const topicId = (await program.resend.topics.create({ name: 'News', defaultSubscription: 'opt_out' })).data
      ?.id as string;
    await program.resend.contacts.create({ email: 'no@group.test' });
    await program.resend.contacts.topics.update({
      email: 'no@group.test',
      topics: [{ id: topicId, subscription: 'opt_out' }],
    });
    const fields = { segments: [{ id: segmentId }], topics: [{ id: topicId, subscription: 'opt_in' }] };
    await imported(program, 'email\nyes@group.test\nno@group.test\n', fields);
    const members = await program.resend.contacts.list({ segmentId });
    expect(members.data?.data.map(({ email }) => email).sort()).toEqual(['no@group.test', 'yes@group.test']);
    const choice = async (email: string): Promise<unknown> =>
      (await program.resend.contacts.topics.list({ email })).data?.data.find(({ id }) => id === topicId)?.subscription;
    expect([await choice('yes@group.test'), await choice('no@group.test')]).toEqual(['opt_in', 'opt_out']);
  });

  it('reports the rows that it refuses, with line, column and reason', async () => {
    const file = [
      'email,first_name,last_name,unsubscribed,score',
      'ok@report.test,"two\nlines",,,1e3',
      'not an address,,,,',
      ',Nobody,,,',
      `long@report.test,${'x'.repeat(256)},,,`,
      'flag@report.test,,,maybe,',
      'score@report.test,,,,12%',
      'more@report.test,a,b,,1,extra',
      '=cmd()|x,,,,',
      'less@report.test',
    ].join('\n');
    const fields = { column_map: { properties: { score: { column: 'score', type: 'number' } } } };
    const result = await imported(program, file, fields);
    expect(result).toMatchObject({ status: 'completed', counts: counts(2, 0, 0, 7) });
    const lines = (await report(result.id)).trimEnd().split('\r\n');
    expect(lines).toEqual([
      'line,column,value,reason',
      '4,"email","not an address","This is not an email address."',
      '5,"email","","The address is missing."',
      `6,"first_name","${'x'.repeat(200)}…","The name has more than 255 characters."`,
      '7,"unsubscribed","maybe","This is neither `true` nor `false`."',
      '8,"score","12%","This is not a number such as `-12.5`."',
      '9,"","extra","The row has 6 cells and the file 5 columns. Is a quote missing?"',
      `10,"email","'=cmd()|x","This is not an email address."`,
    ]);
  });

  it('fails at a quote that is never closed, and keeps what came before', async () => {
    const result = await imported(program, 'email,first_name\na@quote.test,A\nb@quote.test,"B\nc@quote.test,C\n');
    expect(result).toMatchObject({
      status: 'failed',
      failure: 'Line 3: a quote is opened and never closed.',
      counts: counts(1),
    });
    expect(await contact('a@quote.test')).toMatchObject({ first_name: 'A' });
  });
});

describe('the imports of a team', () => {
  it('are not there for another team, nor for keys that may only send', async () => {
    const { id } = await imported(program, 'email\nmine@team.test\n');
    const other = await addSecondTeam(program.postrider.app);
    const headers = { authorization: `Bearer ${other.apiKey}` };
    for (const path of [`/contacts/imports/${id}`, `/contacts/imports/${id}/refused-rows`]) {
      expect((await program.request(path, { headers })).status).toBe(404);
    }
    const list = (await (await program.request('/contacts/imports', { headers })).json()) as { data: unknown[] };
    expect(list.data).toEqual([]);
    const { data } = await program.resend.apiKeys.create({ name: 'sending', permission: 'sending_access' });
    const sending = { authorization: `Bearer ${data?.token}` };
    expect((await program.request('/contacts/imports', { headers: sending })).status).toBe(401);
  });

  it('are limited where they are not completed', async () => {
    const { id } = await imported(program, 'email\nlimit@team.test\n');
    await database.execute({
      text: `INSERT INTO contact_imports (id, team_id, status, format, mapping, on_conflict, segment_ids, topics, size, chunk,
                                          chunk_offset, line, turn_at, created_at, held_until)
             SELECT gen_random_uuid(), team_id, 'queued', format, mapping, 'skip', '{}', '[]', 1, 0, 0, 1, now(), now(), 'infinity'
             FROM contact_imports, generate_series(1, 10) WHERE id = $1`,
      values: [id],
    });
    const [status, body] = await postImport(program, 'email\nx@team.test\n');
    expect([status, body.name]).toEqual([429, 'rate_limit_exceeded']);
    expect(body.message).toContain('10 imports that are not completed');
    const form = new FormData();
    form.append('file', new Blob(['email\nx@team.test\n']), 'import.csv');
    const { headers } = await program.request('/contacts/imports', { method: 'POST', body: form });
    expect(headers.get('retry-after')).toBe('10');
    await database.execute({ text: `DELETE FROM contact_imports WHERE held_until = 'infinity'` });
    expect((await shownImport(program, id)).status).toBe('completed');
  });
});

async function eventCount(email: string): Promise<number> {
  const [row] = await database.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM team_events WHERE data ->> 'email' = $1`,
    values: [email],
  });
  return row?.count ?? 0;
}

function replaceBytes(bytes: Buffer, from: Buffer, to: Buffer): void {
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at + 1)) to.copy(bytes, at);
}

import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignedPositions } from '../../libs/live/src/infrastructure/http/signed-positions.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { startProgram, testApiKey, TestProgram, testSender } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { stretched } from '../support/runner/stretched.js';

let program: TestProgram;
let other: TestProgram;
let secondKey: string;

beforeAll(async () => {
  program = await startProgram();
  other = await startProgram({ ROLES: 'api' }, undefined, program.database);
  secondKey = (await addSecondTeam(program.postrider.app)).apiKey;
});

afterAll(async () => {
  await other.stop();
  await program.stop();
});

interface Heard {
  readonly type: string;
  readonly id: string;
  readonly data: {
    readonly emails?: { id: string; last_event: string; subject: string }[];
    readonly events?: string[];
  };
}

interface Stream {
  readonly status: number;
  readonly heard: Heard[];
  readonly response: IncomingMessage;
  ended: boolean;
  end(): void;
}

async function open(url: string, key = testApiKey, lastEventId?: string): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const sent = request(`${url}/live`, { headers, agent: false }, (response) => {
      let text = '';
      const heard: Heard[] = [];
      const stream = { status: response.statusCode ?? 0, heard, response, ended: false, end: () => sent.destroy() };
      response.setEncoding('utf8').on('data', (piece: string) => {
        const parts = (text += piece).split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          const fields = Object.fromEntries(
            part.split('\n').map((line) => /^(\w*): (.*)$/.exec(line)?.slice(1) ?? ['', '']),
          );
          if (fields.event !== undefined)
            heard.push({ type: fields.event, id: fields.id, data: JSON.parse(fields.data) });
        }
      });
      response.on('end', () => (stream.ended = true)).on('error', () => (stream.ended = true));
      resolve(stream);
    });
    sent.on('error', reject).end();
  });
}

const statesOf = (stream: Stream, id: string): string[] =>
  stream.heard.flatMap(({ data }) =>
    (data.emails ?? []).filter((email) => email.id === id).map((email) => email.last_event),
  );

async function send(subject: string): Promise<string> {
  const { data, error } = await program.resend.emails.send({
    from: testSender,
    to: 'delivered@resend.dev',
    subject,
    text: 'Hello',
  });
  if (error !== null) throw new Error(error.message);
  return data.id;
}

describe('GET /live', () => {
  it('tells every process of new emails and of their states, and no other team', async () => {
    const streams = await Promise.all([open(program.url), open(other.url), open(program.url, secondKey)]);
    await until(() => streams.every(({ heard }) => heard[0]?.type === 'ready'));
    const id = await send('Live');
    for (const stream of streams.slice(0, 2)) await until(() => statesOf(stream, id).at(-1) === 'delivered');
    expect(streams[0].response.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
    expect(streams[0].heard.flatMap(({ data }) => data.emails ?? [])[0]).toMatchObject({ id, subject: 'Live' });

    const domains = (await (await program.request('/domains')).json()) as { data: { id: string }[] };
    await program.request('/suppressions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'gone@example.org' }),
    });
    expect(domains.data).toHaveLength(1);
    await until(() => streams[1].heard.some(({ data }) => data.events?.includes('suppression.added') === true));
    // It may be told to read its own emails again, where another transaction was long under way.
    expect(streams[2].heard.flatMap(({ data }) => [...(data.emails ?? []), ...(data.events ?? [])])).toEqual([]);
    for (const stream of streams) stream.end();
  });

  it('resumes in another process without a gap, and says to reload where it cannot', async () => {
    const first = await open(program.url);
    await until(() => first.heard[0]);
    const last = first.heard.at(-1)?.id ?? '';
    first.end();
    const id = await send('While away');
    await until(async () => {
      const { data } = await program.resend.emails.get(id);
      return data?.last_event === 'delivered';
    });
    const resumed = await open(other.url, testApiKey, last);
    await until(() => statesOf(resumed, id).length > 0);
    expect(resumed.heard.map(({ type }) => type)).not.toContain('ready');

    const signed = other.postrider.app.get(SignedPositions, { strict: false }).sign('1763850000000.1:2:');
    const ids = [signed, last.replace(/^\d+/, '1763850000000'), "1763850000000.1:2:'; DROP TABLE emails"];
    const others = await Promise.all(ids.map((lastId) => open(other.url, testApiKey, lastId)));
    await until(() => others.every(({ heard }) => heard.length > 0));
    expect(others.map(({ heard }) => heard[0]?.type)).toEqual(['reload', 'ready', 'ready']);
    for (const stream of [resumed, ...others]) stream.end();
  });

  it('needs a key that may read emails', async () => {
    const { data } = await program.resend.apiKeys.create({ name: 'Sends', permission: 'sending_access' });
    const refused = await Promise.all([open(program.url, data?.token), open(program.url, 're_unknown')]);
    expect(refused.map(({ status }) => status)).toEqual([401, 400]);
  });

  it('keeps streams of a team to a number, and ends them first when the program stops', async () => {
    const third = await startProgram({ ROLES: 'api' }, undefined, program.database);
    const streams = await Promise.all(Array.from({ length: 101 }, () => open(third.url)));
    expect(streams.filter(({ status }) => status === 429)).toHaveLength(1);
    const open100 = streams.filter(({ status }) => status === 200);
    await until(() => open100.every(({ heard }) => heard.length > 0));
    const begun = performance.now();
    await third.stop();
    expect(performance.now() - begun).toBeLessThan(stretched(10_000));
    await until(() => open100.every(({ ended }) => ended));
  });
});

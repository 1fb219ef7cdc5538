import { createSocket } from 'node:dgram';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '#kernel';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { Database } from '#postgres/database';
import { consult } from '../../apps/server/src/doctor/consult.js';
import { DoctorServer } from '../../apps/server/src/doctor/doctor-server.js';
import { DoctorReport, formatReport } from '../../apps/server/src/doctor/run-doctor.js';
import { DomainsProgram, serviceHost, startDomainsProgram } from '../support/programs/domains-program.js';
import { allRecords, publishRecords } from '../support/builders/published-records.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

const address = '192.0.2.1';
let program: DomainsProgram;
let sink: SmtpSink;
let timeServer: ReturnType<typeof createSocket>;
let timeOffsetSeconds = 0;

beforeAll(async () => {
  sink = await SmtpSink.listen();
  timeServer = await listenNtp();
  program = await startDomainsProgram({
    ...environment(),
    DOCTOR_LISTEN: '127.0.0.1:0',
    DELIVERY_TRANSPORT: 'sandbox',
  });
  program.dns.ptr(address, serviceHost);
  const { data } = await program.resend.domains.create({ name: 'well.test' });
  publishRecords(program.dns, 'well.test', allRecords(data ?? {}));
  await program.resend.domains.verify(data?.id as string);
  await program.becomes(data?.id as string, 'verified');
});

afterAll(async () => {
  await program.stop();
  await sink.close();
  timeServer.close();
});

function environment(): Record<string, string> {
  return {
    DELIVERY_TRANSPORT: 'mx',
    HELO_NAME: serviceHost,
    DOCTOR_SMTP_TARGETS: `127.0.0.1:${sink.port}`,
    DOCTOR_TIME_SERVERS: `127.0.0.1:${timeServer.address().port}`,
  };
}

/** Examines the database of the running program, as the command does. */
async function examine(changes: Record<string, string> = {}): Promise<DoctorReport> {
  const config = readConfig({
    DATABASE_URL: program.database.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: '.',
    HOST_NAME: serviceHost,
    DNS_SERVERS: program.dns.address,
    ...environment(),
    ...changes,
  });
  const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()).use(Clock, program.clock);
  const url = changes.DATABASE_URL ?? program.database.url;
  return consult({ config, database: { url, directUrl: url }, secretKey: config.values.secretKey ?? '', adapters });
}

const findingsOf = (report: DoctorReport, check: string) =>
  report.checks.find((entry) => entry.check === check)?.findings ?? [];

describe('the doctor', () => {
  it('finds nothing red in a healthy installation', async () => {
    const report = await examine();

    const bad = report.checks.flatMap(({ check, findings }) =>
      findings.filter(({ level }) => level === 'red').map(({ text }) => `${check}: ${text}`),
    );
    // The test server does not flush to the disk, on purpose.
    expect(bad).toEqual([expect.stringMatching(/^Database: may lose accepted mail/)]);
    expect(report.checks.map(({ check }) => check)).toEqual([
      'Database',
      'Queue',
      'Disk',
      'Clock',
      'Port 25',
      'IPv6',
      'HELO name',
      'Reverse DNS',
      'Blocklists',
      'Host for bounces',
      'Domains',
    ]);
    expect(findingsOf(report, 'Port 25')).toEqual([expect.objectContaining({ level: 'green' })]);
    expect(findingsOf(report, 'Domains')).toEqual([
      { level: 'green', subject: 'well.test', text: 'has all its records' },
    ]);
  });

  it('checks the reverse name of each public source address of the routes file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'postrider-doctor-'));
    const file = join(directory, 'routes.json');
    const hosts = [
      { helo: 'out.test', addresses: ['192.0.2.7'] },
      { helo: 'nat.test', addresses: ['10.0.0.7'] },
    ];
    await writeFile(file, JSON.stringify({ pools: { all: hosts } }));
    const findings = findingsOf(await examine({ ROUTES_FILE: file }), 'Reverse DNS');
    expect(findings.map(({ level, subject }) => [level, subject])).toEqual([
      ['green', address],
      ['red', '192.0.2.7'],
    ]);
    await rm(directory, { recursive: true });
  });

  it('asks the blocklists of the operator for addresses and domains, and tells a refusal from a listing', async () => {
    const lists = { BLOCKLISTS: 'bl.test,shy.test,clean.test', DOMAIN_BLOCKLISTS: 'dbl.test' };
    program.dns.a('1.2.0.192.bl.test', '127.0.0.2').txt('1.2.0.192.bl.test', 'see https://bl.test/192.0.2.1');
    program.dns.a('1.2.0.192.shy.test', '127.255.255.254').a('well.test.dbl.test', '127.0.1.2');
    expect(findingsOf(await examine(), 'Blocklists')).toEqual([
      { level: 'green', text: 'none are asked: BLOCKLISTS is not set' },
    ]);
    expect(findingsOf(await examine(lists), 'Blocklists')).toEqual([
      expect.objectContaining({
        level: 'red',
        subject: address,
        text: 'is listed by bl.test with 127.0.0.2: see https://bl.test/192.0.2.1',
      }),
      expect.objectContaining({ level: 'yellow', subject: address, text: expect.stringContaining('shy.test refused') }),
      expect.objectContaining({ level: 'red', subject: 'well.test', text: 'is listed by dbl.test with 127.0.1.2' }),
    ]);
    program.dns.trouble('1.2.0.192.clean.test', 'servfail');
    expect(findingsOf(await examine({ BLOCKLISTS: 'clean.test' }), 'Blocklists')).toEqual([
      expect.objectContaining({ level: 'yellow', text: expect.stringContaining('could not be asked') }),
    ]);
    program.dns.trouble('1.2.0.192.clean.test', undefined);
    expect(findingsOf(await examine({ BLOCKLISTS: 'clean.test' }), 'Blocklists')).toMatchObject([{ level: 'green' }]);
  });

  it('checks the name of each sending host of the routes file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'postrider-doctor-'));
    const file = join(directory, 'routes.json');
    const hosts = ['well', 'moved', 'gone'].map((name) => ({ helo: `${name}.out.test`, addresses: [address] }));
    await writeFile(file, JSON.stringify({ pools: { all: hosts } }));
    program.dns.a('well.out.test', address).a('moved.out.test', '192.0.2.9');

    const findings = findingsOf(await examine({ ROUTES_FILE: file }), 'HELO name');

    expect(findings.map(({ level, subject }) => [level, subject])).toEqual([
      ['green', serviceHost],
      ['green', 'well.out.test'],
      ['yellow', 'moved.out.test'],
      ['red', 'gone.out.test'],
    ]);
    await rm(directory, { recursive: true });
  });

  it.each<[string, string, () => void, () => void, RegExp]>([
    [
      'a PTR is missing',
      'Reverse DNS',
      () => program.dns.remove('1.2.0.192.in-addr.arpa'),
      () => program.dns.ptr(address, serviceHost),
      /PTR record/,
    ],
    [
      'a PTR names another host',
      'Reverse DNS',
      () => program.dns.ptr(address, 'other.test'),
      () => program.dns.ptr(address, serviceHost),
      /A or AAAA record of other.test/,
    ],
    [
      'the host has no address',
      'Host for bounces',
      () => program.dns.remove(serviceHost),
      () => program.dns.a(serviceHost, address),
      /publish its A record/,
    ],
    [
      'the HELO name has no address',
      'HELO name',
      () => program.dns.remove(serviceHost),
      () => program.dns.a(serviceHost, address),
      /Publish an A record/,
    ],
    ['the clock is far off', 'Clock', () => (timeOffsetSeconds = 3_600), () => (timeOffsetSeconds = 0), /NTP/],
    [
      'a domain lost its DKIM',
      'Domains',
      () =>
        program.dns.trouble('postrider._domainkey.well.test', undefined).txt('postrider._domainkey.well.test', 'p='),
      () => undefined,
      /revoked/,
    ],
  ])('is red and names the fix if %s', async (_, check, damage, mend, fix) => {
    damage();
    const report = await examine();
    mend();

    const red = findingsOf(report, check).filter(({ level }) => level === 'red');
    expect(red).toHaveLength(1);
    expect(red[0]?.fix).toMatch(fix);
    expect(report.level).toBe('red');
    expect(formatReport(report)).toContain(`FAIL  ${check}: `);
  });

  it('is red if port 25 is closed', async () => {
    const closed = await SmtpSink.listen();
    const target = `127.0.0.1:${closed.port}`;
    await closed.close();

    const [finding] = findingsOf(await examine({ DOCTOR_SMTP_TARGETS: target }), 'Port 25');

    expect(finding).toMatchObject({ level: 'red', fix: expect.stringContaining('open outgoing port 25') });
  });

  it('is red if mail that is due is not delivered', async () => {
    const database = program.postrider.app.get(Database);
    await database.execute({
      text: `INSERT INTO outbound_queue (email_id, recipient_no, size, worker_id, due_at, queued_at, lane, address)
             VALUES (gen_random_uuid(), 0, 1, gen_random_uuid(), now() - interval '2 hours', now(), 'x', 'a@x.test')`,
    });

    const findings = findingsOf(await examine(), 'Queue');

    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'red', text: expect.stringContaining('recipients are due') }),
    );
    await database.execute({ text: 'DELETE FROM outbound_queue' });
  });

  it('is red, and makes the other checks, if the database does not exist', async () => {
    const url = new URL(program.database.url);
    url.pathname = '/nowhere';

    const report = await examine({ DATABASE_URL: url.toString() });

    expect(findingsOf(report, 'Database')).toMatchObject([
      { level: 'red', fix: expect.stringContaining('DATABASE_URL') },
    ]);
    expect(findingsOf(report, 'Port 25')).toMatchObject([{ level: 'green' }]);
  });

  it('is served on a private port of the running program, and nowhere else', async () => {
    const { port } = program.postrider.app.get(DoctorServer);

    const response = await fetch(`http://127.0.0.1:${port}/doctor`);
    const report = (await response.json()) as DoctorReport;

    expect(response.status).toBe(503);
    expect(report.level).toBe('red');
    expect(findingsOf(report, 'Queue')[0]).toMatchObject({ level: 'green', text: 'responds' });
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`${program.postrider.url}/doctor`)).status).toBe(404);
  });
});

/** A time server on loopback whose clock is off by `timeOffsetSeconds`. */
async function listenNtp(): Promise<ReturnType<typeof createSocket>> {
  const socket = createSocket('udp4');
  socket.on('message', (_, from) => {
    const response = Buffer.alloc(48);
    const now = Date.now() / 1_000 + timeOffsetSeconds + 2_208_988_800;
    response.writeUInt32BE(Math.floor(now), 40);
    response.writeUInt32BE(Math.floor((now % 1) * 2 ** 32), 44);
    socket.send(response, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return socket;
}

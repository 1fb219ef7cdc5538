import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get as getHttp, IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { connect as connectTcp, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { Database, ProcessNotifications } from '#postgres/database';
import { CertificatesCheck } from '../../apps/server/src/doctor/checks/certificates.check.js';
import { revokeCertificate } from '#certificates';
import { AcmeAccounts } from '../../libs/certificates/src/infrastructure/persistence/acme-accounts.js';
import { PostgresCertificateStore } from '../../libs/certificates/src/infrastructure/persistence/postgres-certificate-store.js';
import { allRecords, publishRecords } from '../support/builders/published-records.js';
import { ProgramProcess, startProgramProcess } from '../support/programs/program-process.js';
import { startProgram, testEnvironment, TestProgram } from '../support/programs/program.js';
import { freePort } from '../support/runner/free-port.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';
import { DnsServer } from '../support/servers/dns-server.js';
import { Pebble, whyNoPebble } from '../support/servers/pebble.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const apiHost = 'api.service.test';
const mailHost = 'mail.service.test';

interface CertificateRow {
  readonly host: string;
  readonly state: string;
  readonly reason: string | null;
  readonly lease: string | null;
  readonly order_url: string | null;
  readonly issued_at: Date | null;
  readonly due_at: Date;
  readonly sealed_certificate: Buffer | null;
  readonly is_revoked: boolean;
}

describeUnless(whyNoPebble())('certificates by ACME', () => {
  let dns: DnsServer;
  let pebble: Pebble;
  let database: TestDatabase;
  let client: Client;
  let program: TestProgram;
  /** A second worker, to be killed. */
  let worker: ProgramProcess;
  let workerData: string;
  let root: string;
  let httpPort: number;
  let httpsPort: number;
  let firstDomain: string;
  const transport = new InMemoryDeliveryTransport();

  beforeAll(async () => {
    [dns, httpPort, httpsPort] = [await DnsServer.listen(), await freePort(), await freePort()];
    dns.a(apiHost, '127.0.0.1').a(mailHost, '127.0.0.1');
    pebble = await Pebble.start(httpPort, dns.address);
    root = await pebble.root();
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    const acme = {
      TLS_ACME: 'on',
      TLS_ACME_EMAIL: 'operator@service.test',
      TLS_ACME_DIRECTORY: pebble.directory,
      TLS_ACME_CA_FILE: pebble.caFile,
      ACME_HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
      PUBLIC_URL: `https://${apiHost}`,
      HOST_NAME: mailHost,
      HELO_NAME: mailHost,
      DNS_SERVERS: dns.address,
    };
    const own = { ...acme, ROLES: 'api,smtp,worker', SMTP_LISTEN: '127.0.0.1:0,127.0.0.1:0+tls' };
    program = await startProgram(own, new Adapters().use(DeliveryTransport, transport), database);
    workerData = await mkdtemp(join(tmpdir(), 'postrider-acme-'));
    worker = await startProgramProcess({ ...testEnvironment(database, workerData), ...acme, ROLES: 'worker' });
  });

  afterAll(async () => {
    await worker.kill();
    await program.stop();
    await client.end();
    await Promise.all([pebble.stop(), dns.close(), database.drop(), rm(workerData, { recursive: true, force: true })]);
  });

  async function rows(): Promise<CertificateRow[]> {
    return (await client.query<CertificateRow>('SELECT * FROM certificates ORDER BY host')).rows;
  }

  const rowOf = async (host: string): Promise<CertificateRow | undefined> =>
    (await rows()).find((row) => row.host === host);

  const becomes = (host: string, state: string): Promise<CertificateRow> =>
    until(async () => {
      const row = await rowOf(host);
      if (row !== undefined && row.reason !== null && state === 'issued') throw new Error(row.reason);
      return row?.state === state && row;
    });

  /** Resolves with the id of a domain whose tracking record is verified. */
  async function trackedDomain(name: string): Promise<string> {
    const { data } = await program.resend.domains.create({ name, trackingSubdomain: 'links', clickTracking: true });
    publishRecords(dns, name, allRecords(data));
    await program.resend.domains.verify(data?.id as string);
    return data?.id as string;
  }

  async function certificateOf(id: string): Promise<Record<string, unknown> | undefined> {
    const response = await program.request(`/domains/${id}`);
    return ((await response.json()) as { tracking_certificate?: Record<string, unknown> }).tracking_certificate;
  }

  function connected(port: number, servername?: string, socket?: Socket): Promise<TLSSocket> {
    const secure = connect({ port, host: '127.0.0.1', servername, socket, ca: root, rejectUnauthorized: false });
    return new Promise((resolve, reject) => secure.once('secureConnect', () => resolve(secure)).once('error', reject));
  }

  async function serialOf(host: string): Promise<string> {
    const secure = await connected(httpsPort, host);
    const { serialNumber } = secure.getPeerCertificate();
    secure.destroy();
    return serialNumber;
  }

  /** The names in the certificate that a client gets, if it trusts it. */
  async function shownNames(port: number, servername?: string, socket?: Socket): Promise<string | undefined> {
    const secure = await connected(port, servername, socket);
    const { subjectaltname } = secure.getPeerCertificate();
    const isKnown = secure.authorized || secure.authorizationError?.toString().includes('ALTNAME');
    secure.destroy();
    return isKnown === true ? subjectaltname : undefined;
  }

  const plain = (host: string, path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) =>
      getHttp({ host: '127.0.0.1', port: httpPort, path, headers: { host } }, (response) => {
        response.resume();
        resolve(response);
      }).on('error', reject),
    );

  it('issues one for each host of the service and for a verified tracking host, and never asks twice', async () => {
    firstDomain = await trackedDomain('tracked.test');

    await Promise.all([apiHost, mailHost, 'links.tracked.test'].map((host) => becomes(host, 'issued')));

    expect((await rows()).map(({ host }) => host)).toEqual([apiHost, 'links.tracked.test', mailHost]);
    expect(pebble.orders).toBe(3);
    const issued = { host: 'links.tracked.test', state: 'issued', reason: null };
    expect(await certificateOf(firstDomain)).toMatchObject(issued);
    expect((await client.query('SELECT directory FROM acme_accounts')).rows).toHaveLength(1);
  });

  it('keeps keys and chains sealed', async () => {
    const { rows: texts } = await client.query<{ text: string }>(
      `SELECT row_to_json(c)::text AS text FROM certificates c
       UNION ALL SELECT row_to_json(a)::text FROM acme_accounts a`,
    );
    const sealed = (await rows()).map(({ sealed_certificate }) => sealed_certificate?.toString('latin1'));

    expect(texts.filter(({ text }) => /PRIVATE|BEGIN/.test(text))).toEqual([]);
    expect(sealed.filter((bytes) => bytes === undefined || /PRIVATE|BEGIN/.test(bytes))).toEqual([]);
  });

  it('serves the certificate of the host that a client names, over HTTPS, STARTTLS and implicit TLS', async () => {
    const [starttls, implicit] = program.postrider.smtp.listening.map(({ port }) => port) as [number, number];
    await until(async () => (await shownNames(httpsPort, 'links.tracked.test')) === 'DNS:links.tracked.test');

    expect(await shownNames(httpsPort, apiHost)).toBe(`DNS:${apiHost}`);
    expect(await shownNames(httpsPort, mailHost)).toBe(`DNS:${mailHost}`);
    expect(await shownNames(implicit, mailHost)).toBe(`DNS:${mailHost}`);
    expect(await shownNames(implicit, 'links.tracked.test')).toBe('DNS:links.tracked.test');
    // Most mail servers name no host.
    expect(await shownNames(implicit)).toBe(`DNS:${mailHost}`);
    const socket = connectTcp(starttls, '127.0.0.1');
    await once(socket, 'data');
    socket.write('EHLO client.test\r\n');
    await once(socket, 'data');
    socket.write('STARTTLS\r\n');
    await once(socket, 'data');
    expect(await shownNames(starttls, mailHost, socket)).toBe(`DNS:${mailHost}`);
  });

  it('serves the API over HTTPS, and leads HTTP there', async () => {
    const status = await new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: httpsPort, servername: apiHost, ca: root, path: '/domains' };
      getHttps({ ...options, headers: { host: apiHost } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    expect(status).toBe(401);

    const led = await plain(apiHost, '/emails?limit=1');
    expect([led.statusCode, led.headers.location]).toEqual([308, `https://${apiHost}:${httpsPort}/emails?limit=1`]);
    expect((await plain(apiHost, '/.well-known/acme-challenge/unknown-token-123456')).statusCode).toBe(404);
  });

  it('the doctor asks the authority and the port, and names the hosts of the service', async () => {
    const findings = await program.postrider.app.get(CertificatesCheck, { strict: false }).run();

    expect(findings.map(({ level, subject }) => [level, subject])).toEqual([
      ['green', undefined],
      ['green', undefined],
      ['green', apiHost],
      ['green', mailHost],
    ]);
  });

  it('no name that a stranger sends makes an order, and 300 of them are served with the default', async () => {
    const before = [await rows(), pebble.orders];
    const names = Array.from({ length: 300 }, (_, index) => `host-${index}.stranger.test`);

    for (let at = 0; at < names.length; at += 25) {
      const shown = await Promise.all(names.slice(at, at + 25).map((name) => shownNames(httpsPort, name)));
      expect(new Set(shown)).toEqual(new Set([`DNS:${mailHost}`]));
    }
    const led = await plain('shop.stranger.test', '/');
    expect([led.statusCode, led.headers.location]).toEqual([308, `https://${apiHost}/`]);
    // A whole address in the request line is not put behind the name of the service.
    expect((await plain('shop.stranger.test', 'x://stranger.test/')).statusCode).toBe(404);
    // A link works with http as long as its host has no certificate.
    expect((await plain('links.stranger.test', '/c/nonsense')).statusCode).toBe(404);

    expect([await rows(), pebble.orders]).toEqual(before);
  });

  it('connections whose handshake does not end, or fails, leave the others their places', async () => {
    const silent = Array.from({ length: 64 }, () => connectTcp(httpsPort, '127.0.0.1'));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    await expect(connected(httpsPort, apiHost)).rejects.toThrow();

    for (const socket of silent) socket.destroy();
    await until(async () => (await shownNames(httpsPort, apiHost).catch(() => undefined)) === `DNS:${apiHost}`);

    for (let count = 0; count < 100; count++) {
      const socket = connectTcp(httpsPort, '127.0.0.1');
      socket.on('error', () => undefined).write('this is no handshake\r\n');
      await once(socket, 'close');
    }
    expect(await shownNames(httpsPort, apiHost)).toBe(`DNS:${apiHost}`);
  });

  it('renews one that is due, and one that the authority wants to be renewed', async () => {
    const renewed = async (host: string, set: string): Promise<void> => {
      const { issued_at: before } = (await rowOf(host)) as CertificateRow;
      const serial = await serialOf(host);
      await client.query(`UPDATE certificates SET ${set} WHERE host = $1`, [host]);
      await until(async () => (await rowOf(host))?.issued_at?.getTime() !== before?.getTime());
      await until(async () => (await serialOf(host)) !== serial);
    };

    await renewed(apiHost, 'renew_at = now(), due_at = now()');
    pebble.renewalWindow = { start: new Date(Date.now() - 60_000), end: new Date(Date.now() + 60_000) };
    await renewed(mailHost, 'due_at = now()');
    pebble.renewalWindow = undefined;

    expect(pebble.orders).toBe(5);
    expect(pebble.askedRenewals.at(-1)).toMatch(/^\/renewals\/[\w-]+\.[\w-]+$/);
  });

  it('revokes what others may have the key of, and gets another one', async () => {
    const hosts = [apiHost, mailHost, 'links.tracked.test'];
    const before = await Promise.all(hosts.map(serialOf));
    for (const host of hosts) expect(await revokeCertificate(database.url, host.toUpperCase())).toBe(true);
    expect(await revokeCertificate(database.url, 'shop.stranger.test')).toBe(false);

    await until(async () =>
      (await rows()).every(({ state, is_revoked: isRevoked }) => state === 'issued' && !isRevoked),
    );
    await until(async () => (await Promise.all(hosts.map(serialOf))).every((serial) => !before.includes(serial)));
    for (const serial of before) expect(await pebble.statusOf(serial)).toBe('Revoked');
    for (const host of hosts) expect(await pebble.statusOf(await serialOf(host))).toBe('Valid');
  });

  it('another process continues the order of one that was killed', async () => {
    const orders = pebble.orders;
    const hosts = [apiHost, 'links.tracked.test'];
    const before = await Promise.all(hosts.map(rowOf));
    // Both processes have ordered, and wait before they prove the host.
    await client.query(`
      SELECT pg_advisory_lock(8555);
      CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock_shared(8555); RETURN NEW; END $$;
      CREATE TRIGGER wait_for_test BEFORE UPDATE OF challenge_token ON certificates FOR EACH ROW
        WHEN (NEW.challenge_token IS NOT NULL) EXECUTE FUNCTION wait_for_test()`);
    await client.query('UPDATE certificates SET renew_at = now(), due_at = now() WHERE host = ANY ($1)', [hosts]);
    await until(async () => (await rows()).filter(({ order_url }) => order_url !== null).length === 2);

    await worker.kill();
    await client.query('SELECT pg_advisory_unlock(8555)');
    // As after the minute of a lease.
    await client.query('UPDATE certificates SET due_at = now() WHERE lease IS NOT NULL');

    await until(async () => {
      const after = await Promise.all(hosts.map(rowOf));
      return after.every((row, at) => row?.issued_at?.getTime() !== before[at]?.issued_at?.getTime());
    });
    expect(pebble.orders).toBe(orders + 2);
  });

  it('links are https while their host has a certificate', async () => {
    const linked = async (subject: string): Promise<string> => {
      const html = '<a href="https://example.test/">Go</a>';
      await program.resend.emails.send({ from: 'a@tracked.test', to: 'b@example.test', subject, html });
      const sent = await until(() =>
        transport.delivered
          .map(({ content }) => Buffer.from(content).toString())
          .find((text) => text.includes(subject)),
      );
      return /(https?):\/\/links\.tracked\.test\/c\//.exec(sent.replaceAll('=\r\n', ''))?.[1] ?? sent;
    };
    expect(await linked('With')).toBe('https');

    // The domain's page says what is missing.
    dns.trouble('links.tracked.test', 'refused');
    await client.query(
      `UPDATE certificates SET sealed_certificate = NULL, not_after = NULL, renew_at = NULL, due_at = now()
       WHERE host = 'links.tracked.test'`,
    );
    const { due_at: dueAt } = await becomes('links.tracked.test', 'failed');
    expect(dueAt.getTime()).toBeGreaterThan(Date.now() + 55 * 60_000);
    expect(await certificateOf(firstDomain)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(
        /^The certificate authority could not connect to links\.tracked\.test at port 80\./,
      ),
      next_try_at: dueAt.toISOString(),
    });
    await client.query(`SELECT pg_notify('postrider_broadcast', 'certificates:links.tracked.test')`);
    await until(async () => (await shownNames(httpsPort, 'links.tracked.test')) === `DNS:${mailHost}`);
    expect(await linked('Without')).toBe('http');
  });

  it('a new SECRET_KEY seals keys and chains again', async () => {
    const [before, present] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)].map((key) => key.toString('base64')) as [
      string,
      string,
    ];
    const { app } = program.postrider;
    const reseal = async (box: SecretBox): Promise<void> => {
      const [database, notifications, config] = [app.get(Database), app.get(ProcessNotifications), app.get(Config)];
      await new PostgresCertificateStore(
        database,
        box,
        notifications,
        new AcmeAccounts(database, box),
        config,
      ).reseal();
    };
    const areOf = async (box: SecretBox): Promise<boolean> => {
      const { rows: all } = await client.query<{ sealed: Buffer }>(
        `SELECT sealed_certificate AS sealed FROM certificates WHERE sealed_certificate IS NOT NULL
         UNION ALL SELECT sealed_key FROM acme_accounts`,
      );
      return all.length > 2 && all.every(({ sealed }) => box.isCurrent(sealed));
    };

    await reseal(new SecretBox(present, [before]));
    expect(await areOf(new SecretBox(present))).toBe(true);
    await reseal(new SecretBox(before, [present]));
    expect(await areOf(new SecretBox(before))).toBe(true);
  });

  it('customers share the orders of an hour, one registrable domain has few, and a deleted domain has none', async () => {
    const { orders } = pebble;
    const host = 'links.tracked.test';
    const ordered = (domain: string, count: number): Promise<unknown> =>
      client.query(
        `INSERT INTO certificate_orders (id, team_id, registrable_domain, ordered_at)
         SELECT gen_random_uuid(), team_id, $1, now() FROM domains, generate_series(1, $2) WHERE domains.id = $3`,
        [domain, count, firstDomain],
      );
    dns.trouble(host, undefined);
    await ordered('other.test', 60);
    await client.query(`UPDATE certificates SET due_at = now() - interval '1 second' WHERE host IN ($1, $2)`, [
      apiHost,
      host,
    ]);
    // The hosts of the service do not wait for customers.
    await until(async () => ((await rowOf(apiHost))?.due_at.getTime() ?? 0) > Date.now());
    expect(await rowOf(host)).toMatchObject({ state: 'failed', lease: null });

    await client.query('DELETE FROM certificate_orders');
    await ordered('tracked.test', 20);
    await until(async () => (await rowOf(host))?.reason?.includes('many certificates'));

    await program.resend.domains.remove(firstDomain);
    await until(async () => (await rowOf(host)) === undefined);
    expect(pebble.orders).toBe(orders);
  });
});

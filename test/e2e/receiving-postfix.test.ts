import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { startPrivatePostfix, whyNoPostfix } from '../support/servers/private-postfix.js';
import { describeUnless, itUnless, whyNo } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

const run = promisify(execFile);
const emails = 1_000;

let inbound: InboundProgram;

beforeAll(async () => {
  inbound = await InboundProgram.start();
});
afterAll(() => inbound.stop());

async function receivedFrom(address: string): Promise<string[]> {
  const subjects: string[] = [];
  let after = '';
  for (;;) {
    const { body } = await inbound.get(`/emails/receiving?limit=100&from=${address}${after}`);
    const data = body.data as { id: string; message_id: string }[];
    subjects.push(...data.map(({ message_id: id }) => id));
    if (body.has_more !== true) return subjects;
    after = `&after=${data.at(-1)?.id}`;
  }
}

describeUnless(whyNoPostfix())('Postfix as the sending mail server', () => {
  it('delivers a thousand messages over TLS, each of them once', async () => {
    const postfix = await startPrivatePostfix(() => ({
      myhostname: 'mx.customer.test',
      mynetworks: '127.0.0.0/8',
      smtpd_relay_restrictions: 'permit_mynetworks, reject',
      smtpd_peername_lookup: 'no',
      disable_dns_lookups: 'yes',
      relayhost: `[127.0.0.1]:${inbound.port}`,
      smtp_tls_security_level: 'encrypt',
      smtp_tls_session_cache_database: '',
      in_flow_delay: '0',
    }));
    try {
      const options = ['-s', '10', '-m', String(emails), '-l', '4096', '-f', 'postfix@customer.test'];
      await run('smtp-source', [...options, '-t', 'support@acme.test', `127.0.0.1:${postfix.port}`]);
      const found = await until(async () => {
        const ids = await receivedFrom('postfix@customer.test');
        return ids.length >= emails ? ids : undefined;
      }, 120_000);
      expect(new Set(found).size).toBe(emails);
      expect(found).toHaveLength(emails);
      const { body } = await inbound.get('/emails/receiving?limit=1');
      const [{ id }] = body.data as [{ id: string }];
      const source = (await inbound.source(id)).toString();
      expect(source).toMatch(/with ESMTPS id/);
      expect(source).toContain('by mx.customer.test (Postfix)');
    } finally {
      await postfix.stop();
    }
  }, 240_000);
});

itUnless(whyNo('swaks', '--version'))('swaks brings mail over TLS, in pipelines and with attachments', async () => {
  const swaks = async (...options: string[]): Promise<string> => {
    const { stdout } = await run('swaks', [
      ...['--server', '127.0.0.1', '--port', String(inbound.port), '--helo', 'mx.customer.test'],
      ...['--from', 'swaks@customer.test', '--to', 'support@acme.test'],
      ...options,
    ]);
    return /OK: ([0-9a-f-]{36})/.exec(stdout)?.[1] ?? stdout;
  };
  const ids = [
    await swaks('--header', 'Subject: plain'),
    await swaks('--header', 'Subject: tls', '--tls'),
    await swaks('--header', 'Subject: attached', '--tls', '--attach-name', 'a.txt', '--attach', 'from swaks'),
    await swaks('--header', 'Subject: pipelined', '--pipeline'),
    await swaks('--header', 'Subject: two', '--to', 'a@acme.test,b@acme.test'),
  ];
  const shown = await Promise.all(ids.map(async (id) => (await inbound.get(`/emails/receiving/${id}`)).body));
  expect(shown.map(({ subject }) => subject)).toEqual(['plain', 'tls', 'attached', 'pipelined', 'two']);
  expect(shown[1]?.headers).toMatchObject({ received: expect.stringContaining('TLSv1.3') });
  expect(shown[2]?.attachments).toMatchObject([{ filename: 'a.txt', size: 10 }]);
  expect(shown[4]?.received_for).toEqual(['a@acme.test', 'b@acme.test']);
});

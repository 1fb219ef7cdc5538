import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { DnsResolver, InMemoryDnsResolver, OwnedDomains } from '#domains';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { PrivatePostfix, Settings, startPrivatePostfix, whyNoPostfix } from '../support/servers/private-postfix.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { testCertificate } from '../support/servers/test-certificate.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

const emails = 1_000;
/** The user and group id of `nobody`, who owns the mail. */
const nobody = 65_534;

const skipReason = whyNoPostfix();

/** The mail host of postfix.test: requires TLS, and stores all mail in one Maildir. */
async function receiving(directory: string): Promise<Settings> {
  const mail = join(directory, 'mail');
  await mkdir(mail);
  await chown(mail, nobody, nobody);
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  await writeFile(cert, testCertificate.cert);
  await writeFile(key, testCertificate.key, { mode: 0o600 });
  return {
    myhostname: 'mx.postfix.test',
    mynetworks: '127.255.255.255/32',
    virtual_mailbox_domains: 'postfix.test',
    virtual_mailbox_maps: 'static:all/',
    virtual_mailbox_base: mail,
    virtual_uid_maps: `static:${nobody}`,
    virtual_gid_maps: `static:${nobody}`,
    smtpd_relay_restrictions: 'reject_unauth_destination',
    smtpd_peername_lookup: 'no',
    disable_dns_lookups: 'yes',
    smtpd_tls_cert_file: cert,
    smtpd_tls_key_file: key,
    smtpd_tls_security_level: 'encrypt',
    smtpd_tls_received_header: 'yes',
    in_flow_delay: '0',
  };
}

const bodies: readonly object[] = [
  { text: 'Hello' },
  { html: '<p>Grüße aus Köln</p>', text: 'Grüße aus Köln' },
  { text: '.\r\n..\r\n.a line that begins with a dot\r\n' },
  {
    text: 'long '.repeat(500),
    attachments: [{ filename: 'a.bin', content: Buffer.alloc(3_000, 9).toString('base64') }],
  },
];

describeUnless(skipReason)('Postfix as the receiving mail host', () => {
  let postfix: PrivatePostfix;
  let program: TestProgram;

  beforeAll(async () => {
    postfix = await startPrivatePostfix(receiving);
    const dns = new InMemoryDnsResolver();
    dns.set('postfix.test', { mx: [{ exchange: 'mx.postfix.test', preference: 10 }] });
    dns.set('mx.postfix.test', { a: ['127.0.0.1'] });
    program = await startProgram(
      {
        DELIVERY_TRANSPORT: 'mx',
        MX_PORT: String(postfix.port),
        ALLOW_PRIVATE_DESTINATIONS: 'true',
        HELO_NAME: 'client.test',
      },
      new Adapters().use(DnsResolver, dns),
    );
  });

  afterAll(async () => {
    await program?.stop();
    await postfix?.stop();
  });

  async function dkimResults(content: Buffer): Promise<string[]> {
    const keys = program.postrider.app.get(OwnedDomains);
    const resolver = async (name: string): Promise<string[][]> => {
      const [, selector = '', domain = ''] = /^(.+)\._domainkey\.(.+)$/.exec(name) ?? [];
      const record = await keys.dkimRecord(selector, domain);
      return record === undefined ? [] : [[record]];
    };
    const { results } = await dkimVerify(content, { resolver });
    return results.map(({ status }) => status.result);
  }

  it('accepts 1,000 messages over TLS, each with valid DKIM signatures', async () => {
    const to = (index: number): string => `user${index}@postfix.test`;
    for (let from = 0; from < emails; from += 100) {
      const batch = Array.from({ length: 100 }, (_, at) => ({
        from: testSender,
        to: to(from + at),
        subject: `Nachricht № ${from + at}`,
        ...bodies[(from + at) % bodies.length],
      }));
      const { error } = await program.resend.batch.send(batch as Parameters<typeof program.resend.batch.send>[0]);
      expect(error).toBeNull();
    }

    const maildir = join(postfix.directory, 'mail', 'all', 'new');
    const files = await until(async () => {
      const names = await readdir(maildir).catch(() => []);
      return names.length >= emails && names;
    }, 240_000);

    const recipients = new Set<string>();
    const verdicts = new Map<string, number>();
    let overTls = 0;
    for (const file of files) {
      const stored = await readFile(join(maildir, file), 'latin1');
      recipients.add(/^Delivered-To: (\S+)/m.exec(stored)?.[1] ?? '');
      if (/^Received: from client\.test[^]*?\(using TLSv1\.[23] with cipher/m.test(stored)) overTls++;
      // A Maildir has the line ends of its system.
      const results = await dkimResults(Buffer.from(stored.replaceAll(/\r?\n/g, '\r\n'), 'latin1'));
      const verdict = results.join(' ') || 'unsigned';
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    }
    expect(files).toHaveLength(emails);
    expect(recipients).toEqual(new Set(Array.from({ length: emails }, (_, index) => to(index))));
    expect(overTls).toBe(emails);
    expect([...verdicts.keys()].filter((verdict) => !/^pass( pass)*$/.test(verdict))).toEqual([]);

    const attempts = await until(async () => {
      const rows = await program.postrider.app.get(Database).query<{ protocol: string; count: number }>({
        text: `SELECT tls ->> 'protocol' AS protocol, count(*)::int AS count FROM delivery_attempts
               WHERE outcome = 'delivered' GROUP BY 1`,
      });
      return rows.reduce((sum, { count }) => sum + count, 0) === emails && rows;
    });
    expect(attempts.map(({ protocol }) => protocol)).not.toContain(null);
    const signatures = [...verdicts].map(([verdict, count]) => `${count} × ${verdict}`).join(', ');
    console.log(`Postfix accepted ${files.length}: ${overTls} over TLS; DKIM ${signatures}`);
  }, 500_000);
});

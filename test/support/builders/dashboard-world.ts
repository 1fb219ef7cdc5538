import { setTimeout as pause } from 'node:timers/promises';
import { DeliveryTransport } from '#delivery';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { MxDeliveryTransport } from '#mx';
import { Adapters } from '#platform/adapters';
import { startProgram, TestProgram, testSender } from '../programs/program.js';
import {
  ehlo,
  reply,
  replyAndDisconnect,
  Script,
  ScriptedSmtpServer,
  startTls,
} from '../servers/scripted-smtp-server.js';
import { addMember, firstTeam, testPassword, TestUser } from './users.js';

const withTls = { ehlo: ehlo('STARTTLS', 'PIPELINING', '8BITMIME', 'ENHANCEDSTATUSCODES'), starttls: startTls() };

/** Mail hosts with habits of their own, on loopback addresses. `silent.test` has a host where nothing listens. */
const hosts: Readonly<Record<string, Script | undefined>> = {
  'harbour.test': { ...withTls, dot: reply('250 2.0.0 Ok: queued as 4bX1Q8') },
  'meadow.test': { ...withTls, dot: reply('250 2.6.0 Message accepted for delivery') },
  'strict.test': { ...withTls, rcpt: reply('550 5.1.1 The email account that you tried to reach does not exist') },
  'full.test': { ...withTls, rcpt: reply('452 4.2.2 The mailbox is over its quota') },
  'grey.test': {
    ...withTls,
    rcpt: [reply('451 4.7.1 Greylisted, please try again in 300 seconds'), reply('250 2.1.5 OK')],
  },
  'busy.test': { banner: replyAndDisconnect('421 4.7.0 Too many connections from your network, try again later') },
  'policy.test': {
    ...withTls,
    dot: reply('550 5.7.1 Message rejected due to the content restrictions of example policy'),
  },
  'silent.test': undefined,
};

export interface DashboardWorld {
  readonly program: TestProgram;
  readonly dns: InMemoryDnsResolver;
  readonly teamId: string;
  readonly owner: TestUser;
  readonly password: string;
  stop(): Promise<void>;
}

/** A program that delivers to scripted hosts, with an owner who can sign in. `environment` is added to the program's. */
export async function startDashboardWorld(
  environment: Readonly<Record<string, string>> = {},
  adapters = new Adapters(),
): Promise<DashboardWorld> {
  const dns = new InMemoryDnsResolver();
  const servers: ScriptedSmtpServer[] = [];
  let port = 0;
  for (const [index, [domain, script]] of Object.entries(hosts).entries()) {
    const host = `127.2.0.${index + 1}`;
    if (script !== undefined) {
      // A remote host takes a while, and the drawing of the trace should show it.
      const server = await ScriptedSmtpServer.listen(script, {
        host,
        port,
        watch: () => pause(6 + Math.random() * 30),
      });
      port = server.port;
      servers.push(server);
    }
    dns.set(domain, { mx: [{ exchange: `mx1.${domain}`, preference: 10 }] });
    dns.set(`mx1.${domain}`, { a: [host] });
  }
  const options = { port, heloName: 'mail.acme.test', allowPrivateDestinations: true, backOff: 1 };
  adapters.use(DnsResolver, dns);
  adapters.use(DeliveryTransport, new MxDeliveryTransport(dns, options));
  const program = await startProgram({ RATE_LIMIT_PER_SECOND: '10000', ...environment }, adapters);
  const teamId = await firstTeam(program);
  const owner = await addMember(program, teamId, 'owner');
  return {
    program,
    dns,
    teamId,
    owner,
    password: testPassword,
    stop: async () => {
      await program.stop();
      for (const server of servers) await server.close();
    },
  };
}

const orderHtml = `<!doctype html><html><body style="margin:0;background:#f4f4f6;font-family:Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" style="max-width:520px;background:#fff;border-radius:12px" cellpadding="0" cellspacing="0">
<tr><td style="padding:32px 32px 0;font-size:14px;color:#4f46e5;font-weight:bold">Acme Outfitters</td></tr>
<tr><td style="padding:16px 32px 0;font-size:24px;line-height:32px;color:#17171c;font-weight:bold">Your order is on its way</td></tr>
<tr><td style="padding:12px 32px 0;font-size:15px;line-height:24px;color:#4c4c57">Hi Ada, we packed your order this morning and it left our
warehouse at 11:20. It should be with you on Friday.</td></tr>
<tr><td style="padding:24px 32px"><a href="https://acme.test/track" style="background:#4f46e5;color:#fff;text-decoration:none;
padding:12px 20px;border-radius:8px;font-size:15px;display:inline-block">Track your parcel</a></td></tr>
<tr><td style="padding:0 32px 32px;font-size:13px;line-height:20px;color:#696975">Order 20319 · 2 items · 84.00 EUR
<img src="https://images.acme.test/footer.png" alt="Acme" width="120" height="32"></td></tr>
</table></td></tr></table></body></html>`;

interface Sample {
  readonly to: string | string[];
  readonly subject: string;
  readonly scheduled_at?: string;
}

const people = [
  'ada',
  'grace',
  'alan',
  'katherine',
  'linus',
  'margaret',
  'edsger',
  'barbara',
  'donald',
  'radia',
  'tim',
  'frances',
];
const subjects = [
  'Your order is on its way',
  'Receipt for your payment',
  'Confirm your address',
  'Your weekly summary',
  'New sign-in from Firefox on Linux',
  'Your invoice for November',
  'Reset your password',
  'Ada invited you to Acme',
];
const places = [
  'harbour.test',
  'meadow.test',
  'harbour.test',
  'meadow.test',
  'harbour.test',
  'strict.test',
  'meadow.test',
  'grey.test',
  'harbour.test',
  'full.test',
  'meadow.test',
  'policy.test',
  'harbour.test',
  'busy.test',
];

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Sends mail with every kind of ending. Returns the ids by what became of them. */
export async function sendSamples({ program }: DashboardWorld, count = 60): Promise<Record<string, string>> {
  const samples: Sample[] = Array.from({ length: count }, (_, index) => ({
    to: `${pick(people, index * 5 + 3)}@${pick(places, index)}`,
    subject: pick(subjects, index * 3),
  }));
  for (let from = 0; from < samples.length; from += 50) {
    const { error } = await program.resend.batch.send(
      samples
        .slice(from, from + 50)
        .map((sample) => ({ from: testSender, html: orderHtml, text: 'Your order is on its way.', ...sample })),
    );
    if (error !== null) throw new Error(error.message);
  }
  const ids: Record<string, string> = {};
  const named: Record<string, Sample> = {
    scheduled: { to: 'radia@harbour.test', subject: 'Your trial ends tomorrow', scheduled_at: 'in 3 hours' },
    bounced: { to: 'nobody@strict.test', subject: 'Welcome to Acme' },
    delayed: { to: 'grace@grey.test', subject: 'Your invoice for November' },
    down: { to: 'alan@silent.test', subject: 'Your weekly summary' },
    several: {
      to: ['ada@harbour.test', 'nobody@strict.test', 'grace@grey.test'],
      subject: 'Notes of the meeting on Tuesday',
    },
    delivered: { to: 'Ada Lovelace <ada@harbour.test>', subject: 'Your order is on its way' },
  };
  for (const [name, { scheduled_at, ...sample }] of Object.entries(named)) {
    const { data, error } = await program.resend.emails.send({
      from: testSender,
      replyTo: 'support@acme.test',
      html: orderHtml,
      text: 'Your order is on its way. It should be with you on Friday.',
      tags: [{ name: 'category', value: 'orders' }],
      attachments: name === 'delivered' ? [{ filename: 'receipt.txt', content: Buffer.from('84.00 EUR') }] : undefined,
      scheduledAt: scheduled_at,
      ...sample,
    });
    if (error !== null) throw new Error(error.message);
    ids[name] = data.id;
  }
  return ids;
}

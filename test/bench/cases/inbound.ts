import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import nodemailer from 'nodemailer';
import { DnsServer } from '../../support/servers/dns-server.js';
import { freePort } from '../../support/runner/free-port.js';
import { startPrivatePostfix, whyNoPostfix } from '../../support/servers/private-postfix.js';
import { BenchCase, BenchRig, BenchSettings, Measurement, SkippedCase } from '../bench-case.js';
import { cpuSecondsOf } from '../process-cpu.js';
import { benchApiKey, startServer } from '../server-process.js';

const run = promisify(execFile);
const source = '/usr/sbin/smtp-source';
const domain = 'sandbox.postrider.test';
const sender = 'sender.test';

interface Load {
  readonly label: string;
  /** Options of `smtp-source` that say what it sends. */
  readonly content: readonly string[];
  readonly share: number;
}

/** Sends with `smtp-source`, to an address of its own for each message, and resolves to the seconds that it took. */
async function send(port: number, { content }: Load, messages: number, connections: number): Promise<number> {
  const started = performance.now();
  await run(source, [
    ...['-d', '-N', '-s', String(connections), '-m', String(messages)],
    ...['-f', `bench@${sender}`, '-t', `user@${domain}`, ...content, `127.0.0.1:${port}`],
  ]);
  return (performance.now() - started) / 1_000;
}

/** Receives mail for a domain with SPF, DKIM, DMARC and ARC judged, and stores it. */
async function openPostrider(load: Load, settings: BenchSettings, dns: DnsServer): Promise<BenchRig> {
  const port = await freePort();
  const server = await startServer({
    SMTP_LISTEN: `127.0.0.1:0+tls,127.0.0.1:${port}+mx`,
    HOST_NAME: 'mail.service.test',
    DNS_SERVERS: dns.address,
    INBOUND_MESSAGES_PER_MINUTE: '10000000',
  });
  const headers = { authorization: `Bearer ${benchApiKey}`, 'content-type': 'application/json' };
  const domains = await fetch(`http://127.0.0.1:${server.port}/domains`, { headers });
  const { data } = (await domains.json()) as { data: [{ id: string }] };
  const body = JSON.stringify({ capabilities: { receiving: 'enabled' } });
  await fetch(`http://127.0.0.1:${server.port}/domains/${data[0].id}`, { method: 'PATCH', headers, body });
  await send(port, load, Math.ceil(settings.messages / 4), settings.connections);
  return {
    measure: async () => {
      const cpu = cpuSecondsOf(server.pid);
      const seconds = await send(port, load, settings.messages, settings.connections);
      const cpuMs = ((cpuSecondsOf(server.pid) - cpu) * 1_000) / settings.messages;
      return [{ name: `received, ${load.label}`, value: settings.messages / seconds, unit: 'emails/s', cpuMs }];
    },
    close: () => server.stop(),
  };
}

/** Postfix takes the same mail into its queue, where it stays. It checks nothing. */
async function openPostfix(load: Load, settings: BenchSettings): Promise<BenchRig> {
  const postfix = await startPrivatePostfix(() => ({
    myhostname: 'mail.service.test',
    relay_domains: domain,
    mynetworks: '127.255.255.255/32',
    smtpd_relay_restrictions: 'reject_unauth_destination',
    smtpd_recipient_restrictions: 'static:HOLD',
    smtpd_peername_lookup: 'no',
    disable_dns_lookups: 'yes',
    smtpd_client_connection_count_limit: '0',
    default_process_limit: '100',
    in_flow_delay: '0',
  }));
  await send(postfix.port, load, Math.ceil(settings.messages / 4), settings.connections);
  return {
    measure: async () => {
      const cpu = cpuSecondsOf(postfix.pid);
      const seconds = await send(postfix.port, load, settings.messages, settings.connections);
      const cpuMs = ((cpuSecondsOf(postfix.pid) - cpu) * 1_000) / settings.messages;
      return [
        {
          name: `received by Postfix into its queue, ${load.label}`,
          value: settings.messages / seconds,
          unit: 'emails/s',
          cpuMs,
        },
      ];
    },
    close: () => postfix.stop(),
  };
}

/** Each program is started only for its turn, so that an idle one does not use the processors. */
function inTurns(openings: readonly (() => Promise<BenchRig>)[], close: () => Promise<void>): BenchRig {
  return {
    measure: async () => {
      const rows: Measurement[] = [];
      for (const open of openings) {
        const rig = await open();
        try {
          rows.push(...(await rig.measure()));
        } finally {
          await rig.close();
        }
      }
      return rows;
    },
    close,
  };
}

/** A message of 4 KB that is signed by its sender. */
async function signedMessage(directory: string, dns: DnsServer): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  dns.txt(
    `key._domainkey.${sender}`,
    `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  );
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const { message } = await transport.sendMail({
    from: `bench@${sender}`,
    to: `user@${domain}`,
    subject: 'Signed',
    text: `${'All work and no play makes Jack a dull boy.\n'.repeat(80)}`,
    dkim: {
      domainName: sender,
      keySelector: 'key',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    },
  });
  const file = join(directory, 'signed.eml');
  await writeFile(file, message as Buffer);
  return file;
}

function inboundCase(name: string, loadOf: (signed: string) => Load, besidePostfix: boolean): BenchCase {
  return {
    name,
    open: async (given) => {
      const reason = existsSync(source) ? whyNoPostfix() : `${source} is not installed (Debian: package postfix)`;
      if (reason !== undefined) throw new SkippedCase(reason);
      const dns = await DnsServer.listen();
      dns.txt(sender, 'v=spf1 ip4:127.0.0.0/8 -all').txt(`_dmarc.${sender}`, 'v=DMARC1; p=reject');
      const directory = await mkdtemp(join(tmpdir(), 'postrider-bench-inbound-'));
      const load = loadOf(await signedMessage(directory, dns));
      const settings = { ...given, messages: Math.ceil(given.messages * load.share) };
      const openings = [
        () => openPostrider(load, settings, dns),
        ...(besidePostfix ? [() => openPostfix(load, settings)] : []),
      ];
      return inTurns(openings, async () => {
        await dns.close();
        await rm(directory, { recursive: true, force: true });
      });
    },
  };
}

/** Mail of other servers. `smtp-source` signs nothing, so the signed message is one message to many addresses. */
export const inboundCases: readonly BenchCase[] = [
  inboundCase('inbound', () => ({ label: '4 KB, not signed', content: ['-l', '4096'], share: 1 }), true),
  inboundCase('inbound-signed', (file) => ({ label: '4 KB, DKIM verified', content: ['-F', file], share: 0.5 }), false),
  inboundCase('inbound-large', () => ({ label: '100 KB, not signed', content: ['-l', '102400'], share: 0.2 }), true),
];

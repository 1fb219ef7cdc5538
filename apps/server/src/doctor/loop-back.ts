import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { DnsResolver, DnsUnavailableError, ReceivingDomains, returnPathHost, SendingDomains } from '#domains';
import type { Domain } from '#domains';
import { ReceivedEmails } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { DomainError } from '#kernel';
import { parseDkimKey, signMessage } from '#mime';
import { Config } from '#platform/config';
import { openSmtpSession, SmtpFailure } from '#smtp-client';
import type { SmtpSession } from '#smtp-client';
import { Injectable } from '@nestjs/common';
import { DoctorFinding, green, red, yellow } from './check.js';
import { DoctorReport, RunDoctor } from './run-doctor.js';

const phaseMs = 20_000;
const timeouts = {
  connect: phaseMs,
  banner: phaseMs,
  ehlo: phaseMs,
  starttls: phaseMs,
  mail: phaseMs,
  rcpt: phaseMs,
  dataInitiation: phaseMs,
  dataBlock: phaseMs,
  dataTermination: 3 * phaseMs,
};
/** Hosts of a domain, and addresses of all of them, that are tried. */
const maxTried = 5;
const arrivesWithinMs = 15_000;
const lookEveryMs = 200;
const maxReplyLength = 200;

/** The step that failed. No later one can be tried. */
class StepFailed extends Error {
  constructor(readonly finding: DoctorFinding) {
    super(finding.text);
  }
}

interface Sent {
  readonly reply: string;
  readonly subject: string;
}

/**
 * Sends a message from a domain to itself as a stranger would: through the MX record and port 25 of its mail host, signed with its keys. It
 * arrives as mail of its team does. The step that fails says where the public path ends.
 */
@Injectable()
export class LoopBack {
  constructor(
    private readonly receiving: ReceivingDomains,
    private readonly sending: SendingDomains,
    private readonly received: ReceivedEmails,
    private readonly dns: DnsResolver,
    private readonly config: Config,
  ) {}

  run(name: string): Promise<DoctorReport> {
    const check = { name: 'Loop-back', isWatched: false, run: () => this.findings(name) };
    return new RunDoctor({ all: [check] }).diagnose();
  }

  private async findings(name: string): Promise<readonly DoctorFinding[]> {
    const findings: DoctorFinding[] = [];
    try {
      for await (const finding of this.steps(name.toLowerCase())) findings.push(finding);
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      findings.push(error.finding);
    }
    return findings;
  }

  private async *steps(name: string): AsyncGenerator<DoctorFinding> {
    const domain = await this.domainOf(name);
    const hosts = await this.hostsOf(name);
    yield green(`MX record: ${hosts.join(', ')}`);
    const session = await this.connected(hosts);
    try {
      const { channel, host } = session;
      yield green(`port ${this.config.values.mxPort} of ${host} is open, connected to ${channel.address ?? ''}`);
      yield channel.isEncrypted
        ? green('STARTTLS: the connection is encrypted')
        : yellow(
            `STARTTLS: not encrypted (${cleaned(channel.tls?.plaintextReason ?? 'it was not offered')})`,
            'Give the program a certificate.',
          );
      const sent = await this.sent(session, domain);
      yield green(`accepted: ${sent.reply}`);
      const started = performance.now();
      const email = await this.arrived(sent);
      yield green(`arrived after ${Math.round(performance.now() - started)} ms, as ${email.id}`);
      yield* verdictsOf(email);
    } finally {
      session.channel.fail('protocol', 'the test has ended');
    }
  }

  private async domainOf(name: string): Promise<Domain> {
    const found = await this.receiving.find(name);
    if (found === undefined) {
      throw failed(`nobody receives mail for ${name} here`, 'Add the domain, and turn receiving on for it.');
    }
    try {
      return await this.sending.require(found.teamId, name);
    } catch (error) {
      if (error instanceof DomainError) throw failed(error.message, 'Choose a domain that is verified for sending.');
      throw error;
    }
  }

  private async hostsOf(name: string): Promise<readonly string[]> {
    const records = await this.lookedUp(() => this.dns.mx(name));
    if (records.length === 0) throw failed(`${name} has no MX record`, 'Publish the one that its page shows.');
    const sorted = [...records].sort((a, b) => a.preference - b.preference);
    return sorted.slice(0, maxTried).map(({ exchange }) => exchange);
  }

  private async connected(hosts: readonly string[]): Promise<SmtpSession> {
    const { mxPort: port, heloName = hostname() } = this.config.values;
    const failures: string[] = [];
    for (const hostName of hosts) {
      const addresses = await this.lookedUp(async () => [
        ...(await this.dns.a(hostName)),
        ...(await this.dns.aaaa(hostName)),
      ]);
      if (addresses.length === 0) failures.push(`${hostName} has no address`);
      for (const host of addresses.slice(0, maxTried)) {
        try {
          return await openSmtpSession({ host, hostName, port, heloName, timeouts });
        } catch (error) {
          if (!(error instanceof SmtpFailure)) throw error;
          failures.push(`${hostName} (${host}): ${cleaned(error.message)}`);
        }
      }
    }
    throw failed(
      `no mail host could be reached on port ${port}: ${failures.join('; ')}`,
      'Open port 25 of this machine in both directions, and have SMTP_LISTEN name it. Some routers do not lead a machine back to its own public address: try it from elsewhere, too.',
    );
  }

  private async sent({ channel }: SmtpSession, domain: Domain): Promise<Sent> {
    const subject = `Loop-back ${randomUUID()}`;
    const address = `postrider-doctor@${domain.name}`;
    const message = await this.signed(domain, subject, address);
    try {
      for (const [phase, command] of [
        ['mail', `MAIL FROM:<postrider-doctor@${returnPathHost(domain)}>`],
        ['rcpt', `RCPT TO:<${address}>`],
        ['dataInitiation', 'DATA'],
        ['dataTermination', `${message}.`],
      ] as const) {
        const reply = await channel.exchange(phase, `${command}\r\n`);
        if (reply.isNegative) throw refused(reply.toString());
        if (phase === 'dataTermination') return { subject, reply: cleaned(reply.toString()) };
      }
    } catch (error) {
      if (error instanceof SmtpFailure) throw refused(error.message);
      throw error;
    }
    throw refused('no reply');
  }

  /** Lines of ASCII, none of which begins with a dot. */
  private async signed({ id, name }: Domain, subject: string, address: string): Promise<string> {
    const message = [
      `From: Postrider doctor <${address}>`,
      `To: <${address}>`,
      `Subject: ${subject}`,
      `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: <${randomUUID()}@${name}>`,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'Sent by npm run doctor, to see whether mail to this domain arrives.',
      '',
    ];
    const keys = await this.sending.signingKeys(id);
    const parsed = keys.map(({ domainName, ...key }) => parseDkimKey({ ...key, domain: domainName }));
    return Buffer.from(await signMessage(Buffer.from(message.join('\r\n')), parsed)).toString('latin1');
  }

  /** The reply of this service names the email. */
  private async arrived({ reply, subject }: Sent): Promise<ReceivedEmail> {
    const id = /OK: ([0-9a-f-]{36})/.exec(reply)?.[1];
    const givesUpAt = performance.now() + arrivesWithinMs;
    while (id !== undefined && performance.now() < givesUpAt) {
      const email = await this.received.findAny(id);
      if (email?.subject === subject) return email;
      await delay(lookEveryMs);
    }
    throw failed(
      'it was accepted, and did not arrive in this installation',
      'Another server took it: compare the MX record and its address with this machine.',
    );
  }

  private async lookedUp<Found>(look: () => Promise<Found>): Promise<Found> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof DnsUnavailableError)) throw error;
      throw failed(`the DNS gave no answer: ${error.reason}`, 'Make sure that the resolver works (DNS_SERVERS).');
    }
  }
}

function* verdictsOf({ verdicts: { spf, dkim, dmarc } }: ReceivedEmail): Generator<DoctorFinding> {
  const verdicts = [
    { name: 'SPF', result: spf.result, about: spf.domain },
    {
      name: 'DKIM',
      result: bestOf(dkim.map(({ result }) => result)),
      about: [...new Set(dkim.map(({ domain }) => domain))].join(', '),
    },
    { name: 'DMARC', result: dmarc.result, about: dmarc.domain },
  ];
  for (const { name, result, about } of verdicts) {
    const text = `${name}: ${result}${about === '' ? '' : ` for ${cleaned(about)}`}`;
    if (result === 'pass') yield green(text);
    else yield yellow(text, `Check the ${name} record of the domain, and from which address the message left.`);
  }
}

const bestOf = (results: readonly string[]): string => (results.includes('pass') ? 'pass' : (results[0] ?? 'none'));

const failed = (text: string, fix: string): StepFailed => new StepFailed(red(text, fix));

const refused = (reply: string): StepFailed =>
  failed(`the mail host did not take it: ${cleaned(reply)}`, 'Its reply says why. The log of that host has more.');

const cleaned = (text: string): string => text.replace(/\p{Cc}|\p{Cf}/gu, ' ').slice(0, maxReplyLength);

import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Adapters } from '#platform/adapters';
import { allRecords } from '../builders/published-records.js';
import { publishedIn } from '../fakes/in-memory-zones.js';
import { RecordingProgram, startRecordingProgram } from './recording-program.js';
import { SmtpDialogue } from '../clients/smtp-dialogue.js';
import { until } from '../runner/until.js';

export const inboundHost = 'mail.service.test';
export const inboundDomain = 'acme.test';

export interface Brought {
  readonly from?: string;
  readonly to?: string | readonly string[];
  /** Sends STARTTLS first. */
  readonly tls?: boolean;
  /** Another loopback address. */
  readonly localAddress?: string;
}

const settings = {
  SMTP_LISTEN: '127.0.0.1:0+mx,127.0.0.1:0',
  HOST_NAME: inboundHost,
  ALLOW_PRIVATE_DESTINATIONS: 'true',
  INBOUND_MESSAGES_PER_MINUTE: '1000000',
};

/** A program that delivers into memory and receives mail for `acme.test`, with a DNS that tests write. */
export class InboundProgram {
  private constructor(
    readonly program: RecordingProgram,
    readonly dns: InMemoryDnsResolver,
  ) {}

  static async start(environment: Record<string, string> = {}, adapters = new Adapters()): Promise<InboundProgram> {
    const dns = new InMemoryDnsResolver();
    const program = await startRecordingProgram({ ...settings, ...environment }, adapters.use(DnsResolver, dns));
    const inbound = new InboundProgram(program, dns);
    await inbound.addDomain(inboundDomain);
    return inbound;
  }

  /** Another process of the same installation. */
  async another(): Promise<InboundProgram> {
    const adapters = new Adapters().use(DnsResolver, this.dns);
    return new InboundProgram(await startRecordingProgram(settings, adapters, this.program.database), this.dns);
  }

  get port(): number {
    return this.program.postrider.smtp.listening.find(({ isMx }) => isMx)?.port ?? 0;
  }

  get resend(): RecordingProgram['resend'] {
    return this.program.resend;
  }

  /** Adds a domain that sends and receives, with all its records published and seen. */
  async addDomain(name: string, client = this.resend): Promise<string> {
    const { data, error } = await client.domains.create({
      name,
      capabilities: { sending: 'enabled', receiving: 'enabled' },
    });
    if (error !== null) throw new Error(error.message);
    publishedIn(this.dns, name, allRecords(data));
    await client.domains.verify(data.id);
    await until(async () => (await client.domains.get(data.id)).data?.status === 'verified');
    return data.id;
  }

  open(localAddress?: string): Promise<SmtpDialogue> {
    return SmtpDialogue.open(this.port, localAddress);
  }

  /**
   * Sends a message as another mail server does. Resolves to the last reply: of the message, or of the step that
   * failed.
   */
  async bring(
    message: string | Buffer,
    { from = 'ada@customer.test', to = `support@${inboundDomain}`, tls = false, localAddress }: Brought = {},
  ): Promise<string> {
    const client = await this.open(localAddress);
    try {
      await client.ask('EHLO mx.customer.test');
      if (tls) {
        await client.startTls();
        await client.ask('EHLO mx.customer.test');
      }
      const commands = [`MAIL FROM:<${from}>`, ...[to].flat().map((address) => `RCPT TO:<${address}>`), 'DATA'];
      for (const command of commands) {
        const reply = await client.ask(command);
        if (!/^[23]/.test(reply)) return reply;
      }
      client.send(stuffed(message));
      const reply = await client.reply();
      await client.ask('QUIT').catch(() => '');
      return reply;
    } finally {
      client.drop();
    }
  }

  /** Sends a message that must be accepted, and returns the id in the reply. */
  async received(message: string | Buffer, options: Brought = {}): Promise<string> {
    const reply = await this.bring(message, options);
    const id = /^250 .*OK: ([0-9a-f-]{36})/.exec(reply)?.[1];
    if (id === undefined) throw new Error(reply);
    return id;
  }

  async get(path: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const response = await this.program.request(path);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** The bytes behind a link. */
  async download(url: unknown): Promise<Buffer> {
    const response = await fetch(String(url));
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return Buffer.from(await response.arrayBuffer());
  }

  /** The source of a received email. */
  async source(id: string): Promise<Buffer> {
    const { body } = await this.get(`/emails/receiving/${id}`);
    return this.download((body.raw as { download_url: string }).download_url);
  }

  stop(): Promise<void> {
    return this.program.stop();
  }
}

/** The content of DATA, with its end. A text may have any line ends; bytes are sent as they are. */
function stuffed(message: string | Buffer): Buffer {
  const text = typeof message === 'string' ? message.replace(/\r?\n/g, '\r\n') : message.toString('latin1');
  const dotted = text.replace(/^\./gm, '..');
  return Buffer.from(
    `${dotted}${dotted.endsWith('\r\n') ? '' : '\r\n'}.\r\n`,
    typeof message === 'string' ? 'utf8' : 'latin1',
  );
}

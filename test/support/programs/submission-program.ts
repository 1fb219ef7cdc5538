import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DnsResolver, InMemoryDnsResolver, OwnedDomains } from '#domains';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { Client } from 'pg';
import { Postrider } from '../../../apps/server/src/postrider.js';
import { SinkMessage, SmtpSink } from '../servers/smtp-sink.js';
import { startForTest } from './start-for-test.js';
import { createTestDatabase, TestDatabase } from '../servers/test-database.js';
import { until } from '../runner/until.js';

export const submissionApiKey = 're_submission_0123456789abcdef';

export interface StoredEmailResponse {
  readonly id: string;
  readonly from: string;
  readonly to: string[];
  readonly cc: string[] | null;
  readonly bcc: string[] | null;
  readonly reply_to: string[] | null;
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly message_id: string;
  readonly last_event: string;
  readonly scheduled_at: string | null;
  readonly tags?: { name: string; value: string }[];
}

/** The whole program with SMTP submission on loopback, and a sink that receives all mail. */
export class SubmissionProgram {
  private constructor(
    readonly postrider: Postrider,
    readonly sink: SmtpSink,
    readonly dataDir: string,
    private readonly database: TestDatabase,
  ) {}

  static async start(
    environment: Readonly<Record<string, string>> = {},
    adapters = new Adapters(),
  ): Promise<SubmissionProgram> {
    const database = await createTestDatabase();
    const sink = await SmtpSink.listen({ keep: true });
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-smtp-'));
    const postrider = await startForTest(
      {
        DATABASE_URL: database.url,
        SECRET_KEY: randomBytes(32).toString('base64'),
        DATA_DIR: dataDir,
        HTTP_PORT: '0',
        LOG_LEVEL: 'fatal',
        BOOTSTRAP_API_KEY: submissionApiKey,
        SMTP_LISTEN: '127.0.0.1:0,127.0.0.1:0+tls',
        SHUTDOWN_SECONDS: '5',
        DELIVERY_TRANSPORT: 'relay',
        RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
        ...environment,
      },
      adapters.has(DnsResolver) ? adapters : adapters.use(DnsResolver, new InMemoryDnsResolver()),
    );
    return new SubmissionProgram(postrider, sink, dataDir, database);
  }

  port(mode: 'starttls' | 'tls'): number {
    const found = this.postrider.smtp.listening.find(({ implicitTls }) => implicitTls === (mode === 'tls'));
    if (found === undefined) throw new Error(`nothing listens for ${mode}`);
    return found.port;
  }

  async email(id: string): Promise<StoredEmailResponse> {
    return (await this.get(`/emails/${id}`)) as StoredEmailResponse;
  }

  async get(path: string): Promise<unknown> {
    const response = await fetch(`${this.postrider.url}${path}`, {
      headers: { authorization: `Bearer ${submissionApiKey}` },
    });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  arrived(matches: (message: SinkMessage) => boolean): Promise<SinkMessage> {
    return until(() => this.sink.messages.find(matches));
  }

  /** Number of rows in each table that the acceptance of an email writes. */
  async rows(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    // Only the first events: deliveries write the others at any time.
    const accepted = `email_events WHERE type IN ('email.sent', 'email.scheduled')`;
    for (const table of ['emails', 'recipients', accepted, 'message_contents']) {
      const [row] = await this.postrider.app
        .get(Database)
        .query<{ count: number }>({ text: `SELECT count(*)::int AS count FROM ${table}` });
      counts[table] = row?.count ?? NaN;
    }
    return counts;
  }

  /** Types of the events of an email, read from the database, so that it works after the program has stopped. */
  async storedEvents(emailId: string): Promise<string[]> {
    const client = new Client({ connectionString: this.database.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ type: string }>({
        text: 'SELECT type FROM email_events WHERE email_id = $1 ORDER BY seq',
        values: [emailId],
      });
      return rows.map(({ type }) => type);
    } finally {
      await client.end();
    }
  }

  /** Verifies all signatures of a message with an independent implementation. */
  async dkimResults(content: Buffer): Promise<string[]> {
    const keys = this.postrider.app.get(OwnedDomains);
    const resolver = async (name: string): Promise<string[][]> => {
      const [, selector = '', domain = ''] = /^(.+)\._domainkey\.(.+)$/.exec(name) ?? [];
      const record = await keys.dkimRecord(selector, domain);
      if (record === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return [[record]];
    };
    const { results } = await dkimVerify(content, { resolver });
    return results.map(({ status }) => status.result);
  }

  async stop(): Promise<void> {
    await this.postrider.stop();
    await this.sink.close();
    await this.database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Everything after the empty line that ends the header. */
export function bodyOf(content: Buffer): Buffer {
  return content.subarray(content.indexOf('\r\n\r\n') + 4);
}

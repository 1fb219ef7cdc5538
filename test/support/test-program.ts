import { randomBytes } from 'node:crypto';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { Resend } from 'resend';
import { Postrider, startPostrider } from '../../apps/server/src/postrider.js';
import { createTestDatabase, TestDatabase } from './test-database.js';

const apiKey = 're_test_0123456789abcdef';
/** The domain that is verified from the first start on. */
const sender = 'Acme <hello@sandbox.postrider.test>';
const secretKey = randomBytes(32).toString('base64');

/** The whole program on a database of its own, delivering into memory. */
export class TestProgram {
  readonly apiKey = apiKey;
  readonly transport: InMemoryDeliveryTransport;

  private constructor(
    readonly database: TestDatabase,
    readonly postrider: Postrider,
    transport: InMemoryDeliveryTransport,
  ) {
    this.transport = transport;
  }

  /** With a database, the program joins the others that run on it. */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    adapters = new Adapters(),
    database?: TestDatabase,
  ): Promise<TestProgram> {
    const transport = new InMemoryDeliveryTransport();
    const own = database ?? (await createTestDatabase());
    const config = readConfig({
      DATABASE_URL: own.url,
      SECRET_KEY: secretKey,
      HTTP_PORT: '0',
      LOG_LEVEL: 'fatal',
      BOOTSTRAP_API_KEY: apiKey,
      RATE_LIMIT_PER_SECOND: '100000',
      ...settings,
    });
    const postrider = await startPostrider({ config, adapters: adapters.use(DeliveryTransport, transport) });
    return new TestProgram(own, postrider, transport);
  }

  get resend(): Resend {
    return new Resend(this.apiKey, { baseUrl: this.postrider.url });
  }

  get port(): number {
    return Number(new URL(this.postrider.url).port);
  }

  /** How many emails with this subject have reached the transport. */
  delivered(subject: string): number {
    return this.transport.delivered.filter(({ content }) => Buffer.from(content).includes(`Subject: ${subject}\r\n`))
      .length;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.postrider.url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        'content-type': 'application/json',
        ...(init.headers as Record<string, string> | undefined),
      },
    });
  }

  /** Stops this program; whoever made the database drops it. */
  stop(): Promise<void> {
    return this.postrider.stop();
  }

  async end(): Promise<void> {
    await this.postrider.stop();
    await this.database.drop();
  }
}

/** A valid email; a test names the fields it is about. */
export function anEmail<Fields extends object>(fields?: Fields): typeof plainEmail & Fields {
  return { ...plainEmail, ...(fields as Fields) };
}

const plainEmail = { from: sender, to: 'someone@example.test', subject: 'Hello', text: 'Hi there' };

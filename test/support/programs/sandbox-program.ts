import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { Resend } from 'resend';
import { SandboxAddress } from '#delivery';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { Postrider, startPostrider } from '../../../apps/server/src/postrider.js';
import { createTestDatabase, TestDatabase } from '../servers/test-database.js';
import { until } from '../runner/until.js';

export interface Summary {
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly received_at: string;
}

export interface Message extends Summary {
  readonly raw: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly dkim: string;
}

export const sender = 'Acme <hello@sandbox.postrider.test>';
export const secretKey = randomBytes(32).toString('base64');

export let database: TestDatabase;
export let dataDir: string;
export let postrider: Postrider;
export let apiKey: string;

export function start(environment: Record<string, string> = {}, adapters = new Adapters()): Promise<Postrider> {
  return startPostrider({
    config: readConfig({
      DATABASE_URL: database.url,
      SECRET_KEY: secretKey,
      DATA_DIR: dataDir,
      HTTP_PORT: '0',
      SMTP_LISTEN: 'none',
      LOG_LEVEL: 'fatal',
      ...environment,
    }),
    adapters: adapters.use(DnsResolver, new InMemoryDnsResolver()),
  });
}

export async function startSandbox(): Promise<void> {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-sandbox-'));
  postrider = await start();
  apiKey = postrider.firstStart?.apiKey ?? '';
}

export async function stopSandbox(): Promise<void> {
  await postrider.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
}

export const resend = (server = postrider): Resend => new Resend(apiKey, { baseUrl: server.url });

export async function api<Body>(
  path: string,
  key = apiKey,
  server = postrider,
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: (await response.json()) as Body };
}

export async function inbox(key = apiKey, query = ''): Promise<{ object: string; has_more: boolean; data: Summary[] }> {
  return (await api<{ object: string; has_more: boolean; data: Summary[] }>(`/sandbox/messages${query}`, key)).body;
}

export const arrived = (subject: string): Promise<Summary> =>
  until(async () => (await inbox(apiKey, '?limit=100')).data.find((message) => message.subject === subject));

export async function received(subject: string): Promise<Message> {
  return (await api<Message>(`/sandbox/messages/${(await arrived(subject)).id}`)).body;
}

const returnPath = 'bounces@send.sandbox.postrider.test';

/** Past the service: straight to the receiving server, as it came. */
export async function deliverRaw(raw: string, from = returnPath): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: postrider.app.get(SandboxAddress).port,
    ignoreTLS: true,
  });
  await transport.sendMail({ envelope: { from, to: ['someone@example.test'] }, raw });
  transport.close();
}

export const page = (path: string): Promise<Response> => fetch(`${postrider.url}${path}`);

export function pagePath(id: string, part = ''): string {
  return `/sandbox/inbox/${id}${part}?${new URL(postrider.inboxUrl ?? '').searchParams.toString()}`;
}

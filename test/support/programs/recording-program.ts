import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { startProgram, TestProgram, testSender } from './program.js';
import { TestDatabase } from '../servers/test-database.js';

/** A program that delivers into memory. */
export interface RecordingProgram extends TestProgram {
  readonly port: number;
  readonly transport: InMemoryDeliveryTransport;
  /** How many emails with this subject have been delivered. */
  delivered(subject: string): number;
}

export async function startRecordingProgram(
  settings: Readonly<Record<string, string>> = {},
  adapters = new Adapters(),
  shared?: TestDatabase,
  transport = new InMemoryDeliveryTransport(),
): Promise<RecordingProgram> {
  const program = await startProgram(
    { RATE_LIMIT_PER_SECOND: '100000', ...settings },
    adapters.use(DeliveryTransport, transport),
    shared,
  );
  const has = (content: Uint8Array, subject: string): boolean =>
    Buffer.from(content).includes(`Subject: ${subject}\r\n`);
  return {
    ...program,
    port: Number(new URL(program.url).port),
    transport,
    delivered: (subject) => transport.delivered.filter(({ content }) => has(content, subject)).length,
  };
}

const plainEmail = { from: testSender, to: 'someone@example.test', subject: 'Hello', text: 'Hi there' };

/** A valid email; a test names the fields it is about. */
export function anEmail<Fields extends object>(fields?: Fields): typeof plainEmail & Fields {
  return { ...plainEmail, ...(fields as Fields) };
}

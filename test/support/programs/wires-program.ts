import { request, RequestOptions } from 'node:http';
import { until } from '../runner/until.js';
import { SinkMessage, SmtpSink } from '../servers/smtp-sink.js';
import { startProgram, TestProgram } from './program.js';
import { addSecondTeam, SecondTeam } from './second-team.js';

/** The program with the APIs of other providers, and a server that takes its mail, except to `nobody…`. */
export interface WiresProgram {
  readonly program: TestProgram;
  readonly sink: SmtpSink;
  readonly second: SecondTeam;
  readonly arrivalTo: (address: string) => Promise<SinkMessage>;
  stop(): Promise<void>;
}

export async function startWires(wires: string, hosts = '', smtp = 'none'): Promise<WiresProgram> {
  const sink = await SmtpSink.listen({
    keep: true,
    replyToRecipient: (address) => (address.startsWith('nobody') ? '550 5.1.1 No such user' : undefined),
  });
  const program = await startProgram({
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    WIRES: wires,
    WIRE_HOSTS: hosts,
    SMTP_LISTEN: smtp,
  });
  return {
    program,
    sink,
    second: await addSecondTeam(program.postrider.app),
    arrivalTo: (address) => until(() => sink.messages.find(({ recipients }) => recipients.includes(address))),
    stop: async () => {
      await program.stop();
      await sink.close();
    },
  };
}

/** What a promise was rejected with. */
export async function refusalOf(asked: Promise<unknown>): Promise<Record<string, unknown>> {
  return asked.then(
    () => ({}),
    (error: Record<string, unknown>) => error,
  );
}

/** A published template with the variable `NAME`, and the alias `welcome`. */
export async function addWelcomeTemplate({ resend }: TestProgram, from: string): Promise<void> {
  const template = await resend.templates.create({
    name: 'Welcome',
    alias: 'welcome',
    from,
    subject: 'Welcome {{{NAME}}}',
    html: '<p>Hello {{{NAME}}}</p>',
    variables: [{ key: 'NAME', type: 'string' }],
  });
  await resend.templates.publish(template.data?.id ?? '');
}

/** What signs requests in the name of an API key. */
export interface SesKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** As `GET /wires` shows it to the key itself, or to it another key of its team. */
export async function sesKeyOf(program: TestProgram, apiKey: string, apiKeyId?: string): Promise<SesKey> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await program.request(apiKeyId === undefined ? '/wires' : `/wires?api_key_id=${apiKeyId}`, {
    headers,
  });
  const { data } = (await response.json()) as { data: Record<string, string>[] };
  const ses = data.find(({ wire }) => wire === 'ses');
  return { accessKeyId: ses?.access_key_id ?? '', secretAccessKey: ses?.secret_access_key ?? '' };
}

/** A request whose `Host` and path may be others than those of its connection. */
export function exchange(
  url: string,
  options: RequestOptions,
  body = '',
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...options, host: '127.0.0.1', port: new URL(url).port }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on('error', reject).end(body);
  });
}

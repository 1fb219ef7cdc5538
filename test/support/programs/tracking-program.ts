import { IncomingHttpHeaders, request } from 'node:http';
import { Resend } from 'resend';
import { DnsResolver, SystemDnsResolver } from '#domains';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { DnsServer } from '../servers/dns-server.js';
import { allRecords, publishRecords } from '../builders/published-records.js';
import { SinkMessage } from '../servers/smtp-sink.js';
import { submissionApiKey, SubmissionProgram } from './submission-program.js';
import { TestClock } from '../fakes/test-clock.js';
import { until } from '../runner/until.js';
import type { ParsedJson } from '../runner/parsed-json.js';

export const trackedDomain = 'tracked.test';
export const trackedHost = `links.${trackedDomain}`;
export const reader = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';
const serviceHost = 'mail.service.test';

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface SentEvent {
  readonly seq: number;
  readonly type: string;
  readonly recipient: string | null;
  readonly data: ParsedJson;
}

/** The whole program with SMTP on both sides and a verified domain that tracks opens and clicks. */
export class TrackingProgram {
  private constructor(
    readonly program: SubmissionProgram,
    readonly dns: DnsServer,
    readonly clock: TestClock,
    readonly resend: Resend,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<TrackingProgram> {
    const dns = await DnsServer.listen();
    dns.a(serviceHost, '192.0.2.1');
    const clock = new TestClock();
    const resolver = new SystemDnsResolver({ servers: [dns.address], timeoutMs: 2_000, tries: 2 });
    const adapters = new Adapters().use(DnsResolver, resolver).use(Clock, clock);
    const program = await SubmissionProgram.start({ HOST_NAME: serviceHost, ...environment }, adapters);
    const resend = new Resend(submissionApiKey, { baseUrl: program.postrider.url });
    const tracking = new TrackingProgram(program, dns, clock, resend);
    await tracking.addDomain(trackedDomain, { openTracking: true, clickTracking: true });
    return tracking;
  }

  /** Resolves with the domain's id once all of its records, the tracking one included, are verified. */
  async addDomain(name: string, flags: { openTracking?: boolean; clickTracking?: boolean }): Promise<string> {
    const { data, error } = await this.resend.domains.create({ name, trackingSubdomain: 'links', ...flags });
    if (data === null) throw new Error(error?.message);
    publishRecords(this.dns, name, allRecords(data));
    await this.resend.domains.verify(data.id);
    return until(async () => {
      const { data: domain } = await this.resend.domains.get(data.id);
      const tracking = domain?.records.find(({ record }) => record === 'Tracking');
      return domain?.status === 'verified' && tracking?.status === 'verified' && data.id;
    });
  }

  /** The received message with this subject for this recipient. */
  arrived(subject: string, recipient?: string): Promise<SinkMessage> {
    return this.program.arrived(
      ({ content, recipients }) =>
        content.includes(`Subject: ${subject}\r\n`) && (recipient === undefined || recipients.includes(recipient)),
    );
  }

  /** Resolves when the delivery is recorded and enough time has passed for a person to open the email. */
  async hasBeenDelivered(emailId: string, recipients = 1): Promise<void> {
    await until(async () => {
      const events = await this.eventsOf(emailId);
      return events.filter(({ type }) => type === 'email.delivered').length === recipients;
    });
    this.clock.advance(60_000);
  }

  /** Follows a pixel or link like a client: connects to the program and sends the host of the URL with the request. */
  visit(
    address: string,
    { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<HttpResponse> {
    const { host, pathname } = new URL(address);
    const { port } = new URL(this.program.postrider.url);
    return new Promise((resolve, reject) => {
      request(
        { host: '127.0.0.1', port, method, path: pathname, headers: { host, 'user-agent': reader, ...headers } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
          );
        },
      )
        .on('error', reject)
        .end();
    });
  }

  async eventsOf(emailId: string): Promise<SentEvent[]> {
    return ((await this.program.get(`/emails/${emailId}/events`)) as { data: SentEvent[] }).data;
  }

  /** Resolves to the events of a type once there are `count` of them. */
  events(emailId: string, type: string, count = 1): Promise<SentEvent[]> {
    return until(async () => {
      const events = (await this.eventsOf(emailId)).filter((event) => event.type === type);
      return events.length >= count && events;
    });
  }

  async lastEventOf(emailId: string): Promise<string> {
    return (await this.program.email(emailId)).last_event;
  }

  async stop(): Promise<void> {
    await this.program.stop();
    await this.dns.close();
  }
}

/** The links of an html body that lead through the tracking host. */
export function trackedIn(html: string): { pixels: string[]; links: string[] } {
  const all = Array.from(html.matchAll(/https?:\/\/links\.[a-z.]+\/([oc])\/[A-Za-z0-9_-]+/g), ([url, kind]) => ({
    url,
    kind,
  }));
  const of = (wanted: string): string[] => all.filter(({ kind }) => kind === wanted).map(({ url }) => url);
  return { pixels: of('o'), links: of('c') };
}

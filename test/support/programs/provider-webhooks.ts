import PostalMime from 'postal-mime';
import type { ParsedJson } from '../runner/parsed-json.js';
import { until } from '../runner/until.js';
import { SmtpSink } from '../servers/smtp-sink.js';
import { ReceivedCall, WebhookReceiver } from '../servers/webhook-receiver.js';
import { addSecondTeam, SecondTeam } from './second-team.js';
import { submissionApiKey } from './submission-program.js';
import { trackedDomain, trackedIn, TrackingProgram } from './tracking-program.js';

export const bodyOf = (call: ReceivedCall): ParsedJson => call.payload;

/** The program with the APIs of other providers and tracked mail, a server that takes it, except to `nobody…`, and a receiver of calls. */
export class ProviderWebhooks {
  receiver!: WebhookReceiver;

  private constructor(
    readonly tracking: TrackingProgram,
    readonly second: SecondTeam,
    private readonly sink: SmtpSink,
  ) {}

  static async start(wires: string): Promise<ProviderWebhooks> {
    const replyToRecipient = (address: string) => (address.startsWith('nobody') ? '550 5.1.1 No such user' : undefined);
    const sink = await SmtpSink.listen({ keep: true, replyToRecipient });
    const tracking = await TrackingProgram.start({
      RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      WIRES: wires,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
    });
    return new ProviderWebhooks(tracking, await addSecondTeam(tracking.program.postrider.app), sink);
  }

  /** A receiver of its own for each test. */
  async listen(): Promise<void> {
    this.receiver = await WebhookReceiver.listen();
    this.receiver.isDescribed = false;
  }

  get url(): string {
    return this.tracking.program.postrider.url;
  }

  /** Bodies of the calls that fit, once there are `count` of them. */
  arrived(fits: (body: ParsedJson) => boolean, count = 1): Promise<ParsedJson[]> {
    return until(() => {
      const found = this.receiver.accepted.map(bodyOf).filter(fits);
      return found.length >= count && found;
    });
  }

  async send(to: string, fields: object = {}): Promise<string> {
    const from = `Acme <hello@${trackedDomain}>`;
    const html = '<p>Hi</p><a href="https://shop.test/offer">Offer</a>';
    const message = { from, to, subject: `For ${to}`, html, ...fields };
    return (await this.tracking.resend.emails.send(message)).data?.id ?? '';
  }

  /** Opens the email twice, and follows its link. */
  async read(to: string, id: string): Promise<void> {
    const { content } = await until(() => this.sink.messages.find(({ recipients }) => recipients.includes(to)));
    await this.tracking.hasBeenDelivered(id);
    const { pixels, links } = trackedIn((await PostalMime.parse(content)).html ?? '');
    for (const address of [pixels[0], pixels[0], links[0]]) {
      await this.tracking.visit(address ?? '');
      this.tracking.clock.advance(60_000);
    }
  }

  /** A request to our own API. */
  own(path: string, method = 'GET', key = submissionApiKey): Promise<Response> {
    return fetch(`${this.url}${path}`, { method, headers: { authorization: `Bearer ${key}` } });
  }

  async json(path: string, method = 'GET', key = submissionApiKey): Promise<ParsedJson> {
    return (await (await this.own(path, method, key)).json()) as ParsedJson;
  }

  /** The endpoints, as our own API lists them. */
  async listed(key?: string): Promise<ParsedJson[]> {
    return (await this.json('/webhooks?limit=100', 'GET', key)).data as ParsedJson[];
  }

  async stop(): Promise<void> {
    await this.tracking.stop();
    await this.sink.close();
  }
}

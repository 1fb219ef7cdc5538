import { callableUrl } from '../domain/endpoint-url.js';
import { publicMessageId } from '../domain/message-id.js';
import { payloadOf, StoredEmailEvent, StoredEvent } from '../domain/payload.js';
import { ownFormat } from '../domain/webhook.js';
import { CallResult, WebhookMessage } from '../domain/webhook-message.js';
import {
  CalledEndpoint,
  FinishedCall,
  OtherFormats,
  WebhookClient,
  WebhookRequest,
} from './ports/webhook-calls.port.js';

interface EndpointCall {
  readonly message: WebhookMessage;
  readonly event: StoredEvent;
  readonly endpoint: CalledEndpoint;
  readonly sentAt: Date;
  readonly isWanted?: () => boolean;
}

const withoutCall = (response: string): CallResult => ({ status: 0, response, durationMs: 0 });

const notWanted = withoutCall('The endpoint gets no such event in its format');

/** Other providers have no event for a test: they are shown one of an email that was never sent. */
const testedEmail: StoredEmailEvent = {
  kind: 'email',
  emailId: '00000000-0000-7000-8000-000000000000',
  messageId: '<test@example.com>',
  acceptedAt: new Date(0),
  from: 'sender@example.com',
  to: ['recipient@example.com'],
  subject: 'This is a test.',
  broadcastId: null,
  templateId: null,
  tags: null,
  headers: null,
  recipient: 'recipient@example.com',
  data: null,
  position: '0',
  size: 0,
  isFirst: true,
};

/** Calls an endpoint in its format. */
export class CallEndpoint {
  constructor(
    private readonly client: WebhookClient,
    private readonly others: OtherFormats | undefined,
  ) {}

  /** Undefined if the call was withdrawn. */
  async call({
    message,
    event,
    endpoint,
    sentAt,
    isWanted,
  }: EndpointCall): Promise<Pick<FinishedCall, 'result' | 'notCalled'> | undefined> {
    if (endpoint.format !== ownFormat && this.others?.named(endpoint.format) === undefined) {
      const result = withoutCall(`WIRES does not have \`${endpoint.format}\`, in whose format this endpoint is called`);
      return { result };
    }
    const request = this.requestOf(message, event, endpoint, sentAt);
    if (request === undefined) return { result: notWanted, notCalled: 'not wanted' };
    const result = await this.client.call({
      webhookId: message.webhookId,
      url: callableUrl(endpoint.endpoint),
      secrets: endpoint.secrets,
      messageId: publicMessageId(message.id),
      sentAt,
      request,
      isWanted: isWanted ?? (() => true),
    });
    return result && { result };
  }

  /** Undefined if there is none for this event, or if the format is not understood here. */
  requestOf(
    message: WebhookMessage,
    event: StoredEvent,
    endpoint: CalledEndpoint,
    sentAt: Date,
  ): WebhookRequest | undefined {
    if (endpoint.format === ownFormat) return { body: payloadOf(message, event), headers: {} };
    const format = this.others?.named(endpoint.format);
    const isTest = (message.type as string) === 'webhook.test';
    return isTest
      ? format?.({ ...message, type: 'email.delivered' }, testedEmail, endpoint, sentAt)
      : format?.(message, event, endpoint, sentAt);
  }
}

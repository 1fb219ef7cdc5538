import { OutboundHttp, OutboundHttpError } from '#http/outbound';
import { Injectable } from '@nestjs/common';
import { WebhookCall, WebhookClient } from '../../application/ports/webhook-calls.port.js';
import { CallResult } from '../../domain/webhook-message.js';
import { signatureHeaders } from '../../application/standard-webhooks.js';

const timeoutMs = 15_000;
/** Bytes of a response that are stored. */
const keptBytes = 1_024;

/** Calls over persistent connections, to public addresses only. Redirects are not followed. */
@Injectable()
export class HttpWebhookClient extends WebhookClient {
  constructor(private readonly http: OutboundHttp) {
    super();
  }

  async call({
    webhookId,
    url,
    messageId,
    sentAt,
    secrets,
    request: { body, headers },
    isWanted,
  }: WebhookCall): Promise<CallResult | undefined> {
    let started = performance.now();
    const keys = secrets.previous === undefined ? [secrets.current] : [secrets.current, secrets.previous];
    try {
      const response = await this.http.send({
        url,
        owner: webhookId,
        onTurn: () => {
          started = performance.now();
          return isWanted();
        },
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...signatureHeaders(messageId, sentAt, body, keys) },
        body,
        timeoutMs,
        maxBytes: keptBytes,
        cutsBody: true,
        repeatable: true,
        maxRedirects: 0,
      });
      return { status: response.status, response: response.body.toString(), durationMs: performance.now() - started };
    } catch (error) {
      if (!(error instanceof OutboundHttpError)) throw error;
      if (error.reason === 'withdrawn') return undefined;
      return { status: 0, response: error.message, durationMs: performance.now() - started };
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { clusterApiKey, sites } from './topology.js';

const from = 'cluster@sandbox.postrider.test';
const retryMs = 100;
const timeoutMs = 5_000;

/** The recipients of all acknowledged mail, and statistics. */
export interface Tally {
  readonly accepted: string[];
  /**
   * Requests that were repeated because there was no response, or a response that the server is temporarily
   * unavailable.
   */
  repeated: number;
}

export const newTally = (): Tally => ({ accepted: [], repeated: 0 });

const recipientOf = (index: number): string => `user${index}@${sites[index % sites.length]}`;

/**
 * Sends one email over HTTP until it is acknowledged, always with the same idempotency key, so that it is accepted
 * once.
 */
export async function sendOverHttp(port: number, index: number, tally: Tally): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/emails`, {
        method: 'POST',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          authorization: `Bearer ${clusterApiKey}`,
          'content-type': 'application/json',
          'idempotency-key': `cluster-${index}`,
        },
        body: JSON.stringify({ from, to: recipientOf(index), subject: `No ${index}`, text: 'Hello' }),
      });
      const text = await answer.text();
      if (answer.ok) return void tally.accepted.push(recipientOf(index));
      if (answer.status < 500 && answer.status !== 409) throw new RefusedError(`${answer.status} ${text}`);
    } catch (error) {
      if (error instanceof RefusedError) throw error;
    }
    tally.repeated++;
    await delay(retryMs);
  }
}

/** The same over SMTP, each message on a separate connection. */
export async function sendOverSmtp(port: number, index: number, tally: Tally): Promise<void> {
  for (;;) {
    const transport = createTransport({
      host: '127.0.0.1',
      port,
      secure: true,
      tls: { rejectUnauthorized: false },
      auth: { user: 'postrider', pass: clusterApiKey },
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
    try {
      const headers = { 'Resend-Idempotency-Key': `cluster-${index}` };
      await transport.sendMail({ from, to: recipientOf(index), subject: `No ${index}`, text: 'Hello', headers });
      return void tally.accepted.push(recipientOf(index));
    } catch (error) {
      const code = (error as { responseCode?: number }).responseCode ?? 0;
      if (code >= 500) throw error;
    } finally {
      transport.close();
    }
    tally.repeated++;
    await delay(retryMs);
  }
}

class RefusedError extends Error {}

import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const keyBytes = 32;

export function newSigningSecret(): string {
  return prefix + randomBytes(keyBytes).toString('base64');
}

/**
 * The headers of a signed call (Standard Webhooks; docs/wire-contract.md section 22.1), both under the names that the
 * clients read and under those of the standard. There is one signature for each secret, the newest first.
 */
export function signatureHeaders(
  messageId: string,
  sentAt: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1_000).toString();
  const signature = secrets.map((secret) => sign(secret, `${messageId}.${timestamp}.${body}`)).join(' ');
  return {
    'svix-id': messageId,
    'svix-timestamp': timestamp,
    'svix-signature': signature,
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  };
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

import { parsedJson } from './parsed-json.js';

export interface SignedCall {
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  /** One or more of `v1,<base64>`, separated by spaces. */
  readonly signature: string;
  /** The body exactly as it came. */
  readonly body: string;
}

export type SignatureFinding = 'valid' | 'old' | 'unreadable' | 'reformatted' | 'wrong';

/** Libraries refuse calls that are older. */
const toleranceMs = 5 * 60_000;

/** Whether a call is signed with the secret, and if not, the likely mistake. */
export async function checkSignature(call: SignedCall, now: number): Promise<SignatureFinding> {
  const key = bytesOf(call.secret.replace(/^whsec_/, ''));
  const given = call.signature.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
  if (key === undefined || given.length === 0 || !/^\d{1,12}$/.test(call.timestamp)) return 'unreadable';
  if (given.includes(await signatureOf(key, call, call.body))) {
    return Math.abs(now - Number(call.timestamp) * 1_000) > toleranceMs ? 'old' : 'valid';
  }
  const compact = compacted(call.body);
  const isReformatted = compact !== undefined && given.includes(await signatureOf(key, call, compact));
  return isReformatted ? 'reformatted' : 'wrong';
}

async function signatureOf(key: Uint8Array<ArrayBuffer>, { id, timestamp }: SignedCall, body: string): Promise<string> {
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signed = await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
  return btoa(String.fromCharCode(...new Uint8Array(signed)));
}

/** The body as it was sent, if a tool has only laid it out anew. */
function compacted(body: string): string | undefined {
  return JSON.stringify(parsedJson(body));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

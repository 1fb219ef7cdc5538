import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { auth, renewSession } from './auth';

export interface Passkey {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: string | null;
}

export const supportsPasskeys = browserSupportsWebAuthn;

type Options<Start extends (options: never) => unknown> = Parameters<Start>[0] extends { optionsJSON: infer Json }
  ? Json
  : never;

export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await auth<Options<typeof startAuthentication>>('/passkey/generate-authenticate-options');
  const response = await startAuthentication({ optionsJSON });
  await auth('/passkey/verify-authentication', { response });
  await renewSession();
}

export async function addPasskey(name: string): Promise<void> {
  const path = `/passkey/generate-register-options?name=${encodeURIComponent(name)}`;
  const optionsJSON = await auth<Options<typeof startRegistration>>(path);
  const response = await startRegistration({ optionsJSON });
  await auth('/passkey/verify-registration', { response, name });
}

/** Whether the person closed the dialog of the browser. */
export function isCanceled(error: unknown): boolean {
  return (
    (error as { name?: unknown }).name === 'NotAllowedError' || (error as { name?: unknown }).name === 'AbortError'
  );
}

import i18next from 'i18next';
import { asApiError } from '../api/error';

/** What browsers call a prompt that was closed or timed out. */
const canceled = ['NotAllowedError', 'AbortError'];

/** An error in two sentences: what happened, and why or what to do. A refusal of the API says it in its own words. */
export function errorText(error: unknown): { readonly title: string; readonly text: string } {
  const { status, name, message } = asApiError(error);
  const kind = kindOf(status, name);
  const title = i18next.t(`common:error.${kind}.title`);
  const text = i18next.t(`common:error.${kind}.text`, { message });
  const isSignIn = status === 401 && name !== 'session_ended';
  const speaks = message !== '' && (isSignIn || status === 400 || status === 403 || status === 409 || status === 422);
  return { title, text: speaks ? message : text };
}

function kindOf(status: number, name: string): string {
  if (status === -1) return canceled.includes(name) ? 'canceled' : 'browser';
  if (status === 0) return 'unreachable';
  if (status === 401) return 'signedOut';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  if (status === 429) return 'limited';
  if (status === 503) return 'unavailable';
  return status >= 400 && status < 500 ? 'refused' : 'broken';
}

import { queryOptions } from '@tanstack/react-query';
import { answer, api, request, type Schema } from './client';
import { queryClient } from './query-client';
import { sessionQuery } from './session';

/** A call of the sign-in library under `/auth`, which is not part of the described API. */
export function auth<Answer>(path: string, body?: object): Promise<Answer> {
  return request<Answer>(`/auth${path}`, body === undefined ? {} : { method: 'POST', body });
}

/** How people may sign in here. */
export const methodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => answer(api.GET('/sign-in-methods')),
  staleTime: 60_000,
});

export type SignInMethods = Schema<'SignInMethodsResponse'>;

/** Reads who is signed in, after a sign-in. */
export async function renewSession(): Promise<void> {
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
}

/** Returns whether a second factor is still needed. */
export async function signInWithPassword({ email, password }: PasswordSignIn): Promise<boolean> {
  const { twoFactorRedirect } = await auth<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password });
  if (twoFactorRedirect === true) return true;
  await renewSession();
  return false;
}

/** Leads the browser to a provider, and back to `next`. */
export async function signInWithProvider(provider: string, next: string): Promise<void> {
  const { url } = await auth<{ url: string }>('/sign-in/social', {
    provider,
    callbackURL: next,
    errorCallbackURL: '/app/sign-in',
  });
  location.assign(url);
}

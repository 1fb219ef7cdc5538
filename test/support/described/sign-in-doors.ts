import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { authRoutes } from '../../../libs/accounts/src/infrastructure/http/auth-routes.js';
import { routesOf } from '../../../libs/http/src/server/route-table.js';
import type { Operation } from './odd-values.js';
import type { TestProgram } from '../programs/program.js';

/** Fields that some route of signing in or of OAuth takes, with values that lead beyond the first check. */
const plausible: Readonly<Record<string, unknown>> = {
  email: 'a@people.test',
  password: 'correct horse battery',
  name: 'Name',
  image: 'https://a.test/a.png',
  newPassword: 'correct horse battery',
  currentPassword: 'correct horse battery',
  newEmail: 'b@people.test',
  token: 'token',
  callbackURL: '/app/emails',
  redirectTo: '/app/emails',
  provider: 'google',
  providerId: 'google',
  accountId: 'a',
  id: 'id',
  code: '123456',
  trustDevice: true,
  response: { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: 'a' } },
  rememberMe: true,
  grant_type: 'authorization_code',
  client_id: '7136aa0b-625c-4c9c-8820-e9784c8eb141',
  client_secret: 'a',
  redirect_uri: 'http://127.0.0.1/oauth/callback',
  code_verifier: 'a'.repeat(43),
  refresh_token: 'a',
  redirect_uris: ['https://tool.test/'],
  client_name: 'Tool',
  token_endpoint_auth_method: 'none',
  logo_uri: 'https://tool.test/',
  scope: 'full_access',
  errorCallbackURL: '/app',
  newUserCallbackURL: '/app',
  disableRedirect: true,
  endTools: true,
  revokeOtherSessions: false,
  disableSession: false,
  query: 'client_id=7136aa0b-625c-4c9c-8820-e9784c8eb141',
  team: 'a',
  decision: 'allow',
  keepTools: true,
};

const oauthFields = [
  ...['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code', 'code_verifier', 'refresh_token', 'token'],
  ...['redirect_uris', 'client_name', 'logo_uri', 'token_endpoint_auth_method', 'query', 'team', 'decision', 'scope'],
];

/** Every registered route of `/auth`, `/oauth` and `/.well-known`, so that a new one is in the tests by itself. */
export function doorsOf({ postrider }: TestProgram): readonly Operation[] {
  const fastify = postrider.app.get(HttpAdapterHost).httpAdapter.getInstance<FastifyInstance>();
  return routesOf(fastify)
    .filter(({ method, url }) => method !== 'HEAD' && /^\/(?:auth|oauth|\.well-known)\//.test(url))
    .map(({ method, url }) => ({
      method,
      path: url.replace(/:(\w+)/g, '{$1}'),
      query: method === 'GET' ? ['token', 'callbackURL', 'code', 'state', 'error', 'client_id', 'redirect_uri'] : [],
      body: method === 'POST' ? bodyOf(url) : undefined,
    }));
}

/** The declared fields of a route of `/auth`, and all plausible ones elsewhere. */
function bodyOf(url: string): object {
  const route = authRoutes.find(({ path }) => `/auth${path}` === url);
  if (route === undefined) return Object.fromEntries(oauthFields.map((name) => [name, plausible[name]]));
  return Object.fromEntries(Object.keys(route.fields ?? {}).map((name) => [name, plausible[name] ?? 'a']));
}

import { baseUrl, choice, integer, list, text, url } from '../variables.js';
import { oidcProviders } from './oidc-providers.js';

/** Who may sign in to the dashboard, and how. */
export const accountSettings = {
  signUp: choice<'invited' | 'open' | 'closed'>(
    'SIGN_UP',
    'Who may create an account: people who were invited to a team, everybody, or nobody',
    'invited',
    ['invited', 'open', 'closed'],
  ),
  operatorApiKey: text(
    'OPERATOR_API_KEY',
    'Bearer token of the operator for `/operator/…`: `op_` and at least 32 letters, digits or `_`. With it an installation is run without a browser. Default: none, only users who are operators may use these endpoints',
  ),
  auditDays: integer('AUDIT_DAYS', 'Days for which the audit log is kept', '400', { min: 30, max: 36_500 }),
  googleClientId: text('GOOGLE_CLIENT_ID', 'Client id for signing in with Google. Default: no such button'),
  googleClientSecret: text('GOOGLE_CLIENT_SECRET', 'Client secret that belongs to `GOOGLE_CLIENT_ID`'),
  googleIssuer: url('GOOGLE_ISSUER', 'OpenID issuer used for Google. Default: `https://accounts.google.com`', [
    'https',
    'http',
  ]),
  githubClientId: text('GITHUB_CLIENT_ID', 'Client id for signing in with GitHub. Default: no such button'),
  githubClientSecret: text('GITHUB_CLIENT_SECRET', 'Client secret that belongs to `GITHUB_CLIENT_ID`'),
  githubUrl: baseUrl('GITHUB_URL', 'Base URL of a GitHub Enterprise Server. Default: `https://github.com`'),
  oidcProviders: oidcProviders(
    'OIDC_PROVIDERS',
    'OpenID providers with which people sign in, as a JSON array: see [accounts](accounts.md#openid-connect)',
  ),
  passwordSignIn: choice<'on' | 'off'>(
    'PASSWORD_SIGN_IN',
    'Whether people sign in with a password. `off` needs a provider to sign in with',
    'on',
    ['on', 'off'],
  ),
  passwordSignInOffDomains: list(
    'PASSWORD_SIGN_IN_OFF_DOMAINS',
    'Domains of addresses that do not sign in with a password, separated by commas',
    '',
    (domain) => domain.toLowerCase(),
  ),
} as const;

import { OAuthError } from './oauth-error.js';
import { isRedirectUri } from './redirect-uri.js';

/** A program that acts for users. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly logoUri: string | null;
  readonly redirectUris: readonly string[];
  /** Null: the client is public, and proves itself by PKCE alone. */
  readonly secretHash: Buffer | null;
  readonly createdAt: Date;
}

/** The command-line client, which has this id in its code (docs/wire-contract.md section 11). It is not registered. */
export const commandLineClient: OAuthClient = {
  id: '7136aa0b-625c-4c9c-8820-e9784c8eb141',
  name: 'Command line',
  logoUri: null,
  redirectUris: ['http://127.0.0.1/oauth/callback', 'http://localhost/oauth/callback'],
  secretHash: null,
  createdAt: new Date(0),
};

const maxRedirectUris = 10;
const maxNameLength = 100;
const authMethods = ['none', 'client_secret_post', 'client_secret_basic'];

export interface ClientMetadata {
  readonly name: string;
  readonly logoUri: string | null;
  readonly redirectUris: readonly string[];
  readonly authMethod: string;
}

/** Reads the body of a registration (RFC 7591 section 2). Throws OAuthError. */
export function parseMetadata(body: Readonly<Record<string, unknown>>): ClientMetadata {
  const {
    redirect_uris: uris,
    client_name: name = 'A tool',
    logo_uri: logo,
    token_endpoint_auth_method: method,
  } = body;
  const areUris = Array.isArray(uris) && uris.length > 0 && uris.length <= maxRedirectUris && uris.every(isRedirectUri);
  if (!areUris) {
    const rule = `one to ${maxRedirectUris} addresses: https, http on this machine, or an own scheme`;
    throw new OAuthError('invalid_redirect_uri', `The \`redirect_uris\` must be ${rule}.`);
  }
  if (typeof name !== 'string' || name.length > maxNameLength || /[\p{Cc}\p{Surrogate}]/u.test(name)) {
    throw new OAuthError(
      'invalid_client_metadata',
      `The \`client_name\` must be text of at most ${maxNameLength} characters.`,
    );
  }
  if (method !== undefined && !authMethods.includes(method as string)) {
    const known = authMethods.join(', ');
    throw new OAuthError('invalid_client_metadata', `The \`token_endpoint_auth_method\` must be one of ${known}.`);
  }
  const logoUri = isRedirectUri(logo) && logo.startsWith('https://') ? logo : null;
  return { name, logoUri, redirectUris: uris, authMethod: (method as string | undefined) ?? 'none' };
}

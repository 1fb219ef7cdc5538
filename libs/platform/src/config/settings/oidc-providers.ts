import type { Variable } from '../variables.js';

/** An OpenID provider of the installation, from `OIDC_PROVIDERS`. */
export interface OidcProvider {
  /** Part of the redirect address. Accounts are joined to it, so it must not change. */
  readonly id: string;
  /** On the button. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** `https:` or `data:` URL of an image. */
  readonly logo: string | null;
  /** Asked for besides `openid email profile`. */
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  /** Roles by group, then by id of the team. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, RoleOfGroup>>>>;
  /** An address counts if the provider does not say whether it is verified. */
  readonly trustsAddresses: boolean;
  /** Domains whose addresses the provider vouches for. Empty: all. */
  readonly domains: readonly string[];
}

const roles = ['owner', 'admin', 'developer', 'viewer'] as const;
type RoleOfGroup = (typeof roles)[number];

const known = new Set([
  'id',
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'logo',
  'scopes',
  'groups_claim',
  'groups',
  'trusts_addresses',
  'domains',
]);
const reserved = new Set(['google', 'github', 'credential']);
const maxProviders = 20;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** No message has a value: one of them is a secret. */
export function oidcProviders(
  name: string,
  description: string,
): Variable<readonly OidcProvider[]> & { readonly defaultText: string } {
  return {
    name,
    description,
    defaultText: '[]',
    parse: (text) => {
      const items = jsonOf(text);
      if (!Array.isArray(items) || items.length > maxProviders) {
        throw new Error(`must be a JSON array of at most ${maxProviders} providers`);
      }
      const providers = items.map((item: unknown, at) => providerOf(item, at));
      if (new Set(providers.map(({ id }) => id)).size < providers.length)
        throw new Error('has two providers with one `id`');
      return providers;
    },
  };
}

function providerOf(item: unknown, at: number): OidcProvider {
  const fields = isObject(item) ? item : {};
  const refuse = (rule: string): never => {
    throw new Error(`provider ${at + 1}: ${rule}`);
  };
  for (const field of Object.keys(fields)) if (!known.has(field)) refuse(`there is no field \`${field.slice(0, 50)}\``);
  const text = (field: string): string => {
    const value = fields[field];
    return typeof value === 'string' && value !== '' ? value : refuse(`\`${field}\` must be a text`);
  };
  const texts = (field: string): readonly string[] => {
    const value = fields[field] ?? [];
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && /^\S+$/.test(one));
    return isList ? (value as string[]) : refuse(`\`${field}\` must be an array of words`);
  };
  const id = text('id');
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(id) || reserved.has(id)) {
    refuse('`id` must be at most 32 lower-case letters, digits and hyphens, and not google, github or credential');
  }
  const issuer = text('issuer');
  if (!isIssuer(issuer)) refuse('`issuer` must be an https:// URL without a query');
  const logo = fields.logo === undefined ? null : text('logo');
  if (logo !== null && !isLogo(logo))
    refuse('`logo` must be an https:// URL without a query, or a data:image/…;base64, URL');
  const trustsAddresses = fields.trusts_addresses ?? false;
  if (typeof trustsAddresses !== 'boolean') refuse('`trusts_addresses` must be true or false');
  const groups = fields.groups ?? {};
  if (!isGroups(groups))
    refuse(`\`groups\` must be {"group": {"id of a team": "role"}} with the roles ${roles.join(', ')}`);
  return {
    id,
    name: text('name'),
    issuer,
    clientId: text('client_id'),
    clientSecret: text('client_secret'),
    logo,
    scopes: texts('scopes'),
    groupsClaim: fields.groups_claim === undefined ? 'groups' : text('groups_claim'),
    groups: groups as OidcProvider['groups'],
    trustsAddresses: trustsAddresses as boolean,
    domains: texts('domains').map((domain) => domain.toLowerCase()),
  };
}

/** Plain http is for tests on this machine: who is in between could sign in as anybody. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  const isLocal = protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return (protocol === 'https:' || isLocal) && `${search}${hash}${username}` === '';
}

/** It stands in a header of the dashboard, so it has no separators of that. */
function isLogo(text: string): boolean {
  return (
    /^data:image\/[a-z+.-]+;base64,[\w+/=]+$/.test(text) || (/^https:\/\/[\w.:/%~-]+$/.test(text) && URL.canParse(text))
  );
}

function isGroups(value: unknown): boolean {
  const isRole = (role: unknown): boolean => (roles as readonly unknown[]).includes(role);
  return (
    isObject(value) &&
    Object.values(value).every(
      (teams) => isObject(teams) && Object.entries(teams).every(([team, role]) => uuid.test(team) && isRole(role)),
    )
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

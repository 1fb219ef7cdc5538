/**
 * The tables that the home cell changes and every cell reads while it accepts, sends and receives mail. Nothing in them is
 * mail. Private keys and secrets in them are sealed with `SECRET_KEY`.
 */
export const sharedTables = [
  'teams',
  'team_limits',
  'team_members',
  'oauth_clients',
  'oauth_grants',
  'api_keys',
  'domains',
  'dkim_keys',
  'domain_claims',
  'suppression_hash_keys',
  'templates',
  'template_versions',
  'inbound_routes',
  'webhooks',
] as const;

/** Tables whose rows processes cache, with the notification that makes them forget. */
export const notifyingTables: readonly (readonly [table: string, topic: string])[] = [
  ['team_limits', 'team-limits'],
  ['team_members', 'api-keys'],
  ['oauth_grants', 'api-keys'],
  ['api_keys', 'api-keys'],
  ['domains', 'domains'],
  ['dkim_keys', 'domains'],
  ['inbound_routes', 'inbound_routes'],
];

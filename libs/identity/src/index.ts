export { AuthenticateApiKey } from './application/authenticate-api-key.use-case.js';
export { Teams } from './application/teams.use-case.js';
export type { MadeTeam } from './application/teams.use-case.js';
export { ApiKeyRepository, TeamRepository, DomainOwnership } from './application/ports/teams-and-api-keys.port.js';
export type { Team } from './domain/api-key.js';
export { AddressNotAllowedError, BroadcastNotAllowedError, RecipientNotAllowedError } from './domain/key-policies.js';
export type { ApiKeyAccess, Permission, TeamRole } from './domain/permission.js';
export { permissions, permissionsOfAccess, permissionsOfRole } from './domain/permission.js';
export type { Authority } from './domain/authority.js';
export { permissionsNow } from './infrastructure/persistence/present-authorities.js';
export { Principal } from './domain/principal.js';
export type { ActingTool, Actor, PrincipalStatement } from './domain/principal.js';
export {
  InvalidApiKeyError,
  MissingApiKeyError,
  MissingPermissionError,
  RestrictedApiKeyError,
} from './domain/identity-errors.js';
export {
  CurrentPrincipal,
  PassesOn,
  PrincipalGuard,
  Requires,
  TeamId,
  WritesInGroups,
} from './infrastructure/http/principal.guard.js';
export { PermissionsOf } from './infrastructure/http/permissions-of.js';
export { ChangeRecorder } from './infrastructure/http/change-recorder.js';
export { Audited, changesNothing } from './infrastructure/http/audited.js';
export type { AuditSettings } from './infrastructure/http/audited.js';
export { PrincipalSource, PrincipalSources } from './infrastructure/http/principal-sources.js';
export { isOfPage, isReading, principalOf, RequestPrincipals } from './infrastructure/http/request-principals.js';
export { actorColumns, actorOf, type ActorColumns } from './infrastructure/persistence/actor-columns.js';
export { IdentityHttpModule, IdentityModule } from './identity.module.js';
export { identitySchema } from './infrastructure/persistence/schema.js';

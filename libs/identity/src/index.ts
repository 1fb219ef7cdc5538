export { AuthenticateApiKey } from './application/authenticate-api-key.use-case.js';
export { BootstrapTeam } from './application/bootstrap-team.use-case.js';
export { ManageTeams } from './application/manage-teams.use-case.js';
export type { MadeTeam } from './application/manage-teams.use-case.js';
export { TeamRepository } from './application/ports/team-repository.port.js';
export { checkTeamName, maxTeamNameLength } from './domain/api-key.js';
export type { Team } from './domain/api-key.js';
export { TeamTurns } from './application/team-turns.js';
export { DomainOwnership } from './application/ports/domain-ownership.port.js';
export type { BootstrappedTeam } from './application/bootstrap-team.use-case.js';
export type { ApiKeyAccess, Permission, TeamRole } from './domain/permission.js';
export { permissions, permissionsOfRole } from './domain/permission.js';
export { Principal } from './domain/principal.js';
export type { Actor } from './domain/principal.js';
export {
  InvalidApiKeyError,
  MissingApiKeyError,
  MissingPermissionError,
  RestrictedApiKeyError,
} from './domain/identity-errors.js';
export { CurrentPrincipal, PrincipalGuard, Requires } from './infrastructure/http/principal.guard.js';
export { ChangeRecorder } from './infrastructure/http/change-recorder.js';
export { Audited } from './infrastructure/http/audited.js';
export type { AuditSettings } from './infrastructure/http/audited.js';
export { PrincipalSource, PrincipalSources } from './infrastructure/http/principal-sources.js';
export { principalOf } from './infrastructure/http/request-principals.js';
export { actorColumns, actorOf, type ActorColumns } from './infrastructure/persistence/actor-columns.js';
export { IdentityHttpModule, IdentityModule } from './identity.module.js';
export { identitySchema } from './infrastructure/persistence/schema.js';

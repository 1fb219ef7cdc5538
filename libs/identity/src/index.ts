export { AuthenticateApiKey } from './application/authenticate-api-key.use-case.js';
export { BootstrapTeam } from './application/bootstrap-team.use-case.js';
export { DomainOwnership } from './application/ports/domain-ownership.port.js';
export type { BootstrappedTeam } from './application/bootstrap-team.use-case.js';
export type { Caller, Permission } from './domain/caller.js';
export { InvalidApiKeyError, MissingApiKeyError, RestrictedApiKeyError } from './domain/identity-errors.js';
export { AllowSendingKeys, ApiKeyGuard, CurrentCaller } from './infrastructure/http/api-key.guard.js';
export { callerOf } from './infrastructure/http/request-callers.js';
export { IdentityHttpModule, IdentityModule } from './identity.module.js';

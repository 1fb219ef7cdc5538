/**
 * Whether mail from a sandbox domain may be sent at all. Implemented by whatever delivers: a sandbox domain is verified
 * without DNS and belongs to nobody, so its mail must not reach the internet.
 */
export abstract class SandboxPolicy {
  /** True only where mail ends on this machine, or where the operator has said that it may go anywhere. */
  abstract readonly allowsSandboxDomains: boolean;
}

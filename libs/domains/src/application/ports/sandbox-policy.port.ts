/**
 * Whether mail from a sandbox domain may be sent at all. The delivery lib implements it. A sandbox domain is verified
 * without DNS and belongs to no one, so its mail must not reach the internet.
 */
export abstract class SandboxPolicy {
  /** True only if mail stays on this machine, or if the operator has allowed sandbox mail to be sent. */
  abstract readonly allowsSandboxDomains: boolean;
}

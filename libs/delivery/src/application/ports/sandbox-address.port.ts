/** Port of the built-in receiving server on loopback. Provided by the sandbox. */
export abstract class SandboxAddress {
  /** 0 in a process that does not deliver: it knows the sandbox's lane and never connects. */
  abstract readonly port: number;
}

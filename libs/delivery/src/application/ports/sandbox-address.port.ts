/** Where the built-in receiving server listens, on loopback. Provided by the sandbox. */
export abstract class SandboxAddress {
  abstract readonly port: number;
}

/** Makes signing secrets. */
export abstract class SecretGenerator {
  /** `whsec_` and the base64 of 32 random bytes. */
  abstract generate(): string;
}

/** Generates the tokens that claimants publish: at least 128 random bits, letters and digits only. */
export abstract class ClaimTokens {
  abstract generate(): string;
}

/** Generates API key tokens, and the hashes under which keys are stored and found. */
export abstract class ApiKeyTokens {
  /** `re_` + 8 + `_` + 24 letters and digits, about 190 random bits (docs/wire-contract.md section 1.4). */
  abstract generate(): string;

  /** SHA-256. A plain hash suffices, because a token has too much random data to be guessed. */
  abstract hash(token: string): Buffer;
}

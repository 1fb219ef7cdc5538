/** Makes API key tokens and the hashes they are stored and found by. */
export abstract class ApiKeyTokens {
  /** `re_` + 8 + `_` + 24 letters and digits, about 190 random bits (docs/wire-contract.md section 1.4). */
  abstract generate(): string;

  /** SHA-256. A plain hash suffices: a token is random and long, so there is nothing to guess. */
  abstract hash(token: string): Buffer;
}

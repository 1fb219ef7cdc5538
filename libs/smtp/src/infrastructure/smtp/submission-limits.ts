/** What one client may take of the service. Times in ms. */
export interface SubmissionLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** RFC 5321 section 4.5.3.2.7 wants five minutes at least. */
  readonly idleMs: number;
  /** From the connection to the login. */
  readonly loginMs: number;
  /** What a server that brings us mail, without a login, may take in all; a message under way is not cut off. */
  readonly visitMs: number;
  /** From DATA to the final dot, however steadily bytes trickle in. */
  readonly dataMs: number;
  /** Commands since the last accepted message; a message with 50 recipients takes 53. */
  readonly commands: number;
  /** Refused commands and messages since the last accepted message. */
  readonly refusals: number;
  readonly recipients: number;
  readonly messageBytes: number;
  /** What a stop waits for messages under way. */
  readonly stopMs: number;
}

/** The limits of one server; sizes and recipients are those of the HTTP API. */
export const generalLimits = {
  connections: 5_000,
  idleMs: 5 * 60_000,
  loginMs: 60_000,
  visitMs: 10 * 60_000,
  dataMs: 30 * 60_000,
  commands: 500,
  refusals: 20,
} as const;

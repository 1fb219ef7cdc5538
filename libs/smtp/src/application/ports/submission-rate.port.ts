/** The team's share of requests, which SMTP has in common with the HTTP API: one message is one request. */
export abstract class SubmissionRate {
  /** Throws a refusal of kind `limited` where the team has used up its share for the moment. */
  abstract take(teamId: string): Promise<void>;
}

/** Messages that a team sends to one of its endpoints, to see whether it works. */
export abstract class TestMessages {
  /** Queues a message of the type `webhook.test` for this endpoint only. Resolves to its id. */
  abstract add(teamId: string, webhookId: string, now: Date): Promise<string>;
}

/** What goes on with a domain's mail. Implemented by whatever accepts emails. */
export abstract class DomainActivity {
  abstract hasScheduledEmails(domainId: string): Promise<boolean>;

  abstract hasSentSince(teamId: string, domainId: string, since: Date): Promise<boolean>;
}

/** Tells whose a domain is. Implemented by whatever keeps domains. */
export abstract class DomainOwnership {
  abstract isOwnedBy(teamId: string, domainId: string): Promise<boolean>;
}

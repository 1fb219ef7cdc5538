/** Tells which team owns a domain. The domains lib implements it. */
export abstract class DomainOwnership {
  abstract isOwnedBy(teamId: string, domainId: string): Promise<boolean>;
}

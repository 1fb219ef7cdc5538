/** Names an address in a record without telling it. The same as in the suppression list. */
export abstract class AddressHash {
  abstract of(teamId: string, address: string): Promise<string>;
}

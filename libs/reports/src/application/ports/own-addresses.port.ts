/** The addresses from which this service sends mail. */
export abstract class OwnAddresses {
  /** Never throws: without an answer of the DNS, the addresses are those that the configuration names. */
  abstract of(region: string): Promise<ReadonlySet<string>>;
}

/** An import that did not succeed. The message is for the operator, in plain words and without secrets. */
export class ProviderTrouble extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProviderTrouble';
  }
}

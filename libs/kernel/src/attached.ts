/**
 * Values that objects of a library carry: requests, sockets, sessions.
 *
 * Not a `WeakMap`: a collection of young objects takes each value of one for used. Where the value leads back to its object, as an
 * error leads to the request by its stack, both stay until the next full collection, with the body and the response: 9 KB for
 * each refused email of 4 KB (0.5 KB this way).
 */
export class Attached<Holder extends object, Value> {
  private readonly key = Symbol('attached');

  get(holder: Holder): Value | undefined {
    return (holder as Carrier<Value>)[this.key];
  }

  has(holder: Holder): boolean {
    return this.get(holder) !== undefined;
  }

  set(holder: Holder, value: Value): void {
    (holder as Carrier<Value>)[this.key] = value;
  }

  delete(holder: Holder): void {
    (holder as Carrier<Value>)[this.key] = undefined;
  }
}

type Carrier<Value> = Record<symbol, Value | undefined>;

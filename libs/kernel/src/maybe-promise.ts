/**
 * A value that is known at once, or comes later: for what nearly always is in memory already. An `async` function makes a
 * promise even where there is nothing to wait for, and so does everybody who waits for it: layer upon layer of them made
 * 200 promises an email.
 *
 * A function that returns it may throw at once, and not only reject.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

export function isPromise<Value>(value: MaybePromise<Value>): value is Promise<Value> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** What follows from the value: at once if it is known. */
export function whenKnown<Value, Result>(
  value: MaybePromise<Value>,
  follow: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? value.then(follow) : follow(value);
}

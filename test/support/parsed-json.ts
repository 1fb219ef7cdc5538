/**
 * What somebody answered or sent, of as many shapes as there are endpoints and events. A test says what it expects in it;
 * a type here would only say it once more, and prove nothing.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ParsedJson = any;

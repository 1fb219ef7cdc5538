/**
 * A parsed body, whose shape depends on the endpoint or event. The assertions of a test state what they expect; a type here
 * would only repeat that and prove nothing.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ParsedJson = any;

/**
 * A parsed body, whose shape depends on the endpoint or event. The assertions of a test state what they expect; a type here
 * would only repeat that and prove nothing.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type ParsedJson = any;

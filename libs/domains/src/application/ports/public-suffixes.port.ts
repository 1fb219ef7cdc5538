/**
 * Knows the Public Suffix List: the names under which anyone can register a domain. Does no I/O; names are lower-case
 * A-labels.
 */
export abstract class PublicSuffixes {
  /** `example.co.uk` for `a.b.example.co.uk`; undefined for a public suffix itself. */
  abstract registrableDomain(name: string): string | undefined;
}

/** Knows where the names end that anybody can register under (the Public Suffix List). Pure; names are lower-case A-labels. */
export abstract class PublicSuffixes {
  /** `example.co.uk` for `a.b.example.co.uk`; undefined for a public suffix itself. */
  abstract registrableDomain(name: string): string | undefined;
}

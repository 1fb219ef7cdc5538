/** `none`: the domain has no host that could take mail, or does not exist. `null_mx`: it says that it takes no mail. */
export type MailHostsFinding = 'found' | 'none' | 'null_mx' | 'unknown';

/**
 * Tells whether a domain has hosts that take mail, by the same look-up that delivery makes. Only the DNS is asked: no host is
 * connected to. `unknown`: the DNS gave no usable answer. Never throws for anything that the DNS says.
 */
export abstract class MailHosts {
  /** Whether `of` is answered without asking the DNS. */
  abstract knows(domain: string): boolean;

  abstract of(domain: string): Promise<MailHostsFinding>;
}

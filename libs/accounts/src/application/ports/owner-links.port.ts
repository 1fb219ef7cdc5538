/** The token of the link that makes the first owner. It stays the same until SECRET_KEY changes. */
export abstract class OwnerLinks {
  abstract token(): string;

  abstract accepts(token: string): boolean;
}

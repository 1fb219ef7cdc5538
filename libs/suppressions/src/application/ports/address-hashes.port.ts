/**
 * Hashes addresses with a key that only this installation has. The hash of an address differs from team to team, is no
 * address itself, and stays the same when SECRET_KEY changes.
 */
export abstract class AddressHashes {
  abstract hasher(): Promise<(teamId: string, email: string) => string>;
}

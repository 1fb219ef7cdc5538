/** How many broadcasts a team has. They belong to a lib that builds on this one. */
export abstract class BroadcastCount {
  abstract of(teamId: string): Promise<number>;
}

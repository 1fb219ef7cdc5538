/** Counts of features that build on this lib, for the usage of a team. */
export abstract class TeamCounts {
  abstract broadcasts(teamId: string): Promise<number>;

  /** Runs that began in the month (UTC) of a moment. */
  abstract automationRuns(teamId: string, month: Date): Promise<number>;
}

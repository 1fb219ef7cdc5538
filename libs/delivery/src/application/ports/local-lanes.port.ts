/** The lanes that this process drains. Only a process with the worker role has it. */
export abstract class LocalLanes {
  /** Starts the lane, or tells its drain about new work. `teamId` is the team whose mail waits. */
  abstract wake(lane: string, teamId: string): void;
}

/** Steps that stop what was started. They run once, in reverse order; if one fails, the others still run. */
export class Teardown {
  private readonly steps: (() => Promise<void>)[] = [];
  private running: Promise<void> | undefined;

  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  run(): Promise<void> {
    return (this.running ??= this.runSteps());
  }

  private async runSteps(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.steps.reverse()) await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}

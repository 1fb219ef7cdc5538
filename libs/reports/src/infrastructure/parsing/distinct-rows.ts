/** Distinct rows of one report that are kept; what is beyond is added to one row without a source. */
const maxDistinct = 2_000;

/** Adds up the counts of equal rows. Memory is bounded, however many different rows there are. */
export class DistinctRows<Row extends object> {
  private readonly rows = new Map<string, { readonly row: Row; count: number }>();

  constructor(
    /** The row into which a row goes once there are too many different ones. */
    private readonly rest: (row: Row) => Row,
  ) {}

  add(row: Row, count: number): void {
    const key = JSON.stringify(row);
    const known = this.rows.get(key);
    if (known !== undefined) known.count = Math.min(known.count + count, Number.MAX_SAFE_INTEGER);
    else if (this.rows.size < maxDistinct) this.rows.set(key, { row, count });
    else this.addToRest(this.rest(row), count);
  }

  all(): readonly { readonly row: Row; readonly count: number }[] {
    return [...this.rows.values()];
  }

  private addToRest(row: Row, count: number): void {
    const key = JSON.stringify(row);
    const known = this.rows.get(key) ?? { row, count: 0 };
    known.count = Math.min(known.count + count, Number.MAX_SAFE_INTEGER);
    this.rows.set(key, known);
  }
}

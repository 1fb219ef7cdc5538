interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
}

/**
 * Loaded pages with the newest page read again: new rows come first, known ones are replaced by their present state. Where the new
 * page does not reach the known rows, more has come than a page holds, and what was loaded is given up rather than shown with a gap.
 */
export function mergedHead<Row extends { readonly id: string }>(
  pages: readonly Page<Row>[],
  head: Page<Row>,
): Page<Row>[] {
  const known = new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)));
  const reaches = head.data.some(({ id }) => known.has(id)) || known.size === 0 || !head.has_more;
  const [first, ...rest] = pages;
  if (!reaches || first === undefined) return [head];
  const present = new Map(head.data.map((row) => [row.id, row]));
  const fresh = head.data.filter(({ id }) => !known.has(id));
  const renewed = (page: Page<Row>): Page<Row> => ({
    ...page,
    data: page.data.map((row) => present.get(row.id) ?? row),
  });
  const newFirst = renewed(first);
  return [{ ...newFirst, data: [...fresh, ...newFirst.data] }, ...rest.map(renewed)];
}

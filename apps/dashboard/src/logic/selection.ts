/** What is selected in a list: ids, and the row from which shift extends. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: undefined };

export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Selects everything from the anchor to the row, both included. Without an anchor, only the row. */
export function extended({ ids, anchor }: Selection, id: string, order: readonly string[]): Selection {
  const from = anchor === undefined ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  if (from < 0 || to < 0) return { ids: new Set([...ids, id]), anchor: id };
  return { ids: new Set([...ids, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]), anchor };
}

/** Without rows that are not in the list any more. */
export function present(selection: Selection, order: readonly string[]): Selection {
  const { ids, anchor } = selection;
  if (ids.size === 0 && anchor === undefined) return selection;
  const known = new Set(order);
  return {
    ids: new Set([...ids].filter((id) => known.has(id))),
    anchor: anchor !== undefined && known.has(anchor) ? anchor : undefined,
  };
}

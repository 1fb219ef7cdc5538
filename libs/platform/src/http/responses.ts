import { DomainError, isUuid, Page, withoutTrailing } from '#kernel';

/** The contract's list envelope (docs/wire-contract.md section 1.5). */
export interface ListResponse<Item> {
  readonly object: 'list';
  readonly has_more: boolean;
  readonly data: readonly Item[];
}

export function listResponse<Item, Shown>(page: Page<Item>, show: (item: Item) => Shown): ListResponse<Shown> {
  return { object: 'list', has_more: page.hasMore, data: page.items.map(show) };
}

/** A moment as the contract's REST answers show it: `2026-11-30 20:39:59.54+00` (docs/wire-contract.md section 1.4). */
export function timestamp(moment: Date): string {
  const iso = moment.toISOString();
  const fraction = withoutTrailing(iso.slice(20, 23), '0');
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}+00`;
}

/** An id from a path. Anything that is no UUID is refused by name, as the contract does, or answered 404. */
export function idFromPath(name: string, value: string): string {
  if (!isUuid(value)) {
    throw new DomainError('invalid', 'invalid_parameter', `The \`${name}\` must be a valid UUID.`);
  }
  return value.toLowerCase();
}

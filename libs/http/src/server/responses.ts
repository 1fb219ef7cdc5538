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

/** A time in the format of the contract's responses: `2026-11-30 20:39:59.54+00` (docs/wire-contract.md section 1.4). */
export function timestamp(moment: Date): string {
  const iso = moment.toISOString();
  const fraction = withoutTrailing(iso.slice(20, 23), '0');
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}+00`;
}

export const timestampOrNull = (moment: Date | null | undefined): string | null => (moment ? timestamp(moment) : null);

/** An id from a path. Any value that is not a UUID is refused with the name of the parameter, as the contract requires. */
export function idFromPath(name: string, value: string): string {
  if (!isUuid(value)) {
    throw new DomainError('invalid', 'invalid_parameter', `The \`${name}\` must be a valid UUID.`);
  }
  return value.toLowerCase();
}

import { ApiReply, chosen, listOf, ToolArguments } from './agent-tool.js';

const defaultLimit = 10;

/** The query of a list: the page, and the filters that were given. */
export function pageQuery(input: ToolArguments, filters: readonly string[] = []): Record<string, unknown> {
  return { ...chosen(input, ['after', ...filters]), limit: input.limit ?? defaultLimit };
}

/** The items of a list, numbered, so that what is quoted of an item names it. */
export function itemsOf<Item>(list: ApiReply, show: (item: ApiReply, n: number) => Item): Item[] {
  return listOf(list.data).map((item, at) => show(item, at + 1));
}

/** Where the list goes on. A filtered list says so itself, since it may examine items that it does not show. */
export function nextOf(list: ApiReply): unknown {
  if ('next' in list) return list.next;
  return list.has_more === true ? listOf(list.data).at(-1)?.id : null;
}

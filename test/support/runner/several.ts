/** Does something many times, a few at once: what a test stores before it begins need not be stored one after the other. */
export async function several(
  count: number,
  act: (no: number) => Promise<unknown>,
  { atOnce = 6 }: { readonly atOnce?: number } = {},
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work));
}

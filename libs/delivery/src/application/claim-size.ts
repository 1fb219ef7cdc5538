/** Sizes in which recipients are claimed: few, so that an adapter can prepare a statement for each. */
const sizes = [16, 64, 128, 256, 512] as const;

/** The largest claim that is made where there is room for so many. */
export function claimSize(room: number): number {
  return sizes.findLast((size) => size <= room) ?? sizes[0];
}

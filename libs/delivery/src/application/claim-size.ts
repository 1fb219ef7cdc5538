/**
 * Numbers of recipients that a claim may ask for. There are few, so that an adapter can prepare a statement for each.
 */
const sizes = [16, 64, 128, 256, 512] as const;

/** The largest of these sizes that fits into `room`, or the smallest one. */
export function claimSize(room: number): number {
  return sizes.findLast((size) => size <= room) ?? sizes[0];
}

/** How old the keys of delegated domains may become before they are rotated without being asked. */
export abstract class RotationPolicy {
  /** Undefined: they are never rotated by themselves. */
  abstract readonly maxAgeMs: number | undefined;
}

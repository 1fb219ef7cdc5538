/** The age at which the keys of delegated domains are rotated automatically. */
export abstract class RotationPolicy {
  /** Undefined: keys are never rotated automatically. */
  abstract readonly maxAgeMs: number | undefined;
}

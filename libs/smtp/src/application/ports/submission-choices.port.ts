import type { RawSendRequest } from '#emails';

/** What a message says in its header about itself, beside what its readers see. */
export type SubmissionChoices = Pick<RawSendRequest, 'tags' | 'scheduledAt' | 'tracking'>;

/** The `X-` fields of a header: names in small letters and decoded values, in the order of the message. */
export type ExtensionFields = readonly (readonly [lowerName: string, value: string])[];

/** Reads the choices from the fields that programs write for another provider. Loaded only where such are understood. */
export abstract class OtherControlFields {
  /** Throws a `ValidationError` for a choice that has no counterpart here. */
  abstract read(fields: ExtensionFields): SubmissionChoices;
}

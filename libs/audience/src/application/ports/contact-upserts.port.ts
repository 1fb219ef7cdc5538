import type { Actor } from '#identity';
import { ContactPatch } from '../../domain/contact-patch.js';
import { ChangeSource } from '../../domain/contact-change.js';
import { TopicChoice } from '../../domain/contact-event.js';

/** A contact that is to exist and to have these values, whether its address is known or not. */
export interface UpsertRequest {
  readonly teamId: string;
  readonly actor: Actor;
  readonly source: ChangeSource;
  /** The email whose link the contact followed. */
  readonly emailId?: string;
  /** In the form that `contactKey` returns. */
  readonly email: string;
  /** Its properties are not checked yet. */
  readonly patch: Omit<ContactPatch, 'email' | 'properties'> & {
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  readonly segmentIds: readonly string[];
  readonly topics: readonly TopicChoice[];
}

export interface UpsertedContact {
  readonly id: string;
  readonly isNew: boolean;
}

/** Adds and changes contacts in shared transactions, so that concurrent requests share one commit. */
export abstract class ContactUpserts {
  /** Resolves after the commit. Rejects with a DomainError if this request is refused. */
  abstract upsert(request: UpsertRequest): Promise<UpsertedContact>;
}

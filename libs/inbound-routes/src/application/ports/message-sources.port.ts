import type { ReceivedEmail } from '#inbound';
import { HeaderValue } from '../../domain/header-condition.js';

/** A received message in memory. */
export interface LoadedMessage {
  /** Our header fields, without Return-Path, which only the last server writes. */
  readonly trace: Uint8Array;
  /** The bytes as received. */
  readonly content: Uint8Array;
  /** The fields of the message itself, decoded. */
  readonly header: readonly HeaderValue[];
  /** One more holder: it has to call `release` as well. */
  hold(): void;
  /** To be called by each holder after use, once. */
  release(): void;
}

/** Reads received messages whole. The memory is bounded, and shared fairly among teams. */
export abstract class MessageSources {
  /** Waits for memory. Throws NotFoundError where the content is removed. */
  abstract load(email: ReceivedEmail): Promise<LoadedMessage>;
}

import { ValidationError } from '#kernel';
import type { KeyPolicies } from './key-policies.js';
import { ApiKeyAccess } from './permission.js';

/** A stored API key. The token itself is never stored, only its hash. */
export interface ApiKey extends KeyPolicies {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly permission: ApiKeyAccess;
  readonly domainId: string | null;
  /** The grant of the tool that made the key. The key ends with it. */
  readonly grantId: string | null;
  readonly tokenHash: Buffer;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface ApiKeyChanges extends Partial<KeyPolicies> {
  readonly name?: string;
}

export interface Team {
  readonly id: string;
  readonly name: string;
  /** The sender with which forms begin. */
  readonly defaultFrom: string | null;
  readonly createdAt: Date;
}

/** `defaultFrom`: null for none. What is undefined stays. */
export type TeamChanges = { readonly [Field in 'name' | 'defaultFrom']?: Team[Field] | undefined };

export const maxKeyNameLength = 50;

export function checkKeyName(name: string): void {
  if (name.length > maxKeyNameLength || /[\0\p{Surrogate}]/u.test(name)) {
    throw new ValidationError(`The \`name\` field must be text of at most ${maxKeyNameLength} characters.`);
  }
}

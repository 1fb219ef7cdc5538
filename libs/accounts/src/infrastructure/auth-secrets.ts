import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';

/** The secrets with which cookies and mailed links are signed and second factors are encrypted. */
@Injectable()
export class AuthSecrets {
  readonly all: readonly { readonly id: number; readonly value: string }[];

  constructor(box: SecretBox) {
    this.all = box.derived('sign-in');
  }

  /** A new SECRET_KEY ends all sessions: cookies are signed with the current secret only. */
  get current(): string {
    return this.all[0]?.value ?? '';
  }
}

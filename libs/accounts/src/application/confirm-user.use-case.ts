import { Clock, DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SessionUser } from '../domain/user.js';
import { Sessions, SignIn } from './ports/sign-in.port.js';

export class WrongPasswordError extends DomainError {
  constructor() {
    super('forbidden', 'invalid_password', 'The password is wrong.');
  }
}

/** Lets a signed-in user prove again who they are, before dangerous actions. */
@Injectable()
export class ConfirmUser {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** Throws WrongPasswordError. A user without a password signs in again instead. */
  async confirm(user: SessionUser, password: string): Promise<void> {
    if (!(await this.signIn.isPassword(user.id, password))) throw new WrongPasswordError();
    await this.sessions.confirm(user.sessionId, this.clock.now());
  }
}

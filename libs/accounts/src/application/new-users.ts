import { DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SignIn } from './ports/sign-in.port.js';
import { Users } from './ports/users.port.js';

export class AccountExistsError extends DomainError {
  constructor() {
    super('conflict', 'account_exists', 'There is an account with this address. Sign in with it.');
  }
}

/** Makes accounts for addresses whose owners are known: by a link that was mailed to them, or by the operator's word. */
@Injectable()
export class NewUsers {
  constructor(
    private readonly users: Users,
    private readonly signIn: SignIn,
  ) {}

  async hasAccount(email: string): Promise<boolean> {
    return (await this.users.findByEmail(email))?.isVerified === true;
  }

  /**
   * Throws AccountExistsError. An account whose address was never verified is replaced: its maker has not shown that the
   * address is theirs.
   */
  async create(user: { readonly email: string; readonly name: string; readonly password: string }): Promise<string> {
    if (await this.hasAccount(user.email)) throw new AccountExistsError();
    await this.users.removeUnverified(user.email);
    try {
      return await this.signIn.createUser({ email: user.email, name: user.name.trim(), password: user.password });
    } catch (error) {
      // Another request has made it meanwhile.
      if (await this.hasAccount(user.email)) throw new AccountExistsError();
      throw error;
    }
  }

  /** Makes the account, or gives an existing one this password (for the operator of the machine). */
  async createOrTake(user: {
    readonly email: string;
    readonly name: string;
    readonly password: string;
  }): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const existing = await this.users.findByEmail(user.email);
    if (existing?.isVerified !== true) return { id: await this.create(user), isNew: true };
    await this.signIn.setPassword(existing.id, user.password);
    return { id: existing.id, isNew: false };
  }
}
